/*
 * Text with a record a line. Two whole lines are looked at; a shape must fit
 * them closely, since prose must not be taken for a profile.
 */
#include "worker/input/known.h"

#include <stddef.h>

#define AS_CPUPROFILE "record the program with node --cpu-prof instead"

static const struct known collapsed = {
    .what = "collapsed stacks, as for flame graphs",
    .way_out = AS_CPUPROFILE,
    .profile = true,
};

static const struct known perf_script = {
    .what = "the output of perf script",
    .way_out = AS_CPUPROFILE,
    .profile = true,
};

static const struct known perf_map = {
    .what = "a perf map (names of code addresses)",
    .way_out = "it holds no samples; submit the profile itself",
    .profile = true,
};

static const struct known heaptrack = {
    .what = "a heaptrack recording",
    .way_out = "for JavaScript, record with node --heap-prof instead",
    .profile = true,
};

/* html and xml */
static const struct known markup = {.what = "HTML or XML"};

static bool
is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

static bool
is_hex(uint8_t c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

static struct span
after(struct span text, size_t n)
{
	return span_of(text.data + n, text.len - n);
}

/* Cuts the first line off, without its end; what is left is no line when the
 * head ends in it, but is looked at like one. */
static struct span
take_line(struct span *text)
{
	const uint8_t *end =
	    text->len == 0 ? NULL : memchr(text->data, '\n', text->len);
	size_t len = end == NULL ? text->len : (size_t)(end - text->data);
	struct span line = span_of(text->data, len);

	*text = after(*text, end == NULL ? len : len + 1);
	if (line.len > 0 && line.data[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* Takes characters of one kind off the front; how many there were. */
static size_t
take_while(struct span *text, bool (*is)(uint8_t c))
{
	size_t n = 0;

	while (n < text->len && is(text->data[n]))
		n++;
	*text = after(*text, n);
	return n;
}

static size_t
take_hex(struct span *text)
{
	if (span_starts(*text, "0x") || span_starts(*text, "0X"))
		*text = after(*text, 2);
	return take_while(text, is_hex);
}

/* "main;parse;next 12" */
static bool
is_collapsed(struct span line)
{
	size_t digits = 0;

	while (digits < line.len && is_digit(line.data[line.len - 1 - digits]))
		digits++;
	if (digits == 0 || digits + 2 > line.len ||
	    line.data[line.len - 1 - digits] != ' ')
		return false;
	line.len -= digits + 1;
	return memchr(line.data, ';', line.len) != NULL;
}

/* "7f10a0 2c LazyCompile:*parse /srv/app.js:12" */
static bool
is_map_line(struct span line)
{
	return take_hex(&line) >= 4 && take_while(&line, is_blank) > 0 &&
	       take_hex(&line) >= 1 && take_while(&line, is_blank) > 0 &&
	       line.len > 0;
}

/* "node 4242 1234.567890:     250000 cycles:u:" and a line "\t7f… name (…)" */
static bool
is_script_pair(struct span first, struct span second)
{
	bool time = false;

	if (first.len == 0 || is_blank(first.data[0]))
		return false;
	for (size_t i = 2; i < first.len && !time; i++)
		time = first.data[i] == ':' && is_digit(first.data[i - 1]) &&
		       memchr(first.data, '.', i) != NULL;
	return time && take_while(&second, is_blank) > 0 &&
	       take_hex(&second) >= 6 && take_while(&second, is_blank) > 0 &&
	       second.len > 0;
}

/* "v 10500 3": program and file version, in hexadecimal */
static bool
is_heaptrack(struct span line)
{
	if (!span_starts(line, "v "))
		return false;
	line = after(line, 2);
	if (take_while(&line, is_hex) < 5)
		return false;
	if (line.len == 0)
		return true;
	return take_while(&line, is_blank) == 1 &&
	       take_while(&line, is_hex) > 0 && line.len == 0;
}

const struct known *
known_by_lines(struct span head)
{
	struct span first = take_line(&head);
	struct span second;

	/* perf script and scripts of one's own begin with comments */
	while (span_starts(first, "#") && head.len > 0)
		first = take_line(&head);
	second = take_line(&head);
	if (span_starts(first, "<"))
		return &markup;
	if (is_heaptrack(first))
		return &heaptrack;
	if (is_script_pair(first, second))
		return &perf_script;
	if (is_map_line(first))
		return &perf_map;
	if (is_collapsed(first))
		return &collapsed;
	return NULL;
}
