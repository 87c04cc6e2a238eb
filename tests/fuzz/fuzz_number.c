/*
 * Numbers of any text: a number at the start is found as the parser would, and
 * its value agrees with its spelling after "e0" or a trailing zero is added.
 */
#include <string.h>

#include "proto/bug.h"
#include "worker/json/number.h"

#define TEXT_MAX 256

static void
same_as(struct span text, const char *more)
{
	char longer[TEXT_MAX + 8];
	int64_t a = 1, b = 1;
	size_t len = text.len;

	memcpy(longer, text.data, len);
	memcpy(longer + len, more, strlen(more));
	len += strlen(more);
	BUG_ON(number_prefix(span_of(longer, len)) != len);
	BUG_ON(number_to_int64(text, &a) !=
	       number_to_int64(span_of(longer, len), &b));
	BUG_ON(a != b);
	BUG_ON(number_seconds_to_us(text, &a) !=
	       number_seconds_to_us(span_of(longer, len), &b));
	BUG_ON(a != b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of(data, size < TEXT_MAX ? size : TEXT_MAX);
	bool point, power;

	text.len = number_prefix(text);
	if (text.len == 0)
		return 0;
	point = memchr(text.data, '.', text.len) != NULL;
	power = memchr(text.data, 'e', text.len) != NULL ||
		memchr(text.data, 'E', text.len) != NULL;
	same_as(text, power ? "" : "e0");
	same_as(text, power ? "" : point ? "0" : ".0");
	same_as(text, power ? "" : "E-00");
	return 0;
}
