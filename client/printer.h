/*
 * Prints results and errors, one after the other, in the output format that
 * was chosen, to the file that was chosen.
 */
#ifndef CLIENT_PRINTER_H
#define CLIENT_PRINTER_H

#include "client/envelope.h"
#include "client/outfile.h"
#include "client/render.h"
#include "client/terminal.h"

/* What the command line says about output. */
struct print_options {
	int output; /* enum output, or -1: by what stdout is */
	const char *path;
	bool wide, csv_raw;
	enum color color;
};

struct printer {
	struct outfile file;
	enum output output;
	struct table_style table;
	struct csv_style csv;
	bool indent;		  /* one JSON object for a person */
	struct strbuf csv_header; /* owned: of the first result */
	size_t printed;
};

void print_options_init(struct print_options *options);

/* A usage error is told by the exit status, else 0. `several` results may
 * come. */
int printer_open(struct printer *printer, const struct print_options *options,
		 bool several);

/* False when this result cannot go into the same output; `why_out` says it. */
NODISCARD bool printer_result(struct printer *printer,
			      const struct value *result, const char **why_out);

/* Prints the error where the format has a place for it, and says it. */
void printer_error(struct printer *printer, struct span name,
		   const struct value *error);

/* A job that was handed over and goes on by itself: its id, on a line. */
void printer_job(struct printer *printer, const char *job, struct span name);

/* As outfile_close. Without `keep`, or when nothing was printed, a file that
 * is there already stays as it is. */
int printer_close(struct printer *printer, bool keep, int *signal_out);

#endif
