#include <criterion/criterion.h>

#include "client/progress_line.h"
#include "tests/unit/client/rendered.h"

static struct progress_view
view_of(const char *json)
{
	struct progress_view view = {.name = span_str("a\nb.cpuprofile")};
	struct document doc;

	parse(&doc, json);
	progress_view_read(&view, doc.root);
	document_free(&doc);
	return view;
}

static const char half[] =
    "{\"state\":\"running\",\"phase\":\"reading\",\"bytes\":1073741824,"
    "\"total\":2147483648,\"nodes\":1000,\"samples\":20,"
    "\"elapsed_ms\":4000}";

Test(progress_line, says_how_far_how_fast_and_how_long)
{
	struct progress_view view = view_of(half);
	struct strbuf sb = {0};

	progress_line_render(&sb, &view, 0, 1, 200);
	assert_text(&sb, "reading  1.0 GiB of 2.0 GiB  256.0 MiB/s  "
			 "5 s left  1000 nodes  20 samples  "
			 "a\\u{a}b.cpuprofile");
}

Test(progress_line, is_cut_to_the_terminal)
{
	struct progress_view view = view_of(half);
	struct strbuf sb = {0};

	progress_line_render(&sb, &view, 2, 5, 24);
	assert_text(&sb, "2/5  reading  1.0 GiB o…");
}

Test(progress_line, a_queued_job_has_no_numbers)
{
	struct progress_view view =
	    view_of("{\"state\":\"queued\",\"phase\":\"reading\",\"bytes\":0,"
		    "\"total\":0,\"nodes\":0,\"samples\":0,\"elapsed_ms\":0}");
	struct strbuf sb = {0};

	progress_line_render(&sb, &view, 0, 1, 80);
	assert_text(&sb, "queued  a\\u{a}b.cpuprofile");
}

Test(progress_line, hostile_words_do_not_reach_the_terminal)
{
	struct progress_view view =
	    view_of("{\"state\":\"\\u001b[2J and much more of it\"}");

	cr_assert_str_eq(view.phase, "_____and_much_m");
}
