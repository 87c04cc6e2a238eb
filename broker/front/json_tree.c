/*
 * Two passes. The first looks at the raw bytes for what yajl lets pass; since
 * backslashes and brackets outside of strings mean the same wherever a text is
 * valid JSON, it needs no parser. The second is yajl's, whose events are hung
 * into the tree. Neither recurses: the way back up is each node's parent.
 */
#include "broker/front/json_tree.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "proto/utf8.h"

/* What yajl's callbacks work on. */
struct building {
	struct json_tree *tree;
	struct failure *failure;
	size_t open;	 /* the innermost open object or array */
	size_t last;	 /* its last child so far; 0: none */
	bool in_any;	 /* something is open */
	struct span key; /* of the value to come */
};

static enum status
refuse(struct failure *failure, enum reason reason, const char *text)
{
	failure_init(failure, ST_INVALID_REQUEST, reason);
	if (text != NULL)
		failure_say(failure, "%s", text);
	return ST_INVALID_REQUEST;
}

/* -1 unless four hexadecimal digits are at text[i]. */
static int32_t
hex4(struct span text, size_t i)
{
	int32_t value = 0;

	if (text.len < 4 || i > text.len - 4)
		return -1;
	for (size_t k = i; k < i + 4; k++) {
		uint8_t c = text.data[k];
		int32_t digit;

		if (c >= '0' && c <= '9')
			digit = c - '0';
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			digit = (c | 0x20) - 'a' + 10;
		else
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

/* Bytes of the escape at text[i], a backslash; 0 when it is half of a pair of
 * surrogates without the other half. What is no escape at all is for yajl. */
static size_t
escape_length(struct span text, size_t i)
{
	int32_t code, low;

	if (i + 1 >= text.len || text.data[i + 1] != 'u')
		return 2;
	code = hex4(text, i + 2);
	if (code < 0xd800 || code > 0xdfff)
		return 2;
	if (code > 0xdbff || text.len - i < 12 || text.data[i + 6] != '\\' ||
	    text.data[i + 7] != 'u')
		return 0;
	low = hex4(text, i + 8);
	return low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

/* What yajl would let pass, and the depth. */
static enum status
look_over(struct span text, struct failure *failure)
{
	size_t depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.data[i];

		if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
			return refuse(failure, RE_BAD_JSON,
				      "a control character");
		if (c == '\\') {
			size_t len = escape_length(text, i);

			if (len == 0)
				return refuse(failure, RE_BAD_JSON,
					      "half of a surrogate pair");
			i += len - 1;
		} else if (c == '"') {
			in_string = !in_string;
		} else if (!in_string && (c == '{' || c == '[')) {
			if (++depth > JSON_DEPTH_MAX)
				return refuse(failure, RE_TOO_LARGE,
					      "nested deeper than 8");
		} else if (!in_string && depth > 0 && (c == '}' || c == ']')) {
			depth--;
		}
	}
	return ST_OK;
}

static struct span
keep(struct json_tree *tree, const unsigned char *text, size_t len)
{
	uint8_t *at = tree->bytes + tree->bytes_len;

	/* unescaping never makes a text longer, so all of them fit */
	if (len > sizeof(tree->bytes) - tree->bytes_len)
		len = sizeof(tree->bytes) - tree->bytes_len;
	if (len > 0)
		memcpy(at, text, len);
	tree->bytes_len += len;
	return span_of(at, len);
}

/* Hangs a value under the open one. NULL stops yajl. */
static struct json_node *
hang(struct building *b, enum json_kind kind)
{
	struct json_tree *tree = b->tree;
	size_t index = tree->nodes_len;
	struct json_node *node;

	if (index == JSON_NODES_MAX) {
		(void)refuse(b->failure, RE_TOO_LARGE, "too many values");
		return NULL;
	}
	node = &tree->nodes[tree->nodes_len++];
	*node = (struct json_node){.kind = kind,
				   .key = b->key,
				   .parent = (uint16_t)b->open};
	if (b->in_any && b->last == 0)
		tree->nodes[b->open].child = (uint16_t)index;
	else if (b->in_any)
		tree->nodes[b->last].next = (uint16_t)index;
	b->last = index;
	b->key = span_of(NULL, 0);
	return node;
}

static int
on_null(void *ctx)
{
	return hang(ctx, JSON_NULL) != NULL;
}

static int
on_boolean(void *ctx, int value)
{
	struct json_node *node = hang(ctx, JSON_BOOL);

	if (node != NULL)
		node->truth = value != 0;
	return node != NULL;
}

static int
hang_text(struct building *b, enum json_kind kind, const unsigned char *text,
	  size_t len)
{
	struct json_node *node = hang(b, kind);

	if (node != NULL)
		node->text = keep(b->tree, text, len);
	return node != NULL;
}

static int
on_number(void *ctx, const char *text, size_t len)
{
	return hang_text(ctx, JSON_NUMBER, (const unsigned char *)text, len);
}

static int
on_string(void *ctx, const unsigned char *text, size_t len)
{
	return hang_text(ctx, JSON_STRING, text, len);
}

static int
start(struct building *b, enum json_kind kind)
{
	if (hang(b, kind) == NULL)
		return 0;
	b->open = b->tree->nodes_len - 1;
	b->in_any = true;
	b->last = 0;
	return 1;
}

static int
on_start_map(void *ctx)
{
	return start(ctx, JSON_OBJECT);
}

static int
on_start_array(void *ctx)
{
	return start(ctx, JSON_ARRAY);
}

/* The closed value is the last child of the one around it. */
static int
on_end(void *ctx)
{
	struct building *b = ctx;

	b->last = b->open;
	b->in_any = b->open != 0;
	b->open = b->tree->nodes[b->open].parent;
	return 1;
}

static int
on_map_key(void *ctx, const unsigned char *text, size_t len)
{
	struct building *b = ctx;
	const struct json_node *object = &b->tree->nodes[b->open];
	const struct json_node *n;

	for (n = json_tree_first(b->tree, object); n != NULL;
	     n = json_tree_next(b->tree, n)) {
		if (!span_equal(n->key, span_of(text, len)))
			continue;
		failure_init(b->failure, ST_INVALID_REQUEST, RE_DUPLICATE_KEY);
		failure_say(b->failure, "the key %.*s appears twice",
			    len < 64 ? (int)len : 64, (const char *)text);
		return 0;
	}
	b->key = keep(b->tree, text, len);
	return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_start_map,
    .yajl_map_key = on_map_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end,
};

/* yajl does not look whether it got memory. */
static void *
have(void *memory)
{
	if (memory == NULL)
		abort();
	return memory;
}

static void *
yajl_get(void *context, size_t size)
{
	(void)context;
	return have(malloc(size));
}

static void *
yajl_get_more(void *context, void *old, size_t size)
{
	(void)context;
	return have(realloc(old, size));
}

static void
yajl_give_back(void *context, void *memory)
{
	(void)context;
	free(memory);
}

static yajl_alloc_funcs memory_funcs = {yajl_get, yajl_get_more, yajl_give_back,
					NULL};

enum status
json_tree_read(struct json_tree *tree, struct span text,
	       struct failure *failure_out)
{
	struct building b = {.tree = tree, .failure = failure_out};
	yajl_handle yajl;
	yajl_status got;

	tree->nodes_len = 0;
	tree->bytes_len = 0;
	if (text.len > JSON_TEXT_MAX)
		return refuse(failure_out, RE_TOO_LARGE, NULL);
	if (!utf8_valid(text))
		return refuse(failure_out, RE_BAD_JSON, "not valid UTF-8");
	TRY(look_over(text, failure_out));
	failure_init(failure_out, ST_INVALID_REQUEST, RE_BAD_JSON);
	yajl = yajl_alloc(&callbacks, &memory_funcs, &b);
	got = yajl_parse(yajl, text.data, text.len);
	if (got == yajl_status_ok)
		got = yajl_complete_parse(yajl);
	yajl_free(yajl);
	return got == yajl_status_ok ? ST_OK : ST_INVALID_REQUEST;
}

const struct json_node *
json_tree_first(const struct json_tree *tree, const struct json_node *node)
{
	return node->child == 0 ? NULL : &tree->nodes[node->child];
}

const struct json_node *
json_tree_next(const struct json_tree *tree, const struct json_node *node)
{
	return node->next == 0 ? NULL : &tree->nodes[node->next];
}

const struct json_node *
json_tree_find(const struct json_tree *tree, const struct json_node *object,
	       const char *key)
{
	const struct json_node *n;

	for (n = json_tree_first(tree, object); n != NULL;
	     n = json_tree_next(tree, n))
		if (span_is(n->key, key))
			return n;
	return NULL;
}

bool
json_integer(const struct json_node *node, int64_t *value_out)
{
	struct span text = node->text;
	bool negative = text.len > 0 && text.data[0] == '-';
	uint64_t bound = negative ? UINT64_C(1) << 63 : INT64_MAX;
	uint64_t value = 0;

	if (node->kind != JSON_NUMBER || text.len == negative)
		return false;
	for (size_t i = negative; i < text.len; i++) {
		unsigned digit = text.data[i] - (unsigned)'0';

		if (digit > 9 || value > (bound - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*value_out = (int64_t)(negative ? 0 - value : value);
	return true;
}
