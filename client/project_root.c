/*
 * Walks up from the working directory by its name.
 */
#include "client/project_root.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/grab.h"

static bool
holds(const char *dir, const char *name)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return access(path, F_OK) == 0;
}

char *
project_root_find(void)
{
	char dir[PATH_MAX];

	if (getcwd(dir, sizeof(dir)) == NULL || dir[0] != '/')
		return NULL;
	for (;;) {
		char *slash = strrchr(dir, '/');

		if (holds(dir, ".git") || holds(dir, "package.json"))
			return grab_text(span_str(dir[0] != '\0' ? dir : "/"));
		if (slash == NULL)
			return NULL;
		*slash = '\0';
	}
}

/* "/srv/app", and what a profile from Windows says: "C:/app". */
static bool
is_absolute(const char *dir)
{
	char letter = dir[0] | 0x20;

	return dir[0] == '/' ||
	       (letter >= 'a' && letter <= 'z' && dir[1] == ':' &&
		(dir[2] == '/' || dir[2] == '\\'));
}

char *
project_root_from(const char *dir)
{
	char path[PATH_MAX];
	size_t len;

	if (is_absolute(dir)) {
		len = strlen(dir);
		while (len > 1 && dir[len - 1] == '/')
			len--;
		return grab_text(span_of(dir, len));
	}
	if (realpath(dir, path) == NULL)
		return NULL;
	return grab_text(span_str(path));
}
