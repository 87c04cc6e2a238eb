/*
 * Lines look like the supervisor's. Each is put together first and written by
 * one call, so that lines of several processes do not mix.
 */
#include "broker/front/front_log.h"

#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 2048 /* below PIPE_BUF, so that a pipe takes it whole */
#define WORDS_BYTES 512

/* A line is lost rather than waited for: whoever reads them may be slow. */
static void
write_line(char *line, size_t len)
{
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
	ssize_t ignored;

	if (len > LINE_BYTES - 2)
		len = LINE_BYTES - 2;
	line[len] = '\n';
	if (poll(&p, 1, 0) != 1 || (p.revents & POLLOUT) == 0)
		return;
	ignored = write(STDERR_FILENO, line, len + 1);
	(void)ignored;
}

void
front_log(const char *event, const char *format, ...)
{
	char line[LINE_BYTES];
	struct timespec now;
	struct tm tm;
	va_list args;
	int n;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	n = (int)strftime(line, sizeof(line), "ts=%FT%T", &tm);
	n += snprintf(line + n, sizeof(line) - (size_t)n,
		      ".%03ldZ level=info event=%s part=front ",
		      now.tv_nsec / 1000000, event);
	va_start(args, format);
	vsnprintf(line + n, sizeof(line) - (size_t)n, format, args);
	va_end(args);
	write_line(line, strlen(line));
}

void
front_log_words(uint64_t job, struct span words)
{
	char text[4 * WORDS_BYTES + 1];
	size_t n = 0;

	for (size_t i = 0; i < words.len && i < WORDS_BYTES / 2; i++) {
		uint8_t c = words.data[i];

		if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
			text[n++] = (char)c;
		else
			n += (size_t)snprintf(text + n, 5, "\\x%02x", c);
	}
	text[n] = '\0';
	front_log("last_words", "job=j-%016" PRIx64 " text=\"%s\"", job, text);
}
