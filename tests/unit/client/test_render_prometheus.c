#include <criterion/criterion.h>

#include "client/render_prometheus.h"
#include "tests/unit/client/rendered.h"

#define UP                                                  \
	"# HELP extractd_up Whether the service answers.\n" \
	"# TYPE extractd_up gauge\n"                        \
	"extractd_up 1\n"                                   \
	"# HELP extractd_info The service's version.\n"     \
	"# TYPE extractd_info gauge\n"
#define LAYERS                                                  \
	"# HELP extractd_sandbox_layer Whether a layer of the " \
	"sandbox is in force.\n"                                \
	"# TYPE extractd_sandbox_layer gauge\n"

static void
assert_metrics(const char *text, const char *want)
{
	struct strbuf sb = {0};
	struct document doc;

	parse(&doc, text);
	render_prometheus(&sb, doc.root);
	document_free(&doc);
	assert_text(&sb, want);
}

Test(render_prometheus, what_is_not_known_is_left_out)
{
	assert_metrics("{\"version\":\"1.2\"}",
		       UP "extractd_info{version=\"1.2\"} 1\n" LAYERS);
}

Test(render_prometheus, labels_are_escaped)
{
	assert_metrics("{\"version\":\"a\\\"b\\\\c\\nd\"}", UP
		       "extractd_info{version=\"a\\\"b\\\\c\\nd\"} 1\n" LAYERS);
}

Test(render_prometheus, buckets_add_up)
{
	assert_metrics(
	    "{\"version\":\"1\",\"job_seconds\":{\"bounds\":[0.01,1],"
	    "\"counts\":[3,0,2],\"sum\":12.500250}}",
	    UP "extractd_info{version=\"1\"} 1\n"
	       "# HELP extractd_job_seconds Time of a job, from its "
	       "submission to its end.\n"
	       "# TYPE extractd_job_seconds histogram\n"
	       "extractd_job_seconds_bucket{le=\"0.01\"} 3\n"
	       "extractd_job_seconds_bucket{le=\"1\"} 3\n"
	       "extractd_job_seconds_bucket{le=\"+Inf\"} 5\n"
	       "extractd_job_seconds_sum 12.500250\n"
	       "extractd_job_seconds_count 5\n" LAYERS);
}

Test(render_prometheus, a_histogram_of_another_shape_is_left_out)
{
	assert_metrics("{\"version\":\"1\",\"job_seconds\":{\"bounds\":[1],"
		       "\"counts\":[3],\"sum\":1}}",
		       UP "extractd_info{version=\"1\"} 1\n" LAYERS);
	assert_metrics("{\"version\":\"1\",\"job_seconds\":{\"bounds\":[\"1\"],"
		       "\"counts\":[3,1],\"sum\":1}}",
		       UP "extractd_info{version=\"1\"} 1\n" LAYERS);
}

Test(render_prometheus, outcomes_have_three_labels)
{
	assert_metrics(
	    "{\"version\":\"1\",\"outcomes\":[{\"outcome\":\"ok\","
	    "\"code\":null,\"format\":\"v8.cpuprofile\",\"jobs\":7}],"
	    "\"sandbox\":[\"seccomp\"],\"sandbox_missing\":[\"room\"]}",
	    UP "extractd_info{version=\"1\"} 1\n"
	       "# HELP extractd_jobs_total Jobs that have ended, by what "
	       "their client was told.\n"
	       "# TYPE extractd_jobs_total counter\n"
	       "extractd_jobs_total{outcome=\"ok\",code=\"unknown\","
	       "format=\"v8.cpuprofile\"} 7\n" LAYERS
	       "extractd_sandbox_layer{layer=\"room\"} 0\n"
	       "extractd_sandbox_layer{layer=\"seccomp\"} 1\n");
}

Test(render_prometheus, no_service_is_one_metric)
{
	struct strbuf sb = {0};

	render_prometheus_down(&sb);
	assert_text(&sb, "# HELP extractd_up Whether the service answers.\n"
			 "# TYPE extractd_up gauge\n"
			 "extractd_up 0\n");
}
