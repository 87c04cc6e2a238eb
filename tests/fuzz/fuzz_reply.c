/*
 * Replies of the service as the client reads and shows them: any bytes must be
 * refused or rendered, in every format, as valid UTF-8; a table is harmless on
 * a terminal, and JSON is JSON again.
 */
#include <stdlib.h>

#include "client/envelope.h"
#include "client/grab.h"
#include "client/progress_line.h"
#include "client/render.h"
#include "tests/fuzz/fuzz_harmless.h"

static void
check(struct strbuf *sb, bool for_terminal)
{
	BUG_ON(!utf8_valid(strbuf_span(sb)));
	if (for_terminal)
		check_harmless(strbuf_span(sb));
	strbuf_free(sb);
}

static void
render_all(const struct value *body)
{
	struct table_style table = {.width = 60};
	struct csv_style csv = {.wide = body->raw.len % 2 == 0};
	struct strbuf sb = {0};
	struct document again;

	render_table(&sb, body, &table);
	check(&sb, true);
	render_csv_header(&sb, body, &csv);
	render_csv_rows(&sb, body, &csv);
	check(&sb, false);
	render_jsonl(&sb, body);
	check(&sb, false);
	render_json(&sb, body, true);
	BUG_ON(!document_parse(&again, strbuf_span(&sb)));
	document_free(&again);
	check(&sb, false);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = (uint8_t *)grab_text(span_of(data, size));
	struct progress_view view = {0};
	struct acceptance accepted;
	struct envelope e;

	if (!envelope_read(&bytes, size, &e))
		return 0;
	(void)!envelope_acceptance(&e, &accepted);
	progress_view_read(&view, e.body);
	render_all(e.body);
	envelope_free(&e);
	return 0;
}
