/*
 * How the service stands, as its client reads it.
 */
#include "broker/front/status_reply.h"

#include <criterion/criterion.h>

#include "tests/unit/front/served.h"

TestSuite(status_reply);

/* The reply's text; the test's own. */
static const char *
reply(const struct status_record *status)
{
	static struct outbox o;

	outbox_fini(&o);
	outbox_init(&o, 64 * KIB);
	status_reply(&o, &served, status);
	cr_assert_not(o.failed);
	outbox_put(&o, span_of("", 1));
	return (const char *)o.data;
}

static void
expect(const struct status_record *status, const char *part)
{
	const char *text = reply(status);

	cr_expect(strstr(text, part) != NULL, "no %s in %s", part, text);
}

Test(status_reply, what_front_and_supervisor_turned_away_is_added_up)
{
	struct status_record status = {
	    .tallies.rejected = {
		[REJECTED_QUEUE_FULL] = 1, [REJECTED_SHUTTING_DOWN] = 20}};

	served_begin();
	served.refused[REJECTED_SHUTTING_DOWN] = 3;
	served.refused[REJECTED_INVALID_REQUEST] = 4;
	served.doorman.refused = 5;
	served_babble();
	expect(&status, "\"rejected\":{\"queue_full\":1,\"workers_stuck\":0,"
			"\"shutting_down\":23,\"invalid_request\":4,"
			"\"door\":5,\"dropped\":1}");
	served_end();
}

Test(status_reply, seconds_have_no_zeros_at_their_end)
{
	static const struct {
		uint64_t us;
		const char *text;
	} samples[] = {
	    {0, "\"sum\":0}"},
	    {1, "\"sum\":0.000001}"},
	    {1500000, "\"sum\":1.5}"},
	    {10000000, "\"sum\":10}"},
	    {12345678, "\"sum\":12.345678}"},
	    {UINT64_MAX, "\"sum\":18446744073709.551615}"},
	};

	served_begin();
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct status_record status = {.tallies.job_us.sum =
						   samples[i].us};

		expect(&status, samples[i].text);
	}
	served_end();
}

Test(status_reply, a_bound_is_told_in_seconds)
{
	struct status_record status = {0};

	served_begin();
	expect(&status, "\"job_seconds\":{\"bounds\":[0.005,0.01,0.025,0.05,"
			"0.1,0.25,0.5,1,5,30,120,600],\"counts\":[");
	served_end();
}

Test(status_reply, interactive_jobs_are_those_that_are_not_batch_jobs)
{
	struct status_record status = {.jobs_queued = 5,
				       .jobs_queued_batch = 3};

	served_begin();
	expect(&status, "\"queued\":5,\"interactive\":2,\"batch\":3}");
	status.jobs_queued = 1;
	expect(&status, "\"queued\":1,\"interactive\":0,\"batch\":3}");
	served_end();
}

Test(status_reply, no_layer_is_missing_before_the_first_worker)
{
	struct status_record status = {0};

	served_begin();
	expect(&status, "\"sandbox\":[],\"sandbox_missing\":[]");
	status.sandbox = 1U << SANDBOX_NO_NEW_PRIVS;
	expect(&status, "\"sandbox\":[\"no_new_privs\",\"seccomp\"],"
			"\"sandbox_missing\":[\"rlimits\",");
	served_end();
}
