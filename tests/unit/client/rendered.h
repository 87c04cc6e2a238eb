/*
 * Comparing rendered text, with both texts shown when they differ.
 */
#ifndef TESTS_RENDERED_H
#define TESTS_RENDERED_H

#include "client/document.h"
#include "client/strbuf.h"

/* Frees sb. */
void assert_text(struct strbuf *sb, const char *want);

/* Parses text that must be good; the test ends by document_free. */
void parse(struct document *doc_out, const char *text);

#endif
