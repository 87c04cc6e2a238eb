/*
 * A command line, read by the table of its command. The same table prints the
 * command's --help.
 */
#ifndef CLIENT_ARGUMENTS_H
#define CLIENT_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct option_spec {
	int id;		   /* the command's own, from 1 */
	char letter;	   /* "-o"; 0 when there is none */
	const char *name;  /* "--output", without the dashes */
	const char *value; /* what it takes, for the help; NULL: nothing */
	const char *help;
};

struct command_spec {
	const char *name;
	const char *operands; /* "FILE..." */
	const char *about;
	const struct option_spec *options;
	size_t options_len;
	const char *examples; /* lines */
};

struct arguments {
	const struct command_spec *spec; /* borrowed */
	int argc;
	char **argv;
	int at;
	bool only_operands; /* after "--" */
};

enum {
	ARGUMENT_END = 0,
	ARGUMENT_OPERAND = -1,
	ARGUMENT_HELP = -2,  /* the help was printed */
	ARGUMENT_WRONG = -3, /* what is wrong was said */
};

/* argv[0] is the command's name. */
void arguments_init(struct arguments *args, const struct command_spec *spec,
		    int argc, char **argv);

/* The id of the next option, or one of the above. *value_out is the option's
 * value or the operand, NULL for a flag. */
int arguments_next(struct arguments *args, const char **value_out);

/* Says that the command line is wrong, and where help is. Returns the exit
 * status for it. */
int arguments_refuse(const struct command_spec *spec, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number of decimal digits; false when it is not, or above max. */
bool arguments_number(const char *text, unsigned long long max,
		      unsigned long long *number_out);

/* The position of text in a list that ends with NULL; -1. */
int arguments_one_of(const char *text, const char *const *list);

void arguments_print_help(const struct command_spec *spec);

#endif
