/*
 * The service's status as the client shows it, whatever it holds: a table that
 * is harmless on a terminal; for Prometheus comments and samples: a name,
 * labels without a bare quote, a number.
 */
#include "client/document.h"
#include "client/render_prometheus.h"
#include "client/status_table.h"
#include "tests/fuzz/fuzz_exposition.h"
#include "tests/fuzz/fuzz_harmless.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf table = {0}, text = {0};
	struct document doc;

	if (!document_parse(&doc, span_of(data, size)))
		return 0;
	status_table(&table, doc.root, 20 + size % 100);
	check_harmless(strbuf_span(&table));
	render_prometheus(&text, doc.root);
	BUG_ON(!utf8_valid(strbuf_span(&text)));
	strbuf_put(&text, span_of("", 1));
	if (strlen((const char *)text.data) == text.len - 1)
		check_samples((const char *)text.data);
	strbuf_free(&table);
	strbuf_free(&text);
	document_free(&doc);
	return 0;
}
