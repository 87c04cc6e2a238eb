/*
 * Frame and function ids against tests/golden/frame_ids.json, whose digests
 * were computed elsewhere.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <yajl/yajl_tree.h>

#include "tests/support/model.h"

static char json[1 << 20];

static yajl_val
load(void)
{
	FILE *file = fopen(EXTRACTD_TESTS_DIR "/golden/frame_ids.json", "rb");
	char error[200];
	size_t len;
	yajl_val tree;

	cr_assert_not_null(file);
	len = fread(json, 1, sizeof(json) - 1, file);
	fclose(file);
	json[len] = '\0';
	tree = yajl_tree_parse(json, error, sizeof(error));
	cr_assert(YAJL_IS_ARRAY(tree), "%s", error);
	return tree;
}

static yajl_val
get(yajl_val object, const char *key)
{
	const char *path[] = {key, NULL};
	yajl_val value = yajl_tree_get(object, path, yajl_t_any);

	cr_assert_not_null(value, "%s", key);
	return value;
}

/* NULL when it is null. */
static const char *
text(yajl_val object, const char *key)
{
	return YAJL_GET_STRING(get(object, key));
}

static uint32_t
number(yajl_val object, const char *key)
{
	yajl_val value = get(object, key);

	return YAJL_IS_INTEGER(value) ? (uint32_t)YAJL_GET_INTEGER(value) : 0;
}

static int
hex_value(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Field n of a preimage, which tells names that hold a zero byte whole. */
static struct span
preimage_field(const char *hex, const char *domain, unsigned n, uint8_t *bytes)
{
	size_t len = strlen(hex) / 2, at = strlen(domain) + 1;

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)(hex_value(hex[2 * i]) * 16 +
				     hex_value(hex[2 * i + 1]));
	for (;;) {
		size_t field = (size_t)bytes[at] | (size_t)bytes[at + 1] << 8 |
			       (size_t)bytes[at + 2] << 16;

		cr_assert_leq(at + 4 + field, len);
		if (n-- == 0)
			return span_of(bytes + at + 4, field);
		at += 4 + field;
	}
}

static void
expect_hex(const uint8_t *id, const char *hex, const char *what)
{
	char got[2 * FRAME_ID_BYTES + 1];

	for (int i = 0; i < FRAME_ID_BYTES; i++)
		snprintf(got + 2 * i, 3, "%02x", id[i]);
	cr_assert_str_eq(got, hex, "%s", what);
}

static void
expect_ids(yajl_val c)
{
	static uint8_t bytes[1 << 16];
	const char *root = text(c, "project_root");
	const char *script = text(c, "script");
	struct frame_spec spec = {.language = LANGUAGE_JAVASCRIPT,
				  .line = number(c, "line"),
				  .column = number(c, "column")};
	struct model model;
	struct row row;
	uint32_t frame;

	model_init(&model);
	if (root != NULL)
		model.job.project_root = span_str(root);
	spec.vm = strcmp(text(c, "kind"), "vm") == 0;
	spec.function =
	    frames_function(&model.profile.frames,
			    preimage_field(text(c, "frame_preimage"),
					   "extractd.frame/1", 2, bytes));
	spec.place =
	    script != NULL
		? frames_script(&model.profile.frames, span_str(script))
		: frames_url(&model.profile.frames, span_str(text(c, "url")));
	cr_assert_eq(frames_intern(&model.profile.frames, &spec, &model.failure,
				   &frame),
		     ST_OK);
	frames_describe(&model.profile.frames, frame, &row);
	cr_assert_eq(row.has_file, text(c, "file") != NULL);
	if (row.has_file)
		cr_assert(span_is(row.file, text(c, "file")), "%s",
			  text(c, "what"));
	expect_hex(row.frame_id, text(c, "frame_id"), text(c, "what"));
	cr_assert_eq(row.has_function_id, text(c, "function_id") != NULL);
	if (row.has_function_id)
		expect_hex(row.function_id, text(c, "function_id"),
			   text(c, "what"));
	model_fini(&model);
}

Test(frame_id, is_that_of_each_golden_case)
{
	yajl_val cases = load();

	cr_assert_geq(YAJL_GET_ARRAY(cases)->len, 20);
	for (size_t i = 0; i < YAJL_GET_ARRAY(cases)->len; i++)
		expect_ids(YAJL_GET_ARRAY(cases)->values[i]);
	yajl_tree_free(cases);
}
