/*
 * Long options with "=value" or the value behind, short ones likewise, mixed
 * with operands; "--" ends options and "-" is an operand.
 */
#include "client/arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/complain.h"
#include "client/leave.h"

#define FAR 3 /* more changes than this is not a slip */
#define WORD_MAX 24

void
arguments_init(struct arguments *args, const struct command_spec *spec,
	       int argc, char **argv)
{
	*args = (struct arguments){.spec = spec,
				   .argc = argc,
				   .argv = argv,
				   .at = 1};
}

static void
hint(const struct command_spec *spec)
{
	fprintf(stderr, "  see: extract-client %s --help\n", spec->name);
}

int
arguments_refuse(const struct command_spec *spec, const char *format, ...)
{
	char text[1024];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	complain("%s", text);
	hint(spec);
	return LEAVE_USAGE;
}

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to change, add or leave out to get from a to b. */
static size_t
distance(const char *a, size_t a_len, const char *b)
{
	size_t row[WORD_MAX + 1], b_len = strlen(b);

	if (a_len > WORD_MAX || b_len > WORD_MAX)
		return FAR;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1,
				       diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[b_len];
}

static int
unknown_option(const struct arguments *args, const char *word)
{
	const char *name = word + strspn(word, "-"), *best = NULL;
	size_t len = strcspn(name, "="), best_distance = FAR;

	for (size_t i = 0; i < args->spec->options_len; i++) {
		const char *known = args->spec->options[i].name;
		size_t d = distance(name, len, known);

		if (d < best_distance) {
			best_distance = d;
			best = known;
		}
	}
	len = strcspn(word, "=");
	if (best != NULL)
		arguments_refuse(args->spec,
				 "unknown option %.*s; did you mean --%s?",
				 (int)len, word, best);
	else
		arguments_refuse(args->spec, "unknown option %.*s", (int)len,
				 word);
	return ARGUMENT_WRONG;
}

/* The option that word (with its dashes) names; NULL. *inline_out is the
 * value that is part of the word, if there is one. */
static const struct option_spec *
find_option(const struct command_spec *spec, const char *word,
	    const char **inline_out)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < spec->options_len; i++) {
		const struct option_spec *o = &spec->options[i];

		*inline_out = NULL;
		if (word[1] != '-' && o->letter == word[1]) {
			if (word[2] != '\0')
				*inline_out = word + 2;
			return o;
		}
		if (word[1] == '-' && strlen(o->name) == len - 2 &&
		    memcmp(o->name, word + 2, len - 2) == 0) {
			if (word[len] == '=')
				*inline_out = word + len + 1;
			return o;
		}
	}
	return NULL;
}

static int
take_option(struct arguments *args, const char *word, const char **value_out)
{
	const char *inlined;
	const struct option_spec *o = find_option(args->spec, word, &inlined);

	if (o == NULL)
		return unknown_option(args, word);
	if (o->value == NULL && inlined != NULL) {
		arguments_refuse(args->spec, "--%s takes no value", o->name);
		return ARGUMENT_WRONG;
	}
	if (o->value != NULL && inlined == NULL) {
		if (args->at == args->argc) {
			arguments_refuse(args->spec, "--%s needs a value: %s",
					 o->name, o->value);
			return ARGUMENT_WRONG;
		}
		inlined = args->argv[args->at++];
	}
	*value_out = inlined;
	return o->id;
}

int
arguments_next(struct arguments *args, const char **value_out)
{
	const char *word;

	*value_out = NULL;
	if (args->at == args->argc)
		return ARGUMENT_END;
	word = args->argv[args->at++];
	if (!args->only_operands && strcmp(word, "--") == 0) {
		args->only_operands = true;
		if (args->at == args->argc)
			return ARGUMENT_END;
		word = args->argv[args->at++];
	}
	if (args->only_operands || word[0] != '-' || word[1] == '\0') {
		*value_out = word;
		return ARGUMENT_OPERAND;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		arguments_print_help(args->spec);
		return ARGUMENT_HELP;
	}
	return take_option(args, word, value_out);
}

bool
arguments_number(const char *text, unsigned long long max,
		 unsigned long long *number_out)
{
	unsigned long long number = 0;

	if (text[0] == '\0')
		return false;
	for (const char *p = text; *p != '\0'; p++) {
		unsigned digit = (unsigned char)*p - (unsigned)'0';

		if (digit > 9 || digit > max || number > (max - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	*number_out = number;
	return true;
}

int
arguments_one_of(const char *text, const char *const *list)
{
	for (int i = 0; list[i] != NULL; i++)
		if (strcmp(text, list[i]) == 0)
			return i;
	return -1;
}

static void
print_option(const struct option_spec *o)
{
	char left[64];
	int len = 0;

	if (o->letter != 0)
		len = snprintf(left, sizeof(left), "-%c, ", o->letter);
	snprintf(left + len, sizeof(left) - (size_t)len, "--%s%s%s", o->name,
		 o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
	if (strlen(left) <= 24)
		printf("  %-24s  %s\n", left, o->help);
	else
		printf("  %s\n  %-24s  %s\n", left, "", o->help);
}

void
arguments_print_help(const struct command_spec *spec)
{
	printf("usage: extract-client %s [options]%s%s\n\n%s\n", spec->name,
	       spec->operands[0] != '\0' ? " " : "", spec->operands,
	       spec->about);
	if (spec->options_len > 0)
		printf("\noptions:\n");
	for (size_t i = 0; i < spec->options_len; i++)
		print_option(&spec->options[i]);
	printf("\nexamples:\n%s", spec->examples);
}
