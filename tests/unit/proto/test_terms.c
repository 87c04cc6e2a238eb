/*
 * The closed vocabularies and the formats: numbers that were given out once,
 * names of their own.
 */
#include <criterion/criterion.h>

#include "proto/terms.h"
#include "tests/unit/proto/exact.h"
#include "tests/unit/proto/golden.h"

static void
assert_unique(const char *const *names, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count; i++)
		for (unsigned k = first; k < i; k++)
			cr_assert_str_neq(names[i], names[k]);
}

/* One test a vocabulary: its list is the golden one, and names are unique. */
#define VOCABULARY(word, COUNT)                                        \
	Test(terms, word##_numbers_and_names_are_those_once_given_out) \
	{                                                              \
		const char *names[COUNT];                              \
		for (unsigned i = 0; i < (COUNT); i++)                 \
			names[i] = word##_name((enum word)i);          \
		golden_list("terms.txt", #word, names, 0, COUNT);      \
		assert_unique(names, 0, COUNT);                        \
	}

VOCABULARY(language, LANGUAGE_COUNT)
VOCABULARY(frame_type, FRAME_TYPE_COUNT)
VOCABULARY(category, CATEGORY_COUNT)
VOCABULARY(symbolization, SYMBOLIZATION_COUNT)
VOCABULARY(encoding, ENCODING_COUNT)
VOCABULARY(coverage, COVERAGE_COUNT)
VOCABULARY(limitation, LIMITATION_COUNT)
VOCABULARY(sandbox_layer, SANDBOX_LAYER_COUNT)
VOCABULARY(job_class, JOB_CLASS_COUNT)
VOCABULARY(rejected, REJECTED_COUNT)
VOCABULARY(death, DEATH_COUNT)

Test(terms, what_a_reader_must_know_is_said_in_words)
{
	for (unsigned i = 0; i < COVERAGE_COUNT; i++)
		cr_assert_str_not_empty(coverage_text((enum coverage)i));
	for (unsigned i = 0; i < LIMITATION_COUNT; i++)
		cr_assert_str_not_empty(limitation_text((enum limitation)i));
}

Test(terms, sandbox_layers_fit_their_bits_and_the_kernels_own_are_required)
{
	cr_assert_leq(SANDBOX_LAYER_COUNT, 32);
	cr_assert(sandbox_layer_required(SANDBOX_NO_NEW_PRIVS));
	cr_assert(sandbox_layer_required(SANDBOX_SECCOMP));
	cr_assert(sandbox_layer_required(SANDBOX_RLIMITS));
	cr_assert(sandbox_layer_required(SANDBOX_NO_CAPABILITIES));
	cr_assert_not(sandbox_layer_required(SANDBOX_LANDLOCK));
}

Test(formats, numbers_and_names_are_those_once_given_out)
{
	const char *names[FORMAT_COUNT] = {NULL};

	for (unsigned i = 1; i < FORMAT_COUNT; i++)
		names[i] = format_info((enum format)i)->name;
	golden_list("formats.txt", NULL, names, 1, FORMAT_COUNT - 1);
	assert_unique(names, 1, FORMAT_COUNT - 1);
}

Test(formats, each_names_its_kind_extractor_version_and_media_type)
{
	for (unsigned i = 1; i < FORMAT_COUNT; i++) {
		const struct format_info *info = format_info((enum format)i);

		cr_assert(strcmp(info->kind, "sample_profile") == 0 ||
			  strcmp(info->kind, "memory_profile") == 0 ||
			  strcmp(info->kind, "symbol_table") == 0);
		cr_assert_str_not_empty(info->extractor);
		cr_assert_geq(info->version, 1);
		cr_assert_not_null(strchr(info->media_type, '/'));
		cr_assert_str_not_empty(info->what);
	}
}

Test(formats, are_found_by_their_whole_name_only)
{
	enum format format = FORMAT_ANY;

	for (unsigned i = 1; i < FORMAT_COUNT; i++) {
		const char *name = format_info((enum format)i)->name;

		cr_assert(format_from_name(span_str(name), &format));
		cr_assert_eq(format, i);
		cr_assert_not(
		    format_from_name(span_of(name, strlen(name) - 1), &format));
	}
	format = FORMAT_ANY;
	cr_assert_not(format_from_name(span_str(""), &format));
	cr_assert_not(format_from_name(span_str("V8.cpuprofile"), &format));
	cr_assert_eq(format, FORMAT_ANY, "the output stays untouched");
}

static void
ask_for_any(void)
{
	(void)format_info(FORMAT_ANY);
}

static void
ask_beyond(void)
{
	(void)category_name(CATEGORY_COUNT);
}

Test(terms, asking_beyond_the_tables_is_our_bug)
{
	cr_assert(dies(ask_for_any));
	cr_assert(dies(ask_beyond));
}
