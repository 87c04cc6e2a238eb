/*
 * One reader a key, in a table. Every key may be left out; what is there must
 * be right.
 */
#include "broker/front/options.h"

#include <inttypes.h>
#include <stdio.h>

#include "broker/front/reply.h"

/* A reader gets its key's value and the request to put it into. */
struct reading {
	const struct json_tree *tree;
	const struct request_rules *rules;
	struct request *request;
	struct job *job; /* the request's */
	struct failure *failure;
	bool set[LIMIT_COUNT]; /* limits that the request names */
	bool has_rows;
};

typedef enum status (*option_fn)(struct reading *r, const struct json_node *n);

enum status
value_refuse(struct failure *failure, enum reason reason, const char *path,
	     const char *message)
{
	failure_init(failure, ST_INVALID_REQUEST, reason);
	snprintf(failure->path, sizeof(failure->path), "%s", path);
	if (message != NULL)
		failure_say(failure, "%s: %s", path + 2, message);
	return ST_INVALID_REQUEST;
}

static enum status
bad(struct reading *r, const char *path, const char *message)
{
	return value_refuse(r->failure, RE_BAD_VALUE, path, message);
}

static bool
is_text(const struct json_node *n, size_t max)
{
	return n->kind == JSON_STRING && n->text.len > 0 &&
	       n->text.len <= max &&
	       memchr(n->text.data, '\0', n->text.len) == NULL;
}

/* The position of a string in a list of names; -1: not there. */
static int
one_of(const struct json_node *n, const char *const *names)
{
	for (int i = 0; n->kind == JSON_STRING && names[i] != NULL; i++)
		if (span_is(n->text, names[i]))
			return i;
	return -1;
}

static enum status
read_format(struct reading *r, const struct json_node *n)
{
	if (n->kind != JSON_STRING ||
	    !format_from_name(n->text, &r->job->format))
		return bad(r, "$.options.format", "no such format");
	return ST_OK;
}

static enum status
read_rows(struct reading *r, const struct json_node *n)
{
	int64_t rows;

	if (!json_integer(n, &rows) || rows < 0 || rows > UINT32_MAX)
		return bad(r, "$.options.rows", "must be a number of rows");
	r->job->rows = (uint32_t)rows;
	r->has_rows = true;
	return ST_OK;
}

/* Splits "METRIC[:self|:inclusive]". */
static bool
split_sort(struct span text, struct job *job)
{
	const uint8_t *colon = memchr(text.data, ':', text.len);
	struct span metric = text;

	job->sort_by = SORT_SELF;
	if (colon != NULL) {
		size_t at = (size_t)(colon - text.data);
		struct span key = span_of(colon + 1, text.len - at - 1);

		metric.len = at;
		if (span_is(key, "inclusive"))
			job->sort_by = SORT_INCLUSIVE;
		else if (!span_is(key, "self"))
			return false;
	}
	for (size_t i = 0; i < metric.len; i++) {
		uint8_t c = metric.data[i];

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		      c == '_' || c == '.'))
			return false;
	}
	job->sort_metric = metric;
	return metric.len > 0 && metric.len <= METRIC_NAME_BYTES_MAX;
}

static enum status
read_sort(struct reading *r, const struct json_node *n)
{
	if (n->kind == JSON_NULL)
		return ST_OK;
	if (!is_text(n, 2 * METRIC_NAME_BYTES_MAX) ||
	    !split_sort(n->text, r->job))
		return bad(r, "$.options.sort",
			   "must be METRIC, METRIC:self or METRIC:inclusive");
	return ST_OK;
}

/* One limit by name, between its floor and the service's ceiling. */
static enum status
read_limit(struct reading *r, const struct json_node *n)
{
	char path[FAILURE_PATH_BYTES], message[160];
	enum limit limit;
	uint64_t ceiling, floor;
	int64_t value;

	snprintf(path, sizeof(path), "$.options.limits.%.*s",
		 n->key.len < 64 ? (int)n->key.len : 64,
		 (const char *)n->key.data);
	if (!limit_from_name(n->key, &limit))
		return value_refuse(r->failure, RE_UNKNOWN_KEY,
				    "$.options.limits", "no such limit");
	if (!json_integer(n, &value) || value < 0)
		return bad(r, path, "must be a number");
	ceiling = r->rules->ceilings.of[limit];
	floor = limit_floor(limit);
	snprintf(message, sizeof(message),
		 "must be from %" PRIu64 " to %" PRIu64, floor, ceiling);
	if ((uint64_t)value < floor || (uint64_t)value > ceiling) {
		(void)bad(r, path, message);
		r->failure->limit = limit;
		r->failure->actual = (uint64_t)value;
		r->failure->max = ceiling;
		return ST_INVALID_REQUEST;
	}
	r->job->limits.of[limit] = (uint64_t)value;
	r->set[limit] = true;
	return ST_OK;
}

static enum status
read_limits(struct reading *r, const struct json_node *n)
{
	const struct json_node *m;

	if (n->kind != JSON_OBJECT)
		return bad(r, "$.options.limits", "must be an object");
	for (m = json_tree_first(r->tree, n); m != NULL;
	     m = json_tree_next(r->tree, m))
		TRY(read_limit(r, m));
	return ST_OK;
}

static enum status
read_on_limit(struct reading *r, const struct json_node *n)
{
	static const char *const names[] = {"fail", "truncate", NULL};
	int at = one_of(n, names);

	if (at < 0)
		return bad(r, "$.options.on_limit", "must be fail or truncate");
	r->job->on_limit = (enum on_limit)at;
	return ST_OK;
}

static enum status
read_project_root(struct reading *r, const struct json_node *n)
{
	if (n->kind == JSON_NULL)
		return ST_OK;
	if (!is_text(n, JOB_ROOT_BYTES_MAX))
		return bad(r, "$.options.project_root",
			   "must be a directory's name or null");
	r->job->project_root = n->text;
	return ST_OK;
}

/* ["from", "to"]; to may be empty. */
static bool
read_pair(struct reading *r, const struct json_node *pair)
{
	const struct json_node *from = json_tree_first(r->tree, pair);
	const struct json_node *to;
	struct path_map *map;

	if (pair->kind != JSON_ARRAY || from == NULL)
		return false;
	to = json_tree_next(r->tree, from);
	if (to == NULL || json_tree_next(r->tree, to) != NULL ||
	    r->job->path_maps_len == JOB_PATH_MAPS_MAX ||
	    !is_text(from, JOB_PATH_MAP_BYTES_MAX) || to->kind != JSON_STRING ||
	    (to->text.len > 0 && !is_text(to, JOB_PATH_MAP_BYTES_MAX)))
		return false;
	map = &r->job->path_maps[r->job->path_maps_len++];
	*map = (struct path_map){.from = from->text, .to = to->text};
	return true;
}

static enum status
read_path_map(struct reading *r, const struct json_node *n)
{
	const struct json_node *pair;

	if (n->kind != JSON_ARRAY)
		return bad(r, "$.options.path_map", "must be an array");
	for (pair = json_tree_first(r->tree, n); pair != NULL;
	     pair = json_tree_next(r->tree, pair))
		if (!read_pair(r, pair))
			return bad(r, "$.options.path_map",
				   "must be at most 16 pairs [from, to] of "
				   "at most 512 bytes a side");
	return ST_OK;
}

static enum status
read_digest(struct reading *r, const struct json_node *n)
{
	static const char *const names[] = {"none", "sha256", NULL};
	int at = one_of(n, names);

	if (at < 0)
		return bad(r, "$.options.digest", "must be sha256 or none");
	r->job->digest = at == 1;
	return ST_OK;
}

static enum status
read_sha256(struct reading *r, const struct json_node *n)
{
	const char *path = "$.options.sha256";

	if (n->kind != JSON_STRING || n->text.len != 64)
		return bad(r, path, "must be 64 hexadecimal digits");
	for (size_t i = 0; i < 64; i++) {
		uint8_t c = n->text.data[i];
		uint8_t letter = c | 0x20;
		unsigned digit;

		if (c >= '0' && c <= '9')
			digit = c - (unsigned)'0';
		else if (letter >= 'a' && letter <= 'f')
			digit = letter - (unsigned)'a' + 10;
		else
			return bad(r, path, "must be 64 hexadecimal digits");
		r->job->sha256[i / 2] =
		    (uint8_t)(r->job->sha256[i / 2] << 4 | digit);
	}
	r->job->has_sha256 = true;
	return ST_OK;
}

static enum status
read_strict(struct reading *r, const struct json_node *n)
{
	if (n->kind != JSON_BOOL)
		return bad(r, "$.options.strict", "must be true or false");
	r->job->strict = n->truth;
	return ST_OK;
}

static enum status
read_parser(struct reading *r, const struct json_node *n)
{
	static const char *const names[] = {"lanes", "yajl", NULL};
	int at = one_of(n, names);

	if (at < 0)
		return bad(r, "$.options.parser", "must be lanes or yajl");
	r->job->parser = (enum parser)at;
	return ST_OK;
}

static enum status
read_class(struct reading *r, const struct json_node *n)
{
	if (n->kind != JSON_STRING ||
	    !job_class_from_name(n->text, &r->request->class))
		return bad(r, "$.options.class",
			   "must be interactive or batch");
	return ST_OK;
}

static enum status
read_detach(struct reading *r, const struct json_node *n)
{
	if (n->kind != JSON_BOOL)
		return bad(r, "$.options.detach", "must be true or false");
	r->request->detach = n->truth;
	return ST_OK;
}

static const struct {
	const char *key;
	option_fn read;
} options_table[] = {
    {"format", read_format},	 {"rows", read_rows},
    {"sort", read_sort},	 {"limits", read_limits},
    {"on_limit", read_on_limit}, {"project_root", read_project_root},
    {"path_map", read_path_map}, {"digest", read_digest},
    {"sha256", read_sha256},	 {"strict", read_strict},
    {"parser", read_parser},	 {"class", read_class},
    {"detach", read_detach},
};

static enum status
read_option(struct reading *r, const struct json_node *n)
{
	for (size_t i = 0; i < sizeof(options_table) / sizeof(options_table[0]);
	     i++)
		if (span_is(n->key, options_table[i].key))
			return options_table[i].read(r, n);
	(void)value_refuse(r->failure, RE_UNKNOWN_KEY, "$.options", NULL);
	failure_say(r->failure, "options.%.*s: no such option",
		    n->key.len < 64 ? (int)n->key.len : 64,
		    (const char *)n->key.data);
	return ST_INVALID_REQUEST;
}

/*
 * Limits that follow others unless the request names them: max_rows follows
 * rows, as a client that asks for N rows means it; max_json_depth follows
 * max_depth, since each node of a tree nests twice in some writers' files.
 */
static enum status
settle_limits(struct reading *r)
{
	uint64_t *of = r->job->limits.of;
	uint64_t most = r->rules->ceilings.of[LIMIT_MAX_ROWS];
	uint64_t deepest = r->rules->ceilings.of[LIMIT_MAX_JSON_DEPTH];

	if (!r->has_rows && r->job->rows > of[LIMIT_MAX_ROWS])
		r->job->rows = (uint32_t)of[LIMIT_MAX_ROWS];
	if (!r->set[LIMIT_MAX_ROWS] && r->job->rows <= most &&
	    r->job->rows > of[LIMIT_MAX_ROWS])
		of[LIMIT_MAX_ROWS] = r->job->rows;
	if (r->job->rows > of[LIMIT_MAX_ROWS]) {
		(void)bad(r, "$.options.rows", "more than max_rows");
		r->failure->limit = LIMIT_MAX_ROWS;
		r->failure->actual = r->job->rows;
		r->failure->max = of[LIMIT_MAX_ROWS];
		return ST_INVALID_REQUEST;
	}
	if (r->set[LIMIT_MAX_DEPTH] && !r->set[LIMIT_MAX_JSON_DEPTH]) {
		uint64_t depth = 2 * of[LIMIT_MAX_DEPTH] + 64;

		of[LIMIT_MAX_JSON_DEPTH] = depth < deepest ? depth : deepest;
	}
	return ST_OK;
}

enum status
options_read(const struct json_tree *tree, const struct json_node *options,
	     const struct request_rules *rules, struct request *request,
	     struct failure *failure)
{
	struct job *job = &request->job;
	struct reading r = {.tree = tree,
			    .rules = rules,
			    .request = request,
			    .job = job,
			    .failure = failure};
	const struct json_node *n;

	if (options != NULL && options->kind != JSON_OBJECT)
		return bad(&r, "$.options", "must be an object");
	for (n = options == NULL ? NULL : json_tree_first(tree, options);
	     n != NULL; n = json_tree_next(tree, n))
		TRY(read_option(&r, n));
	TRY(settle_limits(&r));
	if (job->has_sha256 && !job->digest)
		return bad(&r, "$.options.sha256", "needs digest sha256");
	if (answer_json_size(job) > job->limits.of[LIMIT_MAX_RESULT_BYTES])
		return bad(&r, "$.options.limits.max_result_bytes",
			   "too small for the name, root and path maps that "
			   "the result repeats");
	return ST_OK;
}
