/*
 * Fields in, fields out. Every length is compared with what is left before it
 * is used, so that nothing can wrap.
 */
#include "proto/buf.h"

#include "proto/bug.h"
#include "proto/utf8.h"

void
writer_init(struct writer *w, void *data, size_t cap)
{
	*w = (struct writer){.data = data, .cap = cap};
}

void
writer_put_bytes(struct writer *w, const void *data, size_t len)
{
	if (w->failed || len > w->cap - w->len) {
		w->failed = true;
		return;
	}
	if (len > 0)
		memcpy(w->data + w->len, data, len);
	w->len += len;
}

static void
put_little(struct writer *w, uint64_t value, size_t bytes)
{
	uint8_t field[8];

	for (size_t i = 0; i < bytes; i++)
		field[i] = (uint8_t)(value >> (8 * i));
	writer_put_bytes(w, field, bytes);
}

void
writer_put_u8(struct writer *w, uint8_t value)
{
	put_little(w, value, 1);
}

void
writer_put_u16(struct writer *w, uint16_t value)
{
	put_little(w, value, 2);
}

void
writer_put_u32(struct writer *w, uint32_t value)
{
	put_little(w, value, 4);
}

void
writer_put_u64(struct writer *w, uint64_t value)
{
	put_little(w, value, 8);
}

void
writer_put_string(struct writer *w, struct span text)
{
	if (text.len > UINT16_MAX) {
		w->failed = true;
		return;
	}
	writer_put_u16(w, (uint16_t)text.len);
	writer_put_bytes(w, text.data, text.len);
}

void
reader_init(struct reader *r, struct span bytes)
{
	*r = (struct reader){.at = bytes.data, .left = bytes.len};
}

struct span
reader_get_bytes(struct reader *r, size_t len)
{
	struct span bytes;

	if (r->failed || len > r->left) {
		r->failed = true;
		return span_of(NULL, 0);
	}
	bytes = span_of(r->at, len);
	if (len > 0)
		r->at += len;
	r->left -= len;
	return bytes;
}

static uint64_t
get_little(struct reader *r, size_t bytes)
{
	struct span field = reader_get_bytes(r, bytes);
	uint64_t value = 0;

	for (size_t i = 0; i < field.len; i++)
		value |= (uint64_t)field.data[i] << (8 * i);
	return value;
}

uint8_t
reader_get_u8(struct reader *r)
{
	return (uint8_t)get_little(r, 1);
}

uint16_t
reader_get_u16(struct reader *r)
{
	return (uint16_t)get_little(r, 2);
}

uint32_t
reader_get_u32(struct reader *r)
{
	return (uint32_t)get_little(r, 4);
}

uint64_t
reader_get_u64(struct reader *r)
{
	return get_little(r, 8);
}

struct span
reader_get_string(struct reader *r, size_t max)
{
	struct span text = reader_get_bytes(r, reader_get_u16(r));

	if (r->failed)
		return span_of(NULL, 0);
	if (text.len > max || !utf8_valid(text)) {
		r->failed = true;
		return span_of(NULL, 0);
	}
	return text;
}

uint8_t
reader_get_below(struct reader *r, unsigned bound)
{
	uint8_t value = reader_get_u8(r);

	if (value >= bound) {
		r->failed = true;
		return 0;
	}
	return value;
}

bool
reader_get_bool(struct reader *r)
{
	return reader_get_below(r, 2) == 1;
}

bool
reader_end(const struct reader *r)
{
	return !r->failed && r->left == 0;
}
