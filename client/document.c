/*
 * Builds the tree from yajl's events, without recursion. Values and unescaped
 * strings live in blocks that are dropped together.
 *
 * yajl lets some invalid UTF-8 pass, so the text is checked before it.
 */
#include "client/document.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "client/grab.h"
#include "proto/utf8.h"

#define BLOCK_BYTES (64u * 1024)

struct arena_block {
	struct arena_block *next; /* owned */
	size_t used, size;
	_Alignas(max_align_t) uint8_t bytes[];
};

struct builder {
	struct document *doc;
	yajl_handle parser; /* borrowed: while it parses */
	struct span text;
	size_t at; /* end of the token before */
	struct span key;
	bool odd; /* what yajl lets pass and we do not */
	struct value *open[DOCUMENT_DEPTH_MAX];
	struct value *last[DOCUMENT_DEPTH_MAX];
	unsigned depth;
	unsigned count;
};

static const struct value nothing = {.type = VALUE_NULL};

static void *
take(struct document *doc, size_t size)
{
	struct arena_block *block = doc->blocks;
	void *memory;

	size = (size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	if (block == NULL || block->size - block->used < size) {
		size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		block = grab(sizeof(*block) + room);
		block->size = room;
		block->next = doc->blocks;
		doc->blocks = block;
	}
	memory = block->bytes + block->used;
	block->used += size;
	return memory;
}

/* yajl points into the text, or, after escapes, into its own buffer. */
static struct span
keep(struct builder *b, const unsigned char *data, size_t len)
{
	uintptr_t from = (uintptr_t)b->text.data, at = (uintptr_t)data;
	uint8_t *copy;

	if (len == 0)
		return span_of("", 0);
	if (at >= from && at - from < b->text.len)
		return span_of(data, len);
	/* an unpaired surrogate that was escaped; the service writes none */
	b->odd |= !utf8_valid(span_of(data, len));
	copy = take(b->doc, len);
	memcpy(copy, data, len);
	return span_of(copy, len);
}

/* The bytes from the end of the last token to the end of this one, without
 * what separates them. */
static struct span
token(struct builder *b)
{
	size_t end = yajl_get_bytes_consumed(b->parser);
	size_t start = b->at;

	if (end < start) /* counted anew: a token cut off by the end */
		end = start;
	while (start < end && strchr(" \t\r\n,:\v\f", b->text.data[start])) {
		b->odd |= strchr("\v\f", b->text.data[start]) != NULL;
		start++;
	}
	b->at = end;
	return span_of(b->text.data + start, end - start);
}

/* A new value at the end of the open container; NULL beyond the caps. */
static struct value *
add(struct builder *b, enum value_type type)
{
	struct value *value;

	if (++b->count > DOCUMENT_VALUES_MAX)
		return NULL;
	value = take(b->doc, sizeof(*value));
	*value = (struct value){.type = type, .key = b->key, .raw = token(b)};
	b->key = span_of("", 0);
	if (b->depth == 0)
		b->doc->root = value;
	else if (b->last[b->depth - 1] == NULL)
		b->open[b->depth - 1]->first = value;
	else
		b->last[b->depth - 1]->next = value;
	if (b->depth > 0)
		b->last[b->depth - 1] = value;
	return value;
}

static int
on_null(void *ctx)
{
	return add(ctx, VALUE_NULL) != NULL;
}

static int
on_bool(void *ctx, int truth)
{
	struct value *value = add(ctx, VALUE_BOOL);

	if (value == NULL)
		return 0;
	value->truth = truth != 0;
	return 1;
}

static int
on_number(void *ctx, const char *digits, size_t len)
{
	struct value *value = add(ctx, VALUE_NUMBER);

	if (value == NULL)
		return 0;
	value->text = keep(ctx, (const unsigned char *)digits, len);
	/* at the very end of the text yajl counts anew, see token */
	value->raw = value->text;
	return 1;
}

static int
on_string(void *ctx, const unsigned char *data, size_t len)
{
	struct value *value = add(ctx, VALUE_STRING);

	if (value == NULL)
		return 0;
	value->text = keep(ctx, data, len);
	return 1;
}

static int
open_container(struct builder *b, enum value_type type)
{
	struct value *value = add(b, type);

	if (value == NULL || b->depth == DOCUMENT_DEPTH_MAX)
		return 0;
	b->open[b->depth] = value;
	b->last[b->depth] = NULL;
	b->depth++;
	return 1;
}

static int
on_close(void *ctx)
{
	struct builder *b = ctx;
	struct value *value = b->open[--b->depth];
	struct span close = token(b);

	value->raw.len = (size_t)(close.data + close.len - value->raw.data);
	return 1;
}

static int
on_map(void *ctx)
{
	return open_container(ctx, VALUE_MAP);
}

static int
on_list(void *ctx)
{
	return open_container(ctx, VALUE_LIST);
}

static int
on_key(void *ctx, const unsigned char *data, size_t len)
{
	struct builder *b = ctx;

	b->key = keep(b, data, len);
	(void)token(b);
	return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_close,
    .yajl_start_array = on_list,
    .yajl_end_array = on_close,
};

/* yajl does not look whether it got memory. */
static void *
yajl_grab(void *context, size_t size)
{
	(void)context;
	return grab(size);
}

static void *
yajl_grab_more(void *context, void *old, size_t size)
{
	(void)context;
	return grab_more(old, size, 1);
}

static void
yajl_give_back(void *context, void *memory)
{
	(void)context;
	free(memory);
}

static yajl_alloc_funcs memory_funcs = {yajl_grab, yajl_grab_more,
					yajl_give_back, NULL};

bool
document_parse(struct document *doc_out, struct span text)
{
	struct document doc = {0};
	struct builder b = {.doc = &doc, .text = text};
	bool good;

	if (text.len == 0 || !utf8_valid(text))
		return false;
	b.parser = yajl_alloc(&callbacks, &memory_funcs, &b);
	good = yajl_parse(b.parser, text.data, text.len) == yajl_status_ok &&
	       yajl_complete_parse(b.parser) == yajl_status_ok &&
	       doc.root != NULL && !b.odd;
	yajl_free(b.parser);
	if (!good) {
		document_free(&doc);
		return false;
	}
	*doc_out = doc;
	return true;
}

void
document_free(struct document *doc)
{
	while (doc->blocks != NULL) {
		struct arena_block *block = doc->blocks;

		doc->blocks = block->next;
		free(block);
	}
	doc->root = NULL;
}

const struct value *
value_get(const struct value *map, const char *key)
{
	if (map->type != VALUE_MAP)
		return &nothing;
	for (const struct value *v = map->first; v != NULL; v = v->next)
		if (span_is(v->key, key))
			return v;
	return &nothing;
}

struct span
value_text(const struct value *value)
{
	return value->type == VALUE_STRING ? value->text : span_of("", 0);
}

static bool
read_number(const struct value *value, uint64_t *number_out)
{
	uint64_t number = 0;

	if (value->type != VALUE_NUMBER)
		return false;
	for (size_t i = 0; i < value->text.len; i++) {
		unsigned digit = value->text.data[i] - (unsigned)'0';

		if (digit > 9 || number > (UINT64_MAX - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	*number_out = number;
	return true;
}

uint64_t
value_number(const struct value *value)
{
	uint64_t number = 0;

	return read_number(value, &number) ? number : 0;
}

bool
value_is_number(const struct value *value)
{
	uint64_t number;

	return read_number(value, &number);
}

size_t
value_count(const struct value *value)
{
	size_t count = 0;

	for (const struct value *v = value->first; v != NULL; v = v->next)
		count++;
	return count;
}
