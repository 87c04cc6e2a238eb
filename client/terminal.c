/*
 * Asks the terminal, then the environment.
 */
#include "client/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_MIN 20
#define WIDTH_MAX 1000
#define WIDTH_DEFAULT 100

static size_t
within(unsigned long width)
{
	if (width < WIDTH_MIN)
		return WIDTH_MIN;
	return width > WIDTH_MAX ? WIDTH_MAX : (size_t)width;
}

size_t
terminal_width(int fd)
{
	struct winsize size = {0};
	const char *columns = getenv("COLUMNS");
	char *end;
	unsigned long width;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return within(size.ws_col);
	if (columns != NULL && columns[0] >= '0' && columns[0] <= '9') {
		width = strtoul(columns, &end, 10);
		if (*end == '\0' && width > 0)
			return within(width);
	}
	return WIDTH_DEFAULT;
}

bool
terminal_color(int fd, enum color color)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return isatty(fd) && (no_color == NULL || no_color[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}
