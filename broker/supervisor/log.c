/*
 * The log. A line is made in a fixed buffer and written with one write, so
 * that lines of several processes on one descriptor do not mix.
 */
#include "broker/supervisor/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 1024 /* below PIPE_BUF, so that a pipe takes it whole */

static enum log_level level_wanted = LOG_LEVEL_INFO;
static unsigned long lines_dropped;

void
log_set_level(enum log_level level)
{
	level_wanted = level;
}

const char *
log_quote(char *out, size_t size, const char *text)
{
	size_t n = 0;

	out[n++] = '"';
	for (; *text != '\0' && n + 2 < size; text++) {
		unsigned char c = (unsigned char)*text;

		out[n++] = c < ' ' || c == '"' || c == '\\' || c >= 0x7f
			       ? '?'
			       : (char)c;
	}
	out[n++] = '"';
	out[n] = '\0';
	return out;
}

static size_t
put_time(char *line, size_t size)
{
	struct timespec now;
	struct tm utc;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	n = strftime(line, size, "ts=%Y-%m-%dT%H:%M:%S", &utc);
	return n + (size_t)snprintf(line + n, size - n, ".%03ldZ ",
				    now.tv_nsec / 1000000);
}

/* True when standard error takes a whole line without waiting. */
static bool
has_room(void)
{
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}

static void
write_line(const char *line, size_t len)
{
	ssize_t n = has_room() ? write(STDERR_FILENO, line, len) : -1;

	if (n < 0)
		lines_dropped++;
}

void
log_event(enum log_level level, const char *event, const char *format, ...)
{
	static const char *const names[] = {
	    [LOG_LEVEL_ERROR] = "error",
	    [LOG_LEVEL_INFO] = "info",
	    [LOG_LEVEL_DEBUG] = "debug",
	};
	char line[LINE_BYTES];
	size_t n;
	va_list args;

	if (level > level_wanted)
		return;
	n = put_time(line, sizeof(line));
	n += (size_t)snprintf(line + n, sizeof(line) - n, "level=%s event=%s",
			      names[level], event);
	va_start(args, format);
	vsnprintf(line + n, sizeof(line) - n - 1, format, args);
	va_end(args);
	n = strlen(line);
	if (lines_dropped > 0 && n + 32 < sizeof(line)) {
		n += (size_t)snprintf(line + n, sizeof(line) - n,
				      " dropped_lines=%lu", lines_dropped);
		lines_dropped = 0;
	}
	line[n++] = '\n';
	write_line(line, n);
}

void
log_failure(const char *event, const char *step, int error)
{
	char quoted[128];

	log_event(LOG_LEVEL_ERROR, event, " step=%s error=%s", step,
		  log_quote(quoted, sizeof(quoted), strerror(error)));
}

_Noreturn void
die(enum exit_status status, const char *format, ...)
{
	va_list args;

	fputs("extractd: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit((int)status);
}
