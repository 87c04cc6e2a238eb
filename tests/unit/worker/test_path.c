#include <criterion/criterion.h>
#include <stdio.h>

#include "proto/utf8.h"
#include "worker/json/path.h"

static void
expect(struct json_path *path, const char *want)
{
	char text[512];

	path_format(path, text, sizeof(text));
	cr_assert_str_eq(text, want);
}

static void
enter_key(struct json_path *path, const char *key)
{
	path_value(path);
	path_enter(path, false);
	path_key(path, span_str(key));
}

Test(path, names_keys_and_elements)
{
	struct json_path path;

	path_init(&path);
	expect(&path, "$");
	path_value(&path);
	path_enter(&path, false);
	expect(&path, "$");
	path_key(&path, span_str("nodes"));
	expect(&path, "$.nodes");
	path_value(&path);
	path_enter(&path, true);
	expect(&path, "$.nodes");
	path_value(&path);
	expect(&path, "$.nodes[0]");
	path_value(&path);
	path_enter(&path, false);
	path_key(&path, span_str("id"));
	expect(&path, "$.nodes[1].id");
	path_leave(&path);
	expect(&path, "$.nodes[1]");
	path_value(&path);
	expect(&path, "$.nodes[2]");
	path_leave(&path);
	expect(&path, "$.nodes");
}

Test(path, quotes_keys_that_are_no_names)
{
	struct json_path path;

	path_init(&path);
	enter_key(&path, "");
	expect(&path, "$[\"\"]");
	path_key(&path, span_str("a b"));
	expect(&path, "$[\"a b\"]");
	path_key(&path, span_str("1a"));
	expect(&path, "$[\"1a\"]");
	path_key(&path, span_str("_$a1"));
	expect(&path, "$._$a1");
	path_key(&path, span_str("\"\\\n\x01\x7f"));
	expect(&path, "$[\"\\\"\\\\\\n\\u0001\\u007f\"]");
	path_key(&path, span_of("a\0b", 3));
	expect(&path, "$[\"a\\u0000b\"]");
	path_key(&path, span_str("\xc3\xa9"));
	expect(&path, "$[\"\xc3\xa9\"]");
}

Test(path, cuts_long_keys_at_a_character)
{
	struct json_path path;
	char key[64];

	path_init(&path);
	memset(key, 'a', sizeof(key));
	path_enter(&path, false);
	path_key(&path, span_of(key, 40));
	expect(&path, "$.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	path_key(&path, span_of(key, 41));
	expect(&path, "$[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		      "\xe2\x80\xa6\"]");
	key[39] = '\xc3';
	key[40] = '\xa9';
	path_key(&path, span_of(key, 41));
	expect(&path, "$[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		      "\xe2\x80\xa6\"]");
}

Test(path, keeps_keys_whose_bytes_go_away)
{
	struct json_path path;
	char key[64] = "outer";

	path_init(&path);
	path_enter(&path, false);
	path_key(&path, span_str(key));
	path_keep(&path);
	strcpy(key, "other");
	path_keep(&path);
	expect(&path, "$.outer");
	path_enter(&path, false);
	memset(key, 'b', sizeof(key));
	path_key(&path, span_of(key, sizeof(key)));
	path_keep(&path);
	memset(key, 'c', sizeof(key));
	path_keep(&path);
	expect(&path, "$.outer[\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
		      "\xe2\x80\xa6\"]");
	path_leave(&path);
	path_key(&path, span_str(""));
	path_keep(&path);
	expect(&path, "$[\"\"]");
}

Test(path, shows_deep_ones_cut)
{
	struct json_path path;
	char want[512] = "$";

	path_init(&path);
	for (unsigned i = 0; i < PATH_LEVELS; i++) {
		enter_key(&path, "a");
		strcat(want, ".a");
	}
	expect(&path, want);
	strcat(want, "\xe2\x80\xa6");
	for (unsigned i = 0; i < 1000; i++) {
		enter_key(&path, "b");
		path_keep(&path);
	}
	expect(&path, want);
	while (path.depth > 1)
		path_leave(&path);
	expect(&path, "$.a");
}

Test(path, fits_in_the_room_there_is)
{
	struct json_path path;
	char key[41];

	path_init(&path);
	memset(key, '\n', sizeof(key) - 1);
	key[40] = '\0';
	for (unsigned i = 0; i < PATH_LEVELS; i++)
		enter_key(&path, key);
	for (size_t size = 8; size <= 2400; size++) {
		char *text = malloc(size);

		path_format(&path, text, size);
		cr_assert_lt(strlen(text), size);
		cr_assert(utf8_valid(span_str(text)));
		cr_assert_eq(strstr(text, "\xe2\x80\xa6") != NULL,
			     size < 1 + PATH_LEVELS * 84 + 4);
		free(text);
	}
}
