/*
 * Envelopes around a profile, and what may stand beside it.
 */
#include "tests/unit/worker/extract_pieces.h"

#define PROFILE                                                         \
	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"f\"}," \
	"\"hitCount\":5}]}"

static void
expect_five(const char *json)
{
	struct extracted e = extract_good(json, NULL);

	expect_values(&e, "f", "cpu.hit_count", 5, 5);
	extracted_free(&e);
}

Test(v8_document, unwraps_a_profile_and_an_inspectors_reply)
{
	expect_five(PROFILE);
	expect_five("{\"profile\":" PROFILE "}");
	expect_five("{\"id\":3,\"result\":{\"profile\":" PROFILE "}}");
	expect_five(" { \"result\" : { \"x\" : [1] , \"profile\" : " PROFILE
		    " , \"y\" : null } , \"id\" : 3 } \n");
}

Test(v8_document, skips_what_stands_beside_the_profile)
{
	expect_five("{\"a\":[{\"nodes\":[]}],\"profile\":" PROFILE
		    ",\"nodes\":7,\"samples\":[[]],\"result\":{}}");
	expect_five("{\"result\":{\"nodes\":[{}],\"profile\":" PROFILE "}}");
	expect_five("{\"result\":7,\"profile\":" PROFILE "}");
}

Test(v8_document, takes_a_byte_order_mark_and_counts_it_in_offsets)
{
	expect_five("\xef\xbb\xbf" PROFILE);
	expect_failure("\xef\xbb\xbf{\"nodes\":[7]}", RE_NOT_AN_OBJECT, "7]",
		       "$.nodes[0]");
}

Test(v8_document, refuses_the_profile_twice)
{
	expect_failure("{\"profile\":" PROFILE ",\"profile\":{}}",
		       RE_DUPLICATE_KEY, "\"profile\":{}", "$.profile");
}

Test(v8_document, refuses_trees_and_times_twice_in_any_form)
{
	expect_failure("{\"nodes\":[],\"nodes\":[]}", RE_DUPLICATE_KEY,
		       "\"nodes\":[]}", "$.nodes");
	expect_failure("{\"nodes\":[],\"head\":{}}", RE_DUPLICATE_KEY,
		       "\"head\"", "$.head");
	expect_failure("{\"nodes\":[],\"samples\":[],\"samples\":[]}",
		       RE_DUPLICATE_KEY, "\"samples\"", "$.samples");
	expect_failure("{\"nodes\":[],\"timeDeltas\":[],\"timestamps\":[]}",
		       RE_DUPLICATE_KEY, "\"timestamps\"", "$.timestamps");
	expect_failure("{\"nodes\":[],\"endTime\":1,\"endTime\":1}",
		       RE_DUPLICATE_KEY, "\"endTime\":1}", "$.endTime");
}

Test(v8_document, refuses_values_of_the_wrong_type)
{
	expect_failure("{\"nodes\":{},\"endTime\":0}", RE_WRONG_TYPE, "{}",
		       "$.nodes");
	expect_failure("{\"nodes\":null,\"startTime\":0}", RE_WRONG_TYPE,
		       "null", "$.nodes");
	expect_failure("{\"nodes\":[],\"samples\":{}}", RE_WRONG_TYPE, "{}",
		       "$.samples");
	expect_failure("{\"nodes\":[],\"timeDeltas\":7}", RE_WRONG_TYPE, "7",
		       "$.timeDeltas");
	expect_failure("{\"nodes\":[],\"startTime\":\"0\"}", RE_WRONG_TYPE,
		       "\"0\"", "$.startTime");
	expect_failure("{\"nodes\":[],\"endTime\":[]}", RE_WRONG_TYPE, "[]}",
		       "$.endTime");
}

Test(v8_document, refuses_what_follows_it)
{
	expect_failure(PROFILE " x", RE_TRAILING_DATA, "x", "$");
	expect_failure(PROFILE PROFILE, RE_TRAILING_DATA, PROFILE, "$");
}

/* Every cut of a small profile ends in a typed error, and in the same one in
 * all pieces. */
Test(v8_document, is_truncated_wherever_it_is_cut)
{
	const char *json = "{\"profile\":" PROFILE "}";

	for (size_t len = 1; len < strlen(json); len++) {
		char *text = extract_pieces(span_of(json, len), NULL);

		cr_assert_not_null(strstr(text, "truncated_input"), "%zu: %s",
				   len, text);
		free(text);
	}
}
