/*
 * The options about output, which several commands take.
 */
#ifndef CLIENT_PRINT_FLAGS_H
#define CLIENT_PRINT_FLAGS_H

#include "client/arguments.h"
#include "client/printer.h"

enum {
	FLAG_OUTPUT = 100,
	FLAG_OUT_FILE,
	FLAG_WIDE,
	FLAG_CSV_RAW,
	FLAG_COLOR,
};

#define PRINT_FLAGS                                              \
	{FLAG_OUTPUT, 0, "output", "table|json|jsonl|csv",       \
	 "default: table on a terminal, json elsewhere"},        \
	    {FLAG_OUT_FILE, 'o', "out", "FILE",                  \
	     "write to FILE, which appears when it is whole"},   \
	    {FLAG_WIDE, 0, "wide", NULL,                         \
	     "csv: a line a row, with the metrics as columns"},  \
	    {FLAG_CSV_RAW, 0, "csv-raw", NULL,                   \
	     "csv: no ' before cells that begin with = + - @"},  \
	{                                                        \
		FLAG_COLOR, 0, "color", "auto|always|never",     \
		    "colours of the table; NO_COLOR is honoured" \
	}

/* Takes one of them. 0, or the exit status of a usage error that was said. */
int print_flags_take(struct print_options *options,
		     const struct command_spec *spec, int id,
		     const char *value);

#endif
