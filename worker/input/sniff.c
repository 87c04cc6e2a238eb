/*
 * Encoding and emptiness first, then what is known, then what was seen.
 */
#include "worker/input/sniff.h"

#include <stdio.h>

#include "worker/input/known.h"

#define SEEN_BYTES 16

static enum status
fail(struct failure *failure, enum status status, enum reason reason,
     size_t offset)
{
	failure_init(failure, status, reason);
	failure->offset = (int64_t)offset;
	return status;
}

static enum status
wrong_encoding(struct failure *failure, const char *name)
{
	enum status status =
	    fail(failure, ST_UNSUPPORTED_FORMAT, RE_UNSUPPORTED_ENCODING, 0);

	failure_say(failure, "the text is %s; convert it to UTF-8 first", name);
	return status;
}

static bool
is_text(uint8_t c)
{
	return (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\n' || c == '\r';
}

/* The pattern that ASCII leaves in wider encodings: `zero` says of each of
 * the first `len` bytes, lowest bit first, whether it is NUL. */
static bool
has_pattern(struct span head, size_t len, unsigned zero)
{
	if (head.len < len)
		return false;
	for (size_t i = 0; i < len; i++) {
		bool want_zero = (zero >> i & 1) != 0;

		if (want_zero ? head.data[i] != 0 : !is_text(head.data[i]))
			return false;
	}
	return true;
}

/* The name of an encoding that is not UTF-8; NULL when there is no sign. */
static const char *
encoding_of(struct span head)
{
	if (head.len >= 4 && (memcmp(head.data, "\xff\xfe\0\0", 4) == 0 ||
			      memcmp(head.data, "\0\0\xfe\xff", 4) == 0))
		return "UTF-32";
	if (span_starts(head, "\xff\xfe"))
		return "UTF-16LE";
	if (span_starts(head, "\xfe\xff"))
		return "UTF-16BE";
	if (has_pattern(head, 4, 0xe) || has_pattern(head, 4, 0x7))
		return "UTF-32";
	if (has_pattern(head, 4, 0xa) ||
	    (head.len < 4 && has_pattern(head, 2, 0x2)))
		return "UTF-16LE";
	if (has_pattern(head, 4, 0x5) ||
	    (head.len < 4 && has_pattern(head, 2, 0x1)))
		return "UTF-16BE";
	return NULL;
}

static enum status
named(struct failure *failure, const struct known *known, size_t offset)
{
	enum reason reason =
	    known->profile ? RE_KNOWN_FORMAT : RE_UNRECOGNIZED_LAYOUT;
	enum status status =
	    fail(failure, ST_UNSUPPORTED_FORMAT, reason, offset);
	const char *read = known->profile ? ", which is not read yet" : "";

	if (known->way_out != NULL)
		failure_say(failure, "looks like %s%s; %s", known->what, read,
			    known->way_out);
	else
		failure_say(failure, "looks like %s%s", known->what, read);
	return status;
}

/* The first bytes, readable. */
static void
show_bytes(struct span text, char out[SEEN_BYTES * 4 + 1])
{
	size_t at = 0;

	for (size_t i = 0; i < text.len && i < SEEN_BYTES; i++) {
		uint8_t c = text.data[i];
		bool plain = c >= 0x20 && c < 0x7f && c != '\\';

		at += (size_t)sprintf(out + at, plain ? "%c" : "\\x%02x", c);
	}
	out[at] = '\0';
}

/* What JSON value it could be; NULL when none. */
static const char *
json_kind(struct span text)
{
	uint8_t c = text.data[0];

	if (c == '[')
		return "a JSON array";
	if (c == '"')
		return "a JSON string";
	if (c == '-' || (c >= '0' && c <= '9'))
		return "a number";
	if (span_starts(text, "true") || span_starts(text, "false") ||
	    span_starts(text, "null"))
		return "a JSON literal";
	return NULL;
}

static enum status
unrecognized(struct failure *failure, struct span text, size_t offset)
{
	enum status status = fail(failure, ST_UNSUPPORTED_FORMAT,
				  RE_UNRECOGNIZED_LAYOUT, offset);
	const char *kind = json_kind(text);
	char seen[SEEN_BYTES * 4 + 1];

	show_bytes(text, seen);
	if (kind != NULL)
		failure_say(failure,
			    "a JSON object was expected, but it "
			    "starts with %s: %s",
			    kind, seen);
	else
		failure_say(failure,
			    "a JSON object was expected, but it "
			    "starts with: %s",
			    seen);
	return status;
}

/* There is something that is not white space. */
static enum status
sniff_text(struct span text, size_t offset, struct failure *failure)
{
	bool json = text.data[0] == '{' || text.data[0] == '[';
	const struct known *known =
	    json ? known_by_keys(text) : known_by_lines(text);

	if (known != NULL)
		return named(failure, known, offset);
	if (text.data[0] != '{')
		return unrecognized(failure, text, offset);
	return ST_OK;
}

static size_t
blank_prefix(struct span text)
{
	size_t n = 0;

	while (n < text.len && memchr(" \t\n\r", text.data[n], 4) != NULL)
		n++;
	return n;
}

enum status
sniff_head(struct span head, bool whole, struct sniff *sniff_out,
	   struct failure *failure)
{
	struct sniff sniff = {0};
	const struct known *known = known_by_magic(head);
	const char *encoding = encoding_of(head);
	size_t start;

	/* Magic numbers first: some of them look like UTF-16, and one like
	 * white space. */
	if (known != NULL)
		return named(failure, known, 0);
	if (encoding != NULL)
		return wrong_encoding(failure, encoding);
	if (span_starts(head, "\xef\xbb\xbf"))
		sniff.skip_bytes = 3;
	head =
	    span_of(head.data + sniff.skip_bytes, head.len - sniff.skip_bytes);
	start = blank_prefix(head);
	sniff.blank = start == head.len;
	if (sniff.blank && whole)
		return fail(failure, ST_EMPTY_INPUT, RE_NONE, 0);
	if (!sniff.blank)
		TRY(sniff_text(span_of(head.data + start, head.len - start),
			       sniff.skip_bytes + start, failure));
	*sniff_out = sniff;
	return ST_OK;
}
