/*
 * Which keys an operation takes is one table; the values of a submit are read
 * by options.c.
 */
#include "broker/front/request.h"

#include <inttypes.h>
#include <stdio.h>

#include "broker/front/options.h"

enum key {
	KEY_OP = 1,
	KEY_ID = 2,
	KEY_NAME = 4,
	KEY_OPTIONS = 8,
	KEY_JOB = 16,
	KEY_WAIT = 32,
	KEY_PROGRESS = 64,
};

static const struct {
	const char *name;
	enum key bit;
} keys_table[] = {
    {"op", KEY_OP},
    {"id", KEY_ID},
    {"name", KEY_NAME},
    {"options", KEY_OPTIONS},
    {"job", KEY_JOB},
    {"wait", KEY_WAIT},
    {"progress", KEY_PROGRESS},
};

/* Keys that an operation takes beside op and id, and those it needs. */
static const struct {
	const char *name;
	unsigned takes, needs;
} ops_table[OP_COUNT] = {
    [OP_SUBMIT] = {"submit", KEY_NAME | KEY_OPTIONS, KEY_NAME},
    [OP_RESULT] = {"result", KEY_JOB | KEY_WAIT | KEY_PROGRESS, KEY_JOB},
    [OP_ACK] = {"ack", KEY_JOB, KEY_JOB},
    [OP_CANCEL] = {"cancel", KEY_JOB, KEY_JOB},
    [OP_STATUS] = {"status", 0, 0},
    [OP_FORMATS] = {"formats", 0, 0},
    [OP_LIMITS] = {"limits", 0, 0},
    [OP_JOBS] = {"jobs", 0, 0},
    [OP_VERSION] = {"version", 0, 0},
};

void
job_id_write(uint64_t id, char *out)
{
	snprintf(out, JOB_ID_TEXT_BYTES + 1, "j-%016" PRIx64, id);
}

bool
job_id_read(struct span text, uint64_t *id_out)
{
	uint64_t id = 0;

	if (text.len != JOB_ID_TEXT_BYTES || !span_starts(text, "j-"))
		return false;
	for (size_t i = 2; i < text.len; i++) {
		uint8_t c = text.data[i];

		if (c >= '0' && c <= '9')
			id = id << 4 | (c - (unsigned)'0');
		else if (c >= 'a' && c <= 'f')
			id = id << 4 | (c - (unsigned)'a' + 10);
		else
			return false;
	}
	*id_out = id;
	return true;
}

static enum status
read_id(const struct json_node *n, struct request *request,
	struct failure *failure)
{
	if (n == NULL)
		return ST_OK;
	if (n->kind != JSON_STRING || n->text.len > REQUEST_ID_BYTES_MAX)
		return value_refuse(failure, RE_BAD_VALUE, "$.id",
				    "must be a string of at most 64 bytes");
	request->has_id = true;
	request->id = n->text;
	return ST_OK;
}

static enum status
read_op(const struct json_node *n, struct request *request,
	struct failure *failure)
{
	for (unsigned i = 0;
	     n != NULL && n->kind == JSON_STRING && i < OP_COUNT; i++) {
		if (span_is(n->text, ops_table[i].name)) {
			request->op = (enum op)i;
			return ST_OK;
		}
	}
	return value_refuse(failure, RE_BAD_VALUE, "$.op",
			    n == NULL ? "missing" : "no such operation");
}

/* Every key must be one that the operation takes, and none it needs may be
 * missing. */
static enum status
check_keys(const struct json_tree *tree, enum op op, struct failure *failure)
{
	unsigned takes = ops_table[op].takes | KEY_OP | KEY_ID, seen = 0;
	size_t count = sizeof(keys_table) / sizeof(keys_table[0]);
	const struct json_node *n;

	for (n = json_tree_first(tree, &tree->nodes[0]); n != NULL;
	     n = json_tree_next(tree, n)) {
		unsigned bit = 0;

		for (size_t i = 0; i < count; i++)
			if (span_is(n->key, keys_table[i].name))
				bit = keys_table[i].bit;
		if ((bit & takes) == 0) {
			failure_init(failure, ST_INVALID_REQUEST,
				     RE_UNKNOWN_KEY);
			failure_say(failure, "%.*s: not a key of %s",
				    n->key.len < 64 ? (int)n->key.len : 64,
				    (const char *)n->key.data,
				    ops_table[op].name);
			return ST_INVALID_REQUEST;
		}
		seen |= bit;
	}
	for (size_t i = 0; i < count; i++) {
		if ((keys_table[i].bit & ops_table[op].needs & ~seen) != 0) {
			failure_init(failure, ST_INVALID_REQUEST, RE_BAD_VALUE);
			failure_say(failure, "%s: missing", keys_table[i].name);
			return ST_INVALID_REQUEST;
		}
	}
	return ST_OK;
}

static enum status
read_flag(const struct json_tree *tree, const char *key, const char *path,
	  bool *flag, struct failure *failure)
{
	const struct json_node *n = json_tree_find(tree, &tree->nodes[0], key);

	if (n == NULL)
		return ST_OK;
	if (n->kind != JSON_BOOL)
		return value_refuse(failure, RE_BAD_VALUE, path,
				    "must be true or false");
	*flag = n->truth;
	return ST_OK;
}

static enum status
read_submit(const struct json_tree *tree, const struct request_rules *rules,
	    struct request *request, struct failure *failure)
{
	const struct json_node *root = &tree->nodes[0];
	const struct json_node *name = json_tree_find(tree, root, "name");
	struct job *job = &request->job;

	job_init(job);
	job->limits = rules->defaults;
	if (name->kind != JSON_STRING || name->text.len > JOB_NAME_BYTES_MAX ||
	    (name->text.len > 0 &&
	     memchr(name->text.data, '\0', name->text.len) != NULL))
		return value_refuse(failure, RE_BAD_VALUE, "$.name",
				    "must be a file's name, at most 4096 "
				    "bytes");
	job->name = name->text;
	return options_read(tree, json_tree_find(tree, root, "options"), rules,
			    request, failure);
}

enum status
request_read(struct json_tree *tree, struct span text,
	     const struct request_rules *rules, struct request *request_out,
	     struct failure *failure_out)
{
	struct request *r = request_out;
	const struct json_node *root = &tree->nodes[0];
	const struct json_node *job;

	*r = (struct request){.wait = true};
	TRY(json_tree_read(tree, text, failure_out));
	if (root->kind != JSON_OBJECT) {
		failure_init(failure_out, ST_INVALID_REQUEST, RE_BAD_VALUE);
		failure_say(failure_out, "a request is an object");
		return ST_INVALID_REQUEST;
	}
	TRY(read_id(json_tree_find(tree, root, "id"), r, failure_out));
	TRY(read_op(json_tree_find(tree, root, "op"), r, failure_out));
	TRY(check_keys(tree, r->op, failure_out));
	TRY(read_flag(tree, "wait", "$.wait", &r->wait, failure_out));
	TRY(read_flag(tree, "progress", "$.progress", &r->progress,
		      failure_out));
	job = json_tree_find(tree, root, "job");
	if (job != NULL &&
	    (job->kind != JSON_STRING || !job_id_read(job->text, &r->job_id)))
		return value_refuse(failure_out, RE_BAD_VALUE, "$.job",
				    "must be j- and 16 hexadecimal digits");
	if (r->op == OP_SUBMIT)
		return read_submit(tree, rules, r, failure_out);
	return ST_OK;
}
