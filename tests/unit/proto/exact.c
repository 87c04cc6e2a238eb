/*
 * Copies go to the heap in their exact size, so that a sanitizer sees a read
 * beyond their end.
 */
#include "tests/unit/proto/exact.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void
assert_bytes(struct span got, struct span want)
{
	size_t i = 0;

	while (i < got.len && i < want.len && got.data[i] == want.data[i])
		i++;
	cr_assert(i == got.len && i == want.len,
		  "differs at byte %zu of %zu, wanted %zu", i, got.len,
		  want.len);
}

/* The first len of bytes, and one more zero for each that is missing. */
static bool
reads_copy(reads_fn reads, struct span bytes, size_t len)
{
	uint8_t *copy = calloc(1, len > 0 ? len : 1);
	size_t have = len < bytes.len ? len : bytes.len;
	bool taken;

	cr_assert_not_null(copy);
	if (have > 0)
		memcpy(copy, bytes.data, have);
	taken = reads(span_of(copy, len));
	free(copy);
	return taken;
}

void
assert_exact(reads_fn reads, struct span bytes)
{
	cr_assert(reads_copy(reads, bytes, bytes.len), "a right one is taken");
	for (size_t len = 0; len < bytes.len; len++)
		cr_assert_not(reads_copy(reads, bytes, len),
			      "cut to %zu of %zu bytes, it is taken", len,
			      bytes.len);
	for (size_t more = 1; more < 10; more++)
		cr_assert_not(reads_copy(reads, bytes, bytes.len + more),
			      "with %zu bytes more, it is taken", more);
}

void
assert_at_least(reads_fn reads, struct span bytes, size_t least)
{
	for (size_t len = 0; len < bytes.len; len++)
		cr_assert_eq(reads_copy(reads, bytes, len), len >= least,
			     "%zu bytes", len);
}

void
assert_refused(reads_fn reads, struct span bytes, size_t at, uint8_t value)
{
	uint8_t *copy = malloc(bytes.len);
	bool taken;

	cr_assert_not_null(copy);
	cr_assert_lt(at, bytes.len);
	memcpy(copy, bytes.data, bytes.len);
	copy[at] = value;
	taken = reads(span_of(copy, bytes.len));
	free(copy);
	cr_assert_not(taken, "byte %zu set to %u is taken", at, value);
}

bool
dies(void (*fn)(void))
{
	int status = 0;
	pid_t child = fork();

	cr_assert_geq(child, 0);
	if (child == 0) {
		/* the last words and a sanitizer's report are expected */
		close(STDERR_FILENO);
		fn();
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

uint64_t
dice(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1d;
}

uint64_t
dice_below(uint64_t bound)
{
	return dice() % bound;
}
