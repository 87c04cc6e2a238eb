/*
 * What is advised: commands that can be copied, and nothing that would not
 * help.
 */
#include <criterion/criterion.h>

#include "broker/front/error_reply.h"
#include "broker/front/remedy.h"

TestSuite(remedy);

static struct outbox o;

/* The JSON array for a failure of an artifact of that name. */
static const char *
advice(const struct failure *failure, const char *name)
{
	struct about about = {.has_name = true, .name = span_str(name)};

	outbox_fini(&o);
	outbox_init(&o, ERROR_BYTES_MAX);
	remedy_put(&o, failure, &about);
	outbox_put(&o, span_of("", 1));
	return (const char *)o.data;
}

static void
expect_command(const struct failure *failure, const char *name,
	       const char *command)
{
	cr_expect_not_null(strstr(advice(failure, name), command),
			   "%s is not in %s", command, advice(failure, name));
}

Test(remedy, a_limit_is_doubled_to_a_round_number)
{
	static const struct {
		enum limit limit;
		uint64_t actual, max;
		const char *value;
	} limits[] = {
	    {LIMIT_MAX_NODES, 20000001, 20000000, "max_nodes=40M "},
	    {LIMIT_MAX_NODES, 90000000, 20000000, "max_nodes=90M "},
	    {LIMIT_MAX_NODES, 700000001, 700000000, "max_nodes=1000000000 "},
	    {LIMIT_MAX_DEPTH, 200001, 200000, "max_depth=400K "},
	    {LIMIT_MAX_JSON_DEPTH, 400065, 400064, "max_json_depth=801K "},
	    {LIMIT_MAX_TOKEN_BYTES, 1048577, 1048576, "max_token_bytes=2M "},
	    {LIMIT_MAX_INPUT_BYTES, 0, 64 * GIB, "max_input_bytes=128G "},
	    {LIMIT_MEMORY_BYTES, 0, GIB, "memory_bytes=2G "},
	    {LIMIT_MAX_NODES, 2, 1, "max_nodes=2 "},
	    {LIMIT_WALL_SECONDS, 7201, 7200, "wall_seconds=14400 "},
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct failure failure;

		failure_of_limit(&failure, limits[i].limit, limits[i].actual,
				 limits[i].max);
		expect_command(&failure, "a", limits[i].value);
	}
	outbox_fini(&o);
}

Test(remedy, a_limit_at_the_ceiling_is_not_raised)
{
	struct failure failure;

	failure_of_limit(&failure, LIMIT_MAX_NODES, 1000000001, 1000000000);
	expect_command(&failure, "a", "\"command\":null");
	outbox_fini(&o);
}

Test(remedy, names_are_quoted_for_a_shell)
{
	struct failure failure;

	failure_init(&failure, ST_BUSY, RE_NONE);
	expect_command(&failure, "a/b-1.c", "submit a/b-1.c\"");
	expect_command(&failure, "-rf", "submit ./-rf\"");
	expect_command(&failure, "-", "submit -\"");
	expect_command(&failure, "a b", "submit 'a b'\"");
	expect_command(&failure, "-a b", "submit ./'-a b'\"");
	expect_command(&failure, "a'b", "submit 'a'\\\\''b'\"");
	expect_command(&failure, "$(x)", "submit '$(x)'\"");
	expect_command(&failure, "\xc3\xa9", "submit '\xc3\xa9'\"");
	expect_command(&failure, "a\nb", "submit FILE\"");
	expect_command(&failure, "", "submit FILE\"");
	outbox_fini(&o);
}

Test(remedy, the_longest_name_of_quotes_fits)
{
	struct failure failure;
	char name[202];

	memset(name, '\'', sizeof(name));
	name[200] = '\0';
	failure_init(&failure, ST_BUSY, RE_NONE);
	expect_command(&failure, name, "''\"}]");
	name[200] = '\'';
	name[201] = '\0';
	expect_command(&failure, name, "submit FILE\"");
	outbox_fini(&o);
}

Test(remedy, a_reason_of_its_own_goes_before_any)
{
	struct failure failure;

	failure_init(&failure, ST_UNSUPPORTED_FORMAT, RE_UNSUPPORTED_ENCODING);
	expect_command(&failure, "a", "iconv -f UTF-16 -t UTF-8 a | ");
	failure_init(&failure, ST_UNSUPPORTED_FORMAT, RE_KNOWN_FORMAT);
	expect_command(&failure, "a", "\"action\":\"convert\"");
	failure_init(&failure, ST_CANCELLED, RE_BY_CLIENT);
	cr_expect_str_eq(advice(&failure, "a"), "[]");
	failure_init(&failure, ST_WORKER_CRASHED, RE_NONE);
	cr_expect_str_eq(advice(&failure, "a"), "[]");
	outbox_fini(&o);
}

Test(remedy, too_many_samples_can_also_be_cut)
{
	struct failure failure;

	failure_of_limit(&failure, LIMIT_MAX_SAMPLES, 11, 10);
	expect_command(&failure, "a", "--limit max_samples=20 a");
	expect_command(&failure, "a", "--on-limit truncate a");
	outbox_fini(&o);
}
