/*
 * One line an event on standard error, in logfmt. Also the end at start-up
 * when the environment is broken.
 */
#ifndef SUPERVISOR_LOG_H
#define SUPERVISOR_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
};

/* The service exits with one of these. */
enum exit_status {
	EXIT_STATUS_FAILED = 1,	    /* the environment */
	EXIT_STATUS_USAGE = 2,	    /* the command line */
	EXIT_STATUS_NO_SANDBOX = 3, /* a required layer is missing */
};

void log_set_level(enum log_level level);

/*
 * `ts=… level=info event=NAME` and the fields, which the caller formats as
 * ` key=value`. Never blocks: a line that standard error does not take now is
 * dropped, and the next one says how many were.
 */
void log_event(enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An error whose fields are the step that failed and errno's words. */
void log_failure(const char *event, const char *step, int error);

/* text as a logfmt value: in quotes, with controls and quotes replaced. */
const char *log_quote(char *out, size_t size, const char *text);

/* The environment does not let us start: says so and exits. */
_Noreturn void die(enum exit_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
