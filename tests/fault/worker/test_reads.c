/*
 * Reading fails, is interrupted or comes short, at each call in turn: the job
 * has its typed error, or the very result that an undisturbed one has.
 */
#include <errno.h>

#include <criterion/criterion.h>

#include "tests/support/extracted_text.h"
#include "tests/support/fault_samples.h"
#include "tests/support/faulty_source.h"

static char *
text_of_faulty(struct span bytes, size_t chunk, const struct read_fault *fault,
	       uint64_t *reads_out)
{
	struct source source;
	struct extracted e;
	char *text;

	faulty_source(&source, bytes, chunk, fault);
	extract_source(&source, &(struct extract_how){0}, &e);
	text = extracted_text(&e);
	extracted_free(&e);
	*reads_out = faulty_reads();
	return text;
}

static void
fail_each_read(struct span bytes, size_t chunk)
{
	struct read_fault fault = {.error = EIO};
	uint64_t reads, ignored;
	char *right = text_of_faulty(bytes, chunk, &fault, &reads);

	cr_assert_gt(reads, 0);
	for (fault.at = 1; fault.at <= reads; fault.at++) {
		char *text = text_of_faulty(bytes, chunk, &fault, &ignored);

		cr_assert_not_null(strstr(text, "INPUT_KIND not_readable"),
				   "read %lu of %lu: %s", fault.at, reads,
				   text);
		free(text);
	}
	free(right);
}

Test(reads, a_read_that_fails_is_an_input_that_cannot_be_read)
{
	for (size_t i = 0; i < FAULT_SAMPLES; i++) {
		struct packed sample = fault_sample(i);

		fail_each_read(packed_span(&sample), 0);
		fail_each_read(packed_span(&sample), 13);
		free(sample.data);
	}
}

static void
expect_same(struct span bytes, size_t chunk, const struct read_fault *fault)
{
	const struct read_fault none = {0};
	uint64_t ignored;
	char *right = text_of_faulty(bytes, chunk, &none, &ignored);
	char *text = text_of_faulty(bytes, chunk, fault, &ignored);

	cr_assert_eq(strncmp(right, "v8.", 3), 0, "%s", right);
	cr_assert_str_eq(text, right);
	free(right);
	free(text);
}

Test(reads, one_byte_a_read_gives_the_same_result)
{
	const struct read_fault fault = {.most = 1};

	for (size_t i = 0; i < FAULT_SAMPLES; i++) {
		struct packed sample = fault_sample(i);

		expect_same(packed_span(&sample), 0, &fault);
		expect_same(packed_span(&sample), 7, &fault);
		free(sample.data);
	}
}

Test(reads, an_interrupted_read_gives_the_same_result)
{
	const struct read_fault fault = {.most = 3, .interrupts = true};

	for (size_t i = 0; i < FAULT_SAMPLES; i++) {
		struct packed sample = fault_sample(i);

		expect_same(packed_span(&sample), 0, &fault);
		free(sample.data);
	}
}
