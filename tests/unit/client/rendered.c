/*
 * Shared by the client's tests.
 */
#include "tests/unit/client/rendered.h"

#include <criterion/criterion.h>

void
assert_text(struct strbuf *sb, const char *want)
{
	bool same = span_is(strbuf_span(sb), want);

	cr_assert(same, "got:\n%.*s\nwanted:\n%s", (int)sb->len,
		  sb->len > 0 ? (const char *)sb->data : "", want);
	strbuf_free(sb);
}

void
parse(struct document *doc_out, const char *text)
{
	cr_assert(document_parse(doc_out, span_str(text)), "%s", text);
}
