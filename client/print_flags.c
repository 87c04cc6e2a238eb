/*
 * Checks the values of the options about output.
 */
#include "client/print_flags.h"

#include "client/leave.h"

int
print_flags_take(struct print_options *options, const struct command_spec *spec,
		 int id, const char *value)
{
	/* in the order of enum output, and of enum color */
	static const char *const outputs[] = {"table", "json", "jsonl", "csv",
					      NULL};
	static const char *const colors[] = {"auto", "always", "never", NULL};
	int found;

	switch (id) {
	case FLAG_OUTPUT:
		options->output = arguments_one_of(value, outputs);
		if (options->output < 0)
			return arguments_refuse(
			    spec,
			    "--output is table, json, jsonl or csv, "
			    "not '%s'",
			    value);
		break;
	case FLAG_OUT_FILE:
		options->path = value;
		break;
	case FLAG_WIDE:
		options->wide = true;
		break;
	case FLAG_CSV_RAW:
		options->csv_raw = true;
		break;
	case FLAG_COLOR:
		found = arguments_one_of(value, colors);
		if (found < 0)
			return arguments_refuse(
			    spec, "--color is auto, always or never, not '%s'",
			    value);
		options->color = (enum color)found;
		break;
	}
	return LEAVE_OK;
}
