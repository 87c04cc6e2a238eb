#include <criterion/criterion.h>

#include "client/own_error.h"

Test(own_error, has_the_shape_of_the_service_s)
{
	static const char *const keys[] = {
	    "schema",	      "code",	   "reason",	  "message",  "offset",
	    "path",	      "limit",	   "actual",	  "max",      "signal",
	    "retry_after_ms", "retryable", "remediation", "artifact", "run"};
	struct own_error error = {.status = ST_SPOOL_FULL,
				  .message = "a \"b\"",
				  .name = span_of("\xff", 1),
				  .action = "retry_after",
				  .text = "later"};
	struct envelope e;
	const struct value *v;
	size_t i = 0;

	own_error(&error, &e);
	cr_assert_eq(e.type, ENVELOPE_ERROR);
	for (v = e.body->first; v != NULL; v = v->next)
		cr_assert(span_is(v->key, keys[i++]));
	cr_assert_eq(i, 15);
	cr_assert(span_is(value_text(value_get(e.body, "message")), "a \"b\""));
	cr_assert(value_get(e.body, "retryable")->truth);
	cr_assert_eq(value_get(e.body, "reason")->type, VALUE_NULL);
	cr_assert_eq(value_count(value_get(e.body, "remediation")), 1);
	envelope_free(&e);
}
