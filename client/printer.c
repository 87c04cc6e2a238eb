/*
 * The only place that knows which format does what with results and errors.
 */
#include "client/printer.h"

#include <unistd.h>

#include "client/complain.h"
#include "client/leave.h"
#include "client/progress_line.h"

void
print_options_init(struct print_options *options)
{
	*options = (struct print_options){.output = -1};
}

int
printer_open(struct printer *printer, const struct print_options *options,
	     bool several)
{
	bool terminal;

	*printer = (struct printer){0};
	if (!outfile_open(&printer->file, options->path))
		return LEAVE_USAGE;
	terminal = isatty(printer->file.fd);
	if (options->output >= 0)
		printer->output = (enum output)options->output;
	else
		printer->output = terminal ? OUTPUT_TABLE : OUTPUT_JSON;
	printer->table.rows = UINT64_MAX;
	printer->table.width = terminal_width(printer->file.fd);
	printer->table.color = terminal_color(printer->file.fd, options->color);
	printer->csv.wide = options->wide;
	printer->csv.raw = options->csv_raw;
	printer->indent = terminal && !several;
	return LEAVE_OK;
}

/* The header goes in front of the first result; wide ones must agree. */
static bool
put_csv(struct printer *printer, const struct value *result,
	struct strbuf *text)
{
	struct strbuf header = {0};
	bool fits = true;

	render_csv_header(&header, result, &printer->csv);
	if (printer->csv_header.len == 0) {
		strbuf_put(text, strbuf_span(&header));
		printer->csv_header = header;
	} else {
		fits = span_equal(strbuf_span(&header),
				  strbuf_span(&printer->csv_header));
		strbuf_free(&header);
	}
	if (fits)
		render_csv_rows(text, result, &printer->csv);
	return fits;
}

static void
put_out(struct printer *printer, struct strbuf *text)
{
	if (text->len > 0) {
		progress_line_clear();
		outfile_write(&printer->file, strbuf_span(text));
		printer->printed++;
	}
	strbuf_free(text);
}

bool
printer_result(struct printer *printer, const struct value *result,
	       const char **why_out)
{
	struct strbuf text = {0};
	bool fits = true;

	switch (printer->output) {
	case OUTPUT_TABLE:
		if (printer->printed > 0)
			strbuf_puts(&text, "\n");
		render_table(&text, result, &printer->table);
		break;
	case OUTPUT_JSON:
		render_json(&text, result, printer->indent);
		break;
	case OUTPUT_JSONL:
		render_jsonl(&text, result);
		break;
	case OUTPUT_CSV:
		fits = put_csv(printer, result, &text);
		break;
	}
	if (!fits)
		*why_out = "it has other metrics than the first result, and "
			   "so other columns with --wide";
	put_out(printer, &text);
	return fits;
}

void
printer_error(struct printer *printer, struct span name,
	      const struct value *error)
{
	struct strbuf text = {0};

	if (printer->output == OUTPUT_JSON)
		render_json(&text, error, printer->indent);
	else if (printer->output == OUTPUT_JSONL)
		render_jsonl_error(&text, error);
	put_out(printer, &text);
	complain_error(name, error);
}

void
printer_job(struct printer *printer, const char *job, struct span name)
{
	struct strbuf text = {0};

	if (printer->output == OUTPUT_TABLE) {
		strbuf_printf(&text, "%s\n", job);
	} else {
		strbuf_printf(&text, "{\"job\": \"%s\", \"name\": ", job);
		strbuf_json(&text, name);
		strbuf_puts(&text, "}\n");
	}
	put_out(printer, &text);
}

int
printer_close(struct printer *printer, bool keep, int *signal_out)
{
	strbuf_free(&printer->csv_header);
	return outfile_close(&printer->file, keep && printer->printed > 0,
			     signal_out);
}
