#include <criterion/criterion.h>

#include "client/asking.h"
#include "tests/unit/client/rendered.h"

static void
assert_submit(const struct wishes *wishes, const char *name,
	      const char *want_options)
{
	struct strbuf sb = {0}, want = {0};

	asking_submit(&sb, "0.1", span_str(name), wishes);
	strbuf_printf(&want,
		      "{\"op\":\"submit\",\"id\":\"0.1\",\"name\":\"%s\","
		      "\"options\":%s}",
		      name, want_options);
	strbuf_put(&want, span_of("", 1));
	assert_text(&sb, (const char *)want.data);
	strbuf_free(&want);
}

Test(asking, nothing_said_leaves_all_to_the_service)
{
	struct wishes wishes = {0};

	assert_submit(&wishes, "a.cpuprofile", "{}");
}

Test(asking, everything_said_is_asked_for)
{
	struct wishes wishes = {
	    .format = "v8.cpuprofile",
	    .has_rows = true,
	    .rows = 50,
	    .sort = "wall.time:self",
	    .has_limit[LIMIT_MAX_NODES] = true,
	    .limits[LIMIT_MAX_NODES] = 40000000,
	    .on_limit = "truncate",
	    .project_root = "/srv/\"app",
	    .path_maps = {{span_str("/a"), span_str("/b")},
			  {span_str("c"), span_str("")}},
	    .path_maps_len = 2,
	    .digest = "none",
	    .sha256 = "00",
	    .strict = true,
	    .parser = "yajl",
	    .class = "batch",
	    .detach = true,
	};

	assert_submit(&wishes, "a",
		      "{\"format\":\"v8.cpuprofile\",\"rows\":50,"
		      "\"sort\":\"wall.time:self\","
		      "\"limits\":{\"max_nodes\":40000000},"
		      "\"on_limit\":\"truncate\","
		      "\"project_root\":\"/srv/\\\"app\","
		      "\"path_map\":[[\"/a\",\"/b\"],[\"c\",\"\"]],"
		      "\"digest\":\"none\",\"sha256\":\"00\","
		      "\"strict\":true,\"parser\":\"yajl\","
		      "\"class\":\"batch\",\"detach\":true}");
}

Test(asking, many_rows_raise_their_limit)
{
	struct wishes wishes = {.has_rows = true, .rows = 5000};

	assert_submit(&wishes, "a",
		      "{\"rows\":5000,\"limits\":{\"max_rows\":5000}}");
}

Test(asking, a_limit_that_was_named_is_left_alone)
{
	struct wishes wishes = {.has_rows = true,
				.rows = 5000,
				.has_limit[LIMIT_MAX_ROWS] = true,
				.limits[LIMIT_MAX_ROWS] = 10};

	assert_submit(&wishes, "a",
		      "{\"rows\":5000,\"limits\":{\"max_rows\":10}}");
}

Test(asking, a_name_is_valid_utf8_and_not_too_long)
{
	struct wishes wishes = {0};
	struct strbuf sb = {0};
	char name[8000];

	memset(name, 'x', sizeof(name));
	memcpy(name + sizeof(name) - 3, "\xff\n\"", 3);
	asking_submit(&sb, "1", span_of(name, sizeof(name)), &wishes);
	cr_assert_lt(sb.len, JOB_NAME_BYTES_MAX);
	strbuf_put(&sb, span_of("", 1));
	cr_assert_not_null(strstr((char *)sb.data, "x\ufffd\\n\\\"\""));
	strbuf_free(&sb);
}

Test(asking, the_other_requests_are_short)
{
	struct strbuf sb = {0};

	asking_result(&sb, "1", "j-1", true, false);
	assert_text(&sb, "{\"op\":\"result\",\"id\":\"1\",\"job\":\"j-1\","
			 "\"wait\":true,\"progress\":false}");
	asking_job(&sb, "ack", "a", "j-1");
	assert_text(&sb, "{\"op\":\"ack\",\"id\":\"a\",\"job\":\"j-1\"}");
	asking_plain(&sb, "limits", "l");
	assert_text(&sb, "{\"op\":\"limits\",\"id\":\"l\"}");
}
