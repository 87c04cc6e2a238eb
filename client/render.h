/*
 * A result in each of the output formats, as text.
 */
#ifndef CLIENT_RENDER_H
#define CLIENT_RENDER_H

#include <stdbool.h>

#include "client/document.h"
#include "client/strbuf.h"

enum output {
	OUTPUT_TABLE,
	OUTPUT_JSON,
	OUTPUT_JSONL,
	OUTPUT_CSV,
};

struct table_style {
	size_t width;
	uint64_t rows; /* at most so many are listed */
	bool color;
};
void render_table(struct strbuf *sb, const struct value *result,
		  const struct table_style *style);

/* The object as it came, on one line, or indented for reading. */
void render_json(struct strbuf *sb, const struct value *object, bool indent);

/* A header line and a line a row; an error is one line. */
void render_jsonl(struct strbuf *sb, const struct value *result);
void render_jsonl_error(struct strbuf *sb, const struct value *error);

struct csv_style {
	bool wide; /* metrics as columns */
	bool raw;  /* no quote before = + - @ */
};
/* With wide columns the header depends on the result's metrics. */
void render_csv_header(struct strbuf *sb, const struct value *result,
		       const struct csv_style *style);
void render_csv_rows(struct strbuf *sb, const struct value *result,
		     const struct csv_style *style);

#endif
