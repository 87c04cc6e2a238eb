#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/envelope.h"
#include "client/grab.h"

static bool
read_text(const char *text, struct envelope *envelope_out)
{
	uint8_t *bytes = (uint8_t *)grab_text(span_str(text));
	bool good = envelope_read(&bytes, strlen(text), envelope_out);

	cr_assert_null(bytes);
	return good;
}

Test(envelope, a_reply_says_what_it_is_and_whose)
{
	struct envelope e;

	cr_assert(read_text("{\"type\":\"result\",\"id\":\"3.1\",\"job\":"
			    "\"j-0000000000000001\",\"result\":{\"x\":1}}",
			    &e));
	cr_assert_eq(e.type, ENVELOPE_RESULT);
	cr_assert(span_is(e.id, "3.1"));
	cr_assert(span_is(e.body->raw, "{\"x\":1}"));
	envelope_free(&e);
}

Test(envelope, an_unknown_type_is_not_an_error)
{
	struct envelope e;

	cr_assert(read_text("{\"type\":\"news\",\"id\":null}", &e));
	cr_assert_eq(e.type, ENVELOPE_OTHER);
	envelope_free(&e);
}

Test(envelope, a_body_of_the_wrong_kind_is_refused)
{
	struct envelope e;

	cr_assert_not(read_text("{\"type\":\"result\",\"result\":[]}", &e));
	cr_assert_not(read_text("{\"type\":\"result\"}", &e));
	cr_assert_not(read_text("{\"type\":\"jobs\",\"jobs\":{}}", &e));
	cr_assert_not(read_text("[]", &e));
	cr_assert_not(read_text("garbage", &e));
}

#define ACCEPTED(job, ticket, door)                          \
	"{\"type\":\"accepted\",\"id\":\"1\",\"job\":\"" job \
	"\",\"ticket\":\"" ticket "\",\"door\":\"" door "\"}"
#define TICKET "000102030405060708090a0b0c0d0eff"
#define JOB "j-00000000000000ab"

static bool
accepts(const char *text, struct acceptance *a)
{
	struct envelope e;
	bool good;

	cr_assert(read_text(text, &e));
	good = envelope_acceptance(&e, a);
	envelope_free(&e);
	return good;
}

Test(envelope, an_acceptance_is_read_whole)
{
	struct acceptance a;

	cr_assert(accepts(ACCEPTED(JOB, TICKET, "/run/d/door.sock"), &a));
	cr_assert_str_eq(a.job, JOB);
	cr_assert_str_eq(a.door, "/run/d/door.sock");
	cr_assert_eq(a.ticket[1], 1);
	cr_assert_eq(a.ticket[15], 0xff);
}

Test(envelope, a_bad_acceptance_is_refused)
{
	struct acceptance a;
	char text[512];

	cr_assert_not(accepts(ACCEPTED("j-1", TICKET, "/d"), &a));
	cr_assert_not(
	    accepts(ACCEPTED("x-00000000000000ab", TICKET, "/d"), &a));
	cr_assert_not(
	    accepts(ACCEPTED("j-00000000000000AB", TICKET, "/d"), &a));
	cr_assert_not(accepts(ACCEPTED(JOB, "00", "/d"), &a));
	cr_assert_not(accepts(ACCEPTED(JOB, TICKET, "door"), &a));
	cr_assert_not(accepts(ACCEPTED(JOB, TICKET, "/d\\u0000e"), &a));
	snprintf(text, sizeof(text), ACCEPTED(JOB, TICKET, "/%0107d"), 0);
	cr_assert_not(accepts(text, &a));
}

static struct error_view
view_of(const char *text)
{
	struct error_view view;
	struct envelope e;

	cr_assert(read_text(text, &e));
	error_view(e.body, &view);
	envelope_free(&e);
	return view;
}

Test(envelope, an_error_has_a_status_and_a_limit)
{
	struct error_view view = view_of(
	    "{\"type\":\"error\",\"error\":{\"code\":\"LIMIT_EXCEEDED\","
	    "\"limit\":\"wall_seconds\",\"retry_after_ms\":7}}");

	cr_assert_eq(view.status, ST_LIMIT_EXCEEDED);
	cr_assert_eq(view.limit, LIMIT_WALL_SECONDS);
	cr_assert_eq(view.retry_after_ms, 7);
}

Test(envelope, an_unknown_code_counts_as_a_fault_of_ours)
{
	cr_assert_eq(view_of("{\"type\":\"error\",\"error\":{\"code\":"
			     "\"FUTURE\"}}")
			 .status,
		     ST_INTERNAL_ERROR);
	cr_assert_eq(view_of("{\"type\":\"error\",\"error\":{\"code\":"
			     "\"OK\"}}")
			 .status,
		     ST_INTERNAL_ERROR);
}
