/*
 * How long samples last: as a stable sort of all of them would say, while
 * nothing is further out of order than the window; clamped and counted beyond.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random_tree.h"
#include "worker/profile/timeline.h"

#define MANY 20000

static struct arena arena;
static struct column durations;
static struct timeline timeline;
static int64_t time_of[MANY];
static uint64_t lasted[MANY], naive[MANY];

static void
setup(void)
{
	arena_init(&arena, 16 << 20);
	column_init(&durations, &arena);
	timeline_init(&timeline, &arena, &durations);
	memset(lasted, 0xff, sizeof(lasted));
}

/* Puts all samples on the timeline, some at a time; slot i is sample i. */
static void
run(uint32_t len, int64_t end)
{
	for (uint32_t i = 0, n; i < len; i += n) {
		bool ascending = true;
		int64_t *times;
		uint32_t *slots;

		n = 1 + (i * 2654435761U >> 8) % TIMELINE_BATCH;
		if (i % 3 == 0)
			n = 1;
		if (n > len - i)
			n = len - i;
		timeline_next(&timeline, &times, &slots);
		memcpy(times, time_of + i, n * sizeof(times[0]));
		for (uint32_t j = 0; j < n; j++)
			slots[j] = i + j;
		for (uint32_t j = 1; j < n; j++)
			ascending &= times[j] >= times[j - 1];
		cr_assert(timeline_add(&timeline, n, ascending));
	}
	cr_assert(timeline_end(&timeline, end));
	for (uint32_t i = 0; i < len; i++)
		lasted[i] = durations.wide != NULL ? durations.wide[i]
						   : durations.narrow[i];
	timeline_fini(&timeline);
	column_fini(&durations);
	cr_assert_eq(arena.used_bytes, 0);
	arena_fini(&arena);
}

static int
earlier(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (time_of[x] != time_of[y])
		return time_of[x] < time_of[y] ? -1 : 1;
	return x < y ? -1 : 1;
}

static void
run_naive(uint32_t len, int64_t end)
{
	static uint32_t order[MANY];

	for (uint32_t i = 0; i < len; i++)
		order[i] = i;
	qsort(order, len, sizeof(order[0]), earlier);
	for (uint32_t i = 0; i < len; i++) {
		int64_t from = time_of[order[i]];
		int64_t to = i + 1 < len ? time_of[order[i + 1]] : end;

		naive[order[i]] = to > from ? (uint64_t)(to - from) : 0;
	}
}

/* Times 10, 15, 12, 40 and end 50: in order 10, 12, 15, 40. */
Test(timeline, puts_samples_in_time_order_first, .init = setup)
{
	const int64_t times[] = {10, 15, 12, 40};
	const uint64_t want[] = {2, 25, 3, 10};

	memcpy(time_of, times, sizeof(times));
	run(4, 50);
	cr_assert_arr_eq(lasted, want, sizeof(want));
	cr_assert_eq(timeline.clamped, 0);
}

Test(timeline, keeps_the_files_order_among_equal_times, .init = setup)
{
	const int64_t times[] = {5, 7, 7, 5, 9};
	const uint64_t want[] = {0, 0, 2, 2, 1};

	memcpy(time_of, times, sizeof(times));
	run(5, 10);
	cr_assert_arr_eq(lasted, want, sizeof(want));
}

Test(timeline, gives_the_last_sample_nothing_when_the_end_is_before_it,
     .init = setup)
{
	time_of[0] = 5;
	time_of[1] = 20;
	run(2, 10);
	cr_assert_eq(lasted[0], 15);
	cr_assert_eq(lasted[1], 0);
}

Test(timeline, measures_from_one_end_of_the_clock_to_the_other, .init = setup)
{
	time_of[0] = INT64_MIN;
	time_of[1] = INT64_MAX;
	run(2, INT64_MAX);
	cr_assert_eq(lasted[0], UINT64_MAX);
	cr_assert_eq(lasted[1], 0);
}

Test(timeline, gives_nothing_without_samples, .init = setup)
{
	run(0, 10);
}

/* A sample moved by at most 4095 places is still in the window. */
Test(timeline, sorts_whatever_is_out_of_order_within_the_window)
{
	uint64_t state = 11;

	for (uint32_t round = 0; round < 12; round++) {
		uint32_t block = 1 + random_below(&state, TIMELINE_WINDOW);
		uint32_t len = 1 + random_below(&state, MANY);
		static uint32_t order[TIMELINE_WINDOW];

		setup();
		for (uint32_t at = 0; at < len; at += block) {
			uint32_t n = len - at < block ? len - at : block;

			random_order(&state, order, n);
			for (uint32_t i = 0; i < n; i++)
				time_of[at + i] =
				    (int64_t)(at + order[i]) / 3 * 10;
		}
		run_naive(len, 100000);
		run(len, 100000);
		cr_assert_eq(timeline.clamped, 0);
		cr_assert_arr_eq(lasted, naive, len * sizeof(lasted[0]));
	}
}

/* 4097 samples at 0, 10, 20 … with the smallest time at the very end: the one
 * at 0 has left by then, the one at -5 leaves at once and is set to 0. */
Test(timeline, clamps_a_sample_that_falls_outside_the_window, .init = setup)
{
	uint32_t len = TIMELINE_WINDOW + 1;

	for (uint32_t i = 0; i + 1 < len; i++)
		time_of[i] = (int64_t)i * 10;
	time_of[len - 1] = -5;
	run(len, 50000);
	cr_assert_eq(timeline.clamped, 1);
	cr_assert_eq(lasted[0], 0);
	cr_assert_eq(lasted[len - 1], 10);
	cr_assert_eq(lasted[1], 10);
}

/* The same with one sample less: it still finds its place. */
Test(timeline, does_not_clamp_at_the_windows_edge, .init = setup)
{
	uint32_t len = TIMELINE_WINDOW;

	for (uint32_t i = 0; i + 1 < len; i++)
		time_of[i] = (int64_t)i * 10;
	time_of[len - 1] = -5;
	run(len, 50000);
	cr_assert_eq(timeline.clamped, 0);
	cr_assert_eq(lasted[len - 1], 5);
	cr_assert_eq(lasted[0], 10);
}

/* With any disorder, durations never add up to more than from the first time
 * that counts to the end. */
Test(timeline, never_gives_more_time_than_there_was)
{
	uint64_t state = 5;

	for (uint32_t round = 0; round < 8; round++) {
		int64_t first = INT64_MAX;
		uint64_t sum = 0;

		setup();
		for (uint32_t i = 0; i < MANY; i++) {
			time_of[i] = random_below(&state, 1000000);
			if (time_of[i] < first)
				first = time_of[i];
		}
		run(MANY, 1000000);
		for (uint32_t i = 0; i < MANY; i++)
			sum += lasted[i];
		cr_assert_leq(sum, (uint64_t)(1000000 - first));
		cr_assert_gt(timeline.clamped, 0);
	}
}

/* The rule itself, a sample at a time: when the window is full its first one
 * leaves; then the next is put in behind those that are not later. */
static uint64_t
run_by_the_rule(uint32_t len, int64_t end)
{
	static uint32_t window[TIMELINE_WINDOW + 1];
	uint32_t waiting = 0, last = MANY;
	int64_t last_time = 0;
	uint64_t clamped = 0;

	for (uint32_t i = 0; i < len || waiting > 0; i++) {
		uint32_t at = waiting;

		if (i >= len || waiting == TIMELINE_WINDOW) {
			int64_t time = time_of[window[0]];

			if (last < MANY && time < last_time) {
				time = last_time;
				clamped++;
			}
			if (last < MANY)
				naive[last] = (uint64_t)(time - last_time);
			last = window[0];
			last_time = time;
			at = --waiting;
			memmove(window, window + 1, waiting * sizeof(*window));
		}
		if (i >= len)
			continue;
		for (; at > 0 && time_of[window[at - 1]] > time_of[i]; at--)
			window[at] = window[at - 1];
		window[at] = i;
		waiting++;
	}
	naive[last] = end > last_time ? (uint64_t)(end - last_time) : 0;
	return clamped;
}

/* Long runs in order, now and then a sample late by a little, by a window, or
 * by far more. */
Test(timeline, follows_the_rule_whatever_comes_late)
{
	uint64_t state = 3, all_clamped = 0;

	for (uint32_t round = 0; round < 40; round++) {
		uint32_t len = 1 + random_below(&state, MANY);
		uint32_t seldom = 2 + random_below(&state, 6000);
		uint64_t clamped;

		setup();
		for (uint32_t i = 0; i < len; i++) {
			uint32_t late = 0;

			if (random_below(&state, seldom) == 0)
				late = random_below(&state, 3) == 0
					   ? random_below(&state, 20000)
					   : random_below(&state, 4096) / 4;
			time_of[i] =
			    ((int64_t)i - late) * 10 - random_below(&state, 10);
		}
		clamped = run_by_the_rule(len, (int64_t)MANY * 10);
		run(len, (int64_t)MANY * 10);
		cr_assert_eq(timeline.clamped, clamped, "round %u", round);
		cr_assert_arr_eq(lasted, naive, len * sizeof(lasted[0]));
		all_clamped += clamped;
	}
	cr_assert_gt(all_clamped, 0);
}
