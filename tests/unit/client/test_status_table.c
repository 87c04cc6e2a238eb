#include <criterion/criterion.h>

#include "client/status_table.h"
#include "tests/unit/client/rendered.h"

static void
assert_table(const char *text, const char *want)
{
	struct strbuf sb = {0};
	struct document doc;

	parse(&doc, text);
	status_table(&sb, doc.root, 100);
	document_free(&doc);
	assert_text(&sb, want);
}

Test(status_table, counts_of_nothing_are_none)
{
	assert_table("{\"version\":\"1\",\"endpoint\":\"ipc:///x\","
		     "\"uptime_ms\":90100000,\"taking_jobs\":true,"
		     "\"rejected\":{\"door\":0},\"worker_deaths\":{}}",
		     "version   1\n"
		     "endpoint  ipc:///x\n"
		     "uptime    1 day 1 h 1 min 40 s\n"
		     "workers   0 max, 0 warm, 0 starting, 0 busy, 0 stuck\n"
		     "queue     0 max, 0 admitted, 0 queued, 0 interactive, "
		     "0 batch\n"
		     "memory    0 B of 0 B\n"
		     "jobs      0 accepted, 0 refused, 0 ended\n"
		     "rejected  none\n"
		     "deaths    none\n"
		     "front     0 restarts\n");
}

Test(status_table, what_was_counted_is_said)
{
	assert_table(
	    "{\"version\":\"1\",\"endpoint\":\"e\",\"uptime_ms\":0,"
	    "\"taking_jobs\":false,"
	    "\"workers\":{\"max\":2,\"wanted\":8,\"warm\":1},"
	    "\"outcomes\":[{\"outcome\":\"ok\",\"code\":null,"
	    "\"format\":\"v8.cpuprofile\",\"jobs\":3},"
	    "{\"outcome\":\"error\",\"code\":\"CANCELLED\","
	    "\"format\":null,\"jobs\":1}],"
	    "\"rejected\":{\"door\":0,\"queue_full\":4,\"dropped\":1},"
	    "\"worker_deaths\":{\"crashed\":2},"
	    "\"job_seconds\":{\"bounds\":[1],\"counts\":[3,1],\"sum\":6.5},"
	    "\"input_bytes\":{\"bounds\":[1],\"counts\":[0,2],\"sum\":4096},"
	    "\"worker_peak_rss_bytes\":1048576}",
	    "version   1\n"
	    "endpoint  e\n"
	    "uptime    0 s, takes no new jobs\n"
	    "workers   2 max, 1 warm, 0 starting, 0 busy, 0 stuck; 8 were "
	    "asked for\n"
	    "queue     0 max, 0 admitted, 0 queued, 0 interactive, 0 batch\n"
	    "memory    0 B of 0 B\n"
	    "jobs      0 accepted, 0 refused, 0 ended\n"
	    "outcomes  3 ok v8.cpuprofile, 1 CANCELLED\n"
	    "rejected  4 queue_full, 1 dropped\n"
	    "deaths    2 crashed\n"
	    "a job     1.625 s and 2.0 KiB on average\n"
	    "worker    1.0 MiB at most\n"
	    "front     0 restarts\n");
}
