/*
 * What a client is answered at once.
 */
#include "broker/front/ops.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "proto/limits.h"
#include "tests/unit/front/served.h"

TestSuite(ops);

#define ASK_PROGRESS                                                      \
	"{\"op\":\"result\",\"job\":\"j-0000000000000007\",\"id\":\"r\"," \
	"\"progress\":true}"

Test(ops, who_asks_again_hears_that_the_job_lives)
{
	served_begin();
	served_job(7, span_str("a"));
	for (unsigned i = 0; i < 3; i++) {
		served_ask(ASK_PROGRESS);
		cr_expect_not_null(
		    strstr(served_hear(), "\"state\":\"running\""));
		served.now_ms += 1000; /* nothing came meanwhile */
	}
	served_end();
}

static unsigned
count(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

static void
expect_listing(const char *text, unsigned listed, unsigned left_out)
{
	static const char head[] = "{\"type\":\"jobs\",\"id\":null,\"jobs\":["
				   "{\"job\":\"j-0000000000000001\",";
	char tail[64];

	snprintf(tail, sizeof(tail), "}],\"left_out\":%u}", left_out);
	cr_expect(strncmp(text, head, strlen(head)) == 0, "%.120s", text);
	cr_expect_str_eq(text + strlen(text) - strlen(tail), tail);
	cr_expect_eq(count(text, "{\"job\":"), listed);
}

Test(ops, all_jobs_are_listed_live_ones_first)
{
	served_begin();
	served_finish(served_job(2, span_str("b")), ST_CANCELLED);
	served_job(1, span_str("a"));
	served_ask("{\"op\":\"jobs\"}");
	expect_listing(served_hear(), 2, 0);
	served_end();
}

/* A byte of a name may take six in JSON. */
Test(ops, a_listing_has_a_bound_and_says_what_it_left_out)
{
	static uint8_t name[JOB_NAME_BYTES_MAX];
	const char *text;
	unsigned listed;

	served_begin();
	memset(name, 1, sizeof(name));
	for (uint64_t id = 1; id <= 60; id++) {
		struct tracked *job =
		    served_job(id, span_of(name, sizeof(name)));

		if (id > 45)
			served_finish(job, ST_CANCELLED);
	}
	served_ask("{\"op\":\"jobs\"}");
	text = served_hear();
	cr_expect_lt(strlen(text), MIB);
	listed = count(text, "{\"job\":");
	cr_expect_gt(listed, 30);
	cr_expect_lt(listed, 60);
	expect_listing(text, listed, 60 - listed);
	served_end();
}
