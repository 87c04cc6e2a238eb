/*
 * Growth by doubling up to the cap. Memory that cannot be had ends the front:
 * its address space is capped, it holds nothing that the supervisor does not
 * know, and it is back within a second.
 */
#include "broker/front/outbox.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/json_text.h"

#define FIRST_SIZE 512

void
outbox_init(struct outbox *o, size_t cap)
{
	*o = (struct outbox){.cap = cap};
}

void
outbox_fini(struct outbox *o)
{
	free(o->data);
	*o = (struct outbox){0};
}

static void
resize(struct outbox *o, size_t size)
{
	uint8_t *data = realloc(o->data, size);

	if (data == NULL)
		abort();
	o->data = data;
	o->size = size;
}

void
outbox_trim(struct outbox *o)
{
	if (o->len > 0 && o->len < o->size)
		resize(o, o->len);
}

struct span
outbox_span(const struct outbox *o)
{
	return span_of(o->data, o->len);
}

/* Where len bytes may be written; NULL when they exceed the cap. */
static uint8_t *
claim(struct outbox *o, size_t len)
{
	uint8_t *at;

	if (o->failed || len > o->cap - o->len) {
		o->failed = true;
		return NULL;
	}
	if (len > o->size - o->len) {
		size_t size = o->size == 0 ? FIRST_SIZE : o->size;

		while (size - o->len < len)
			size = size > o->cap / 2 ? o->cap : size * 2;
		resize(o, size);
	}
	at = o->data + o->len;
	o->len += len;
	return at;
}

void
outbox_put(struct outbox *o, struct span text)
{
	uint8_t *at = claim(o, text.len);

	if (at != NULL && text.len > 0)
		memcpy(at, text.data, text.len);
}

void
outbox_raw(struct outbox *o, const char *text)
{
	outbox_put(o, span_str(text));
}

void
outbox_string(struct outbox *o, struct span text)
{
	uint8_t *at = claim(o, json_text_size(text));

	if (at != NULL)
		json_text_write(at, text);
}

void
outbox_string_or_null(struct outbox *o, bool known, struct span text)
{
	if (known)
		outbox_string(o, text);
	else
		outbox_raw(o, "null");
}

void
outbox_u64(struct outbox *o, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	outbox_raw(o, text);
}

void
outbox_i64(struct outbox *o, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	outbox_raw(o, text);
}

void
outbox_maybe(struct outbox *o, struct maybe maybe)
{
	if (maybe.known)
		outbox_i64(o, maybe.value);
	else
		outbox_raw(o, "null");
}

void
outbox_bool(struct outbox *o, bool value)
{
	outbox_raw(o, value ? "true" : "false");
}

void
outbox_hex(struct outbox *o, const uint8_t *data, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t *at = claim(o, 2 * len + 2);

	if (at == NULL)
		return;
	*at++ = '"';
	for (size_t i = 0; i < len; i++) {
		*at++ = (uint8_t)digits[data[i] >> 4];
		*at++ = (uint8_t)digits[data[i] & 15];
	}
	*at = '"';
}

void
outbox_comma(struct outbox *o, bool *first)
{
	if (!*first)
		outbox_raw(o, ",");
	*first = false;
}
