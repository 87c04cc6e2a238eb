/*
 * A JSON text as the client reads it: accepted only if the parser alone takes
 * it as one value; each value's own bytes read back as the same value, and a
 * string written as JSON reads back as the string.
 */
#include <stdint.h>
#include <stdlib.h>

#include "client/document.h"
#include "proto/bug.h"
#include "proto/json_text.h"
#include "tests/fuzz/fuzz_is_json.h"

static void
same_text(struct span text)
{
	size_t len = json_text_size(text);
	uint8_t *literal = malloc(len);
	struct document doc;

	BUG_ON(literal == NULL || json_text_write(literal, text) != len);
	BUG_ON(!document_parse(&doc, span_of(literal, len)));
	BUG_ON(doc.root->type != VALUE_STRING);
	BUG_ON(!span_equal(doc.root->text, text));
	document_free(&doc);
	free(literal);
}

static void
check(const struct value *value)
{
	struct document doc;

	BUG_ON(!document_parse(&doc, value->raw));
	BUG_ON(doc.root->type != value->type);
	BUG_ON(!span_equal(doc.root->text, value->text));
	BUG_ON(value_count(doc.root) != value_count(value));
	document_free(&doc);
	if (value->type == VALUE_STRING)
		same_text(value->text);
	same_text(value->key);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct document doc;
	const struct value *value;

	if (!document_parse(&doc, span_of(data, size)))
		return 0;
	BUG_ON(!is_json(span_of(data, size)));
	check(doc.root);
	for (value = doc.root->first; value != NULL; value = value->next)
		check(value);
	document_free(&doc);
	return 0;
}
