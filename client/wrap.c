/*
 * Greedy: a word goes on the line if it fits.
 */
#include "client/wrap.h"

#include <stdbool.h>

#include "client/escape.h"

static size_t
count_spaces(struct span text)
{
	size_t i = 0;

	while (i < text.len && text.data[i] == ' ')
		i++;
	return i;
}

/* Bytes before the next run of at least `gap` spaces, or the end. */
static size_t
word_len(struct span text, size_t gap)
{
	size_t i = 0, spaces = 0;

	for (; i < text.len; i++) {
		spaces = text.data[i] == ' ' ? spaces + 1 : 0;
		if (spaces == gap)
			return i + 1 - gap;
	}
	return i - spaces;
}

static struct span
skip(struct span text, size_t len)
{
	return span_of(text.data + len, text.len - len);
}

static void
wrap(struct strbuf *sb, struct span safe, size_t gap, size_t start,
     size_t indent, size_t width)
{
	size_t used = start;
	bool first = true;

	while (safe.len > 0) {
		size_t spaces = count_spaces(safe), w;
		struct span word;

		safe = skip(safe, spaces);
		word = span_of(safe.data, word_len(safe, gap));
		safe = skip(safe, word.len);
		w = escape_width(word);
		if (!first && used + spaces + w <= width) {
			strbuf_pad(sb, spaces);
			strbuf_put(sb, word);
			used += spaces + w;
			continue;
		}
		if (!first) {
			strbuf_puts(sb, "\n");
			strbuf_pad(sb, indent);
			used = indent;
		}
		used += escape_fit(sb, word, width > used ? width - used : 1);
		first = false;
	}
	strbuf_puts(sb, "\n");
}

void
wrap_put(struct strbuf *sb, struct span safe, size_t indent, size_t width)
{
	wrap(sb, safe, 1, indent, indent, width);
}

void
wrap_hang(struct strbuf *sb, struct span safe, size_t indent, size_t width)
{
	wrap(sb, safe, 1, 0, indent, width);
}

void
wrap_items(struct strbuf *sb, struct span safe, size_t indent, size_t width)
{
	wrap(sb, safe, 2, 0, indent, width);
}
