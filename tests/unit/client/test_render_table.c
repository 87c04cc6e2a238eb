/*
 * Whole tables, compared with text that was checked by hand.
 */
#include <criterion/criterion.h>

#include "client/escape.h"
#include "client/render.h"
#include "tests/unit/client/profile_fixture.h"
#include "tests/unit/client/rendered.h"

static void
render_rows(struct strbuf *sb, const char *json, size_t width, uint64_t rows,
	    bool color)
{
	struct table_style style = {.width = width,
				    .rows = rows,
				    .color = color};
	struct document doc;

	parse(&doc, json);
	render_table(sb, doc.root, &style);
	document_free(&doc);
}

static void
render(struct strbuf *sb, const char *json, size_t width, bool color)
{
	render_rows(sb, json, width, UINT64_MAX, color);
}

static void
assert_table(const char *json, size_t width, const char *want)
{
	struct strbuf sb = {0};

	render(&sb, json, width, false);
	assert_text(&sb, want);
}

static const char at_40[] = "my app.cpuprofile  v8.cpuprofile\n"
			    "  node 20.20.2\n"
			    "wall.time  total 464.7 ms\n"
			    "  active 120.0 ms  idle 74.2% of total\n"
			    "  gc ≤1.7%  program ≤1.7%\n"
			    "12 nodes  1 sample  9 frames\n"
			    "  7 levels deep\n"
			    "\n"
			    "SELF ms      %    FUNCTION\n"
			    "  344.7      -  * (idle)\n"
			    "   84.0  70.0%    parse\n"
			    "   20.0  16.7%    a\\u{202e}b\n"
			    "    8.0   6.7%    (anonymous)\n"
			    "    2.0   1.7%    读取文件AndThenSometh…\n"
			    "    0.0   0.0%  * (root)\n"
			    "    6.0   5.0%    (3 more, not listed)\n"
			    "\n"
			    "* a state of the VM, not a function\n"
			    "note: Times are elapsed time, waiting\n"
			    "      included; V8 profiles hold no\n"
			    "      processor time.\n";

Test(render_table, a_narrow_terminal_keeps_self_and_function)
{
	assert_table(profile_fixture, 40, at_40);
}

static const char at_60[] =
    "my app.cpuprofile  v8.cpuprofile  node 20.20.2\n"
    "wall.time  total 464.7 ms  active 120.0 ms\n"
    "  idle 74.2% of total  gc ≤1.7%  program ≤1.7%\n"
    "12 nodes  1 sample  9 frames  7 levels deep\n"
    "\n"
    "SELF ms      %  INCL ms    FUNCTION         LOCATION\n"
    "  344.7      -    344.7  * (idle)\n"
    "   84.0  70.0%    100.0    parse            src/parse.js"
    ":12\n"
    "   20.0  16.7%     20.0    a\\u{202e}b       …/lib/index"
    ".js:7\n"
    "    8.0   6.7%      8.0    (anonymous)      script 83\n"
    "    2.0   1.7%     90.0    读取文件AndThe…  …/stream.ts:1234\n"
    "    0.0   0.0%    464.7  * (root)\n"
    "    6.0   5.0%             (3 more, not listed)\n"
    "\n"
    "* a state of the VM, not a function\n"
    "note: Times are elapsed time, waiting included; V8 profi"
    "les\n"
    "      hold no processor time.\n";

Test(render_table, at_60_columns_the_inclusive_share_is_left_out)
{
	assert_table(profile_fixture, 60, at_60);
}

static const char at_80[] =
    "my app.cpuprofile  v8.cpuprofile  node 20.20.2\n"
    "wall.time  total 464.7 ms  active 120.0 ms  idle 74.2% o"
    "f total  gc ≤1.7%\n"
    "  program ≤1.7%\n"
    "12 nodes  1 sample  9 frames  7 levels deep\n"
    "\n"
    "SELF ms      %  INCL ms      %    FUNCTION              "
    "  LOCATION\n"
    "  344.7      -    344.7      -  * (idle)\n"
    "   84.0  70.0%    100.0  83.3%    parse                 "
    "  src/parse.js:12\n"
    "   20.0  16.7%     20.0  16.7%    a\\u{202e}b           "
    "   …ft-pad/lib/index.js:7\n"
    "    8.0   6.7%      8.0   6.7%    (anonymous)           "
    "  script 83\n"
    "    2.0   1.7%     90.0  75.0%    读取文件AndThenSometh…  …r"
    "eader/stream.ts:1234\n"
    "    0.0   0.0%    464.7      -  * (root)\n"
    "    6.0   5.0%                    (3 more, not listed)\n"
    "\n"
    "* a state of the VM, not a function\n"
    "note: Times are elapsed time, waiting included; V8 profi"
    "les hold no processor\n"
    "      time.\n";

Test(render_table, at_80_columns_long_places_lose_their_beginning)
{
	assert_table(profile_fixture, 80, at_80);
}

static const char at_120[] =
    "my app.cpuprofile  v8.cpuprofile  node 20.20.2\n"
    "wall.time  total 464.7 ms  active 120.0 ms  idle 74.2% o"
    "f total  gc ≤1.7%  program ≤1.7%\n"
    "12 nodes  1 sample  9 frames  7 levels deep\n"
    "\n"
    "SELF ms      %  INCL ms      %    FUNCTION              "
    "    LOCATION\n"
    "  344.7      -    344.7      -  * (idle)\n"
    "   84.0  70.0%    100.0  83.3%    parse                 "
    "    src/parse.js:12\n"
    "   20.0  16.7%     20.0  16.7%    a\\u{202e}b           "
    "     node_modules/left-pad/lib/index.js:7\n"
    "    8.0   6.7%      8.0   6.7%    (anonymous)           "
    "    script 83\n"
    "    2.0   1.7%     90.0  75.0%    读取文件AndThenSomething  "
    "packages/core/src/input/reader/stream.ts:1234\n"
    "    0.0   0.0%    464.7      -  * (root)\n"
    "    6.0   5.0%                    (3 more, not listed)\n"
    "\n"
    "* a state of the VM, not a function\n"
    "note: Times are elapsed time, waiting included; V8 profi"
    "les hold no processor time.\n";

Test(render_table, at_120_columns_everything_fits)
{
	assert_table(profile_fixture, 120, at_120);
}

Test(render_table, a_wider_terminal_changes_nothing)
{
	assert_table(profile_fixture, 200, at_120);
}

static const char empty[] = "x\\u{a}\\u{1b}[31m.heapprofile\n"
			    "  v8.heapprofile  partial\n"
			    "memory.self_size  total 0 B\n"
			    "1 node\n";

static const char three_rows[] =
    "my app.cpuprofile  v8.cpuprofile  node 20.20.2\n"
    "wall.time  total 464.7 ms  active 120.0 ms  idle 74.2% o"
    "f total  gc ≤1.7%\n"
    "  program ≤1.7%\n"
    "12 nodes  1 sample  9 frames  7 levels deep\n"
    "\n"
    "SELF ms      %  INCL ms      %    FUNCTION            "
    "  LOCATION\n"
    "  344.7      -    344.7      -  * (idle)\n"
    "   84.0  70.0%    100.0  83.3%    parse               "
    "  src/parse.js:12\n"
    "    0.0   0.0%    464.7      -  * (root)\n"
    "   36.0  30.0%                    (6 more, not listed)\n"
    "\n"
    "* a state of the VM, not a function\n"
    "note: Times are elapsed time, waiting included; V8 profi"
    "les hold no processor\n"
    "      time.\n";

/* idle by self, root by inclusive, parse by self; what is known of the others
 * still bounds the states of the VM */
Test(render_table, rows_that_are_listed_are_taken_in_turn)
{
	struct strbuf sb = {0};

	render_rows(&sb, profile_fixture, 80, 3, false);
	assert_text(&sb, three_rows);
}

Test(render_table, no_rows_leave_the_head)
{
	struct strbuf sb = {0};

	render_rows(&sb, profile_fixture, 120, 0, false);
	assert_text(&sb,
		    "my app.cpuprofile  v8.cpuprofile  node 20.20.2\n"
		    "wall.time  total 464.7 ms  active 120.0 ms  idle 74.2% o"
		    "f total  gc ≤1.7%  program ≤1.7%\n"
		    "12 nodes  1 sample  9 frames  7 levels deep\n"
		    "\n"
		    "note: Times are elapsed time, waiting included; V8 profi"
		    "les hold no processor time.\n");
}

Test(render_table, a_profile_without_rows_says_what_it_is)
{
	assert_table(empty_fixture, 40, empty);
}

Test(render_table, no_line_is_wider_than_asked)
{
	for (size_t width = 40; width <= 130; width++) {
		struct strbuf sb = {0};
		struct span rest;

		render(&sb, profile_fixture, width, false);
		rest = strbuf_span(&sb);
		while (rest.len > 0) {
			const uint8_t *end = memchr(rest.data, '\n', rest.len);
			size_t len = (size_t)(end - rest.data);

			cr_assert_leq(escape_width(span_of(rest.data, len)),
				      width);
			rest = span_of(end + 1, rest.len - len - 1);
		}
		strbuf_free(&sb);
	}
}

Test(render_table, colour_adds_only_escapes)
{
	struct strbuf plain = {0}, colored = {0}, stripped = {0};

	render(&plain, profile_fixture, 100, false);
	render(&colored, profile_fixture, 100, true);
	for (size_t i = 0; i < colored.len; i++) {
		if (colored.data[i] != 0x1b) {
			strbuf_put(&stripped, span_of(&colored.data[i], 1));
			continue;
		}
		while (colored.data[i] != 'm')
			i++;
	}
	cr_assert_gt(colored.len, plain.len);
	cr_assert(span_equal(strbuf_span(&plain), strbuf_span(&stripped)));
	strbuf_free(&plain);
	strbuf_free(&colored);
	strbuf_free(&stripped);
}

Test(render_table, an_order_that_was_asked_for_is_kept)
{
	static const char json[] =
	    "{\"kind\":\"memory_profile\","
	    "\"artifact\":{\"name\":\"h\"},"
	    "\"options\":{\"sort\":\"memory.samples:inclusive\"},"
	    "\"metrics\":["
	    "{\"name\":\"memory.self_size\",\"unit\":\"bytes\","
	    "\"total\":9,\"active\":9},"
	    "{\"name\":\"memory.samples\",\"unit\":\"count\","
	    "\"total\":3,\"active\":3}],"
	    "\"rows\":["
	    "{\"function\":\"a\",\"values\":{\"memory.samples\":"
	    "{\"self\":1,\"inclusive\":3}}},"
	    "{\"function\":\"b\",\"values\":{\"memory.samples\":"
	    "{\"self\":2,\"inclusive\":2}}}],"
	    "\"other\":{\"rows\":0,\"values\":{}}}";

	assert_table(json, 80,
		     "h\n"
		     "memory.samples  total 3\n"
		     "\n"
		     "SELF      %  INCL       %    FUNCTION\n"
		     "   1  33.3%     3  100.0%    a\n"
		     "   2  66.7%     2   66.7%    b\n");
}

Test(render_table, an_order_that_was_asked_for_is_cut_at_its_end)
{
	static const char json[] =
	    "{\"kind\":\"memory_profile\","
	    "\"artifact\":{\"name\":\"h\"},"
	    "\"options\":{\"sort\":\"memory.samples:inclusive\"},"
	    "\"metrics\":["
	    "{\"name\":\"memory.samples\",\"unit\":\"count\","
	    "\"total\":3,\"active\":3}],"
	    "\"rows\":["
	    "{\"function\":\"a\",\"values\":{\"memory.samples\":"
	    "{\"self\":1,\"inclusive\":3}}},"
	    "{\"function\":\"b\",\"values\":{\"memory.samples\":"
	    "{\"self\":2,\"inclusive\":2}}}],"
	    "\"other\":{\"rows\":0,\"values\":{}}}";
	struct strbuf sb = {0};

	render_rows(&sb, json, 80, 1, false);
	assert_text(&sb, "h\n"
			 "memory.samples  total 3\n"
			 "\n"
			 "SELF      %  INCL       %    FUNCTION\n"
			 "   1  33.3%     3  100.0%    a\n"
			 "   2  66.7%                  (1 more, not listed)\n");
}
