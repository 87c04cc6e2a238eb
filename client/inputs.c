/*
 * Never looks at a file's bytes or believes its name: what is a profile is
 * the service's to say.
 */
#include "client/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/grab.h"
#include "client/own_error.h"
#include "client/spool.h"
#include "proto/fd.h"

void
inputs_init(struct inputs *inputs)
{
	*inputs = (struct inputs){0};
}

void
inputs_free(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->len; i++) {
		free(inputs->list[i].name);
		fd_close(&inputs->list[i].fd);
		envelope_free(&inputs->list[i].error);
	}
	for (size_t i = 0; i < inputs->folders_len; i++)
		free(inputs->folders[i].name);
	free(inputs->list);
	free(inputs->folders);
	inputs_init(inputs);
}

/* Takes name (heap) over. */
static struct input *
append(struct inputs *inputs, char *name)
{
	struct input *input;

	inputs->list =
	    grab_more(inputs->list, inputs->len + 1, sizeof(*inputs->list));
	input = &inputs->list[inputs->len++];
	*input = (struct input){.name = name, .fd = -1};
	return input;
}

/* What to do about it. */
static void
put_remedy(struct own_error *error)
{
	error->action = "submit_as";
	if (error->status == ST_SPOOL_FULL) {
		error->action = "retry_after";
		error->text = "Make room, or set TMPDIR to a folder on a "
			      "larger disk.";
	} else if (error->status == ST_EMPTY_INPUT) {
		error->text = "Name the folder that the profiles lie in: "
			      "folders in it are not searched.";
	} else if (error->reason == RE_NOT_REGULAR) {
		error->text = "Give a file, a pipe or a folder, or - for "
			      "standard input.";
	} else if (error->reason == RE_NOT_READABLE) {
		error->text = "Check the name, and whether you may read it.";
	} else {
		error->action = NULL;
	}
}

static void
fail(struct input *input, enum status status, enum reason reason,
     const char *message)
{
	struct own_error error = {.status = status,
				  .reason = reason,
				  .message = message,
				  .name = span_str(input->name)};

	put_remedy(&error);
	own_error(&error, &input->error);
	input->failed = true;
}

static void
fail_open(struct input *input, int error)
{
	char message[256];

	snprintf(message, sizeof(message), "cannot open %s: %s",
		 input->name[0] != '\0' ? "it" : "'', an empty name",
		 strerror(error));
	fail(input, ST_INPUT_KIND, RE_NOT_READABLE, message);
}

/* Copies what is not a regular file; src stays the caller's. */
static void
copy_in(struct input *input, int src)
{
	char message[512];
	enum status status =
	    spool_copy(src, &input->fd, message, sizeof(message));

	if (status != ST_OK)
		fail(input, status,
		     status == ST_INPUT_KIND ? RE_NOT_READABLE : RE_NONE,
		     message);
}

/* Standard input. A regular file is passed as it is, but opened anew for
 * reading only, where that is possible. */
static void
add_stdin(struct inputs *inputs)
{
	struct input *input = append(inputs, grab_text(span_str("-")));
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0) {
		fail_open(input, errno);
	} else if (S_ISREG(st.st_mode)) {
		input->fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
		if (input->fd < 0)
			input->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		if (input->fd < 0)
			fail_open(input, errno);
	} else if (S_ISDIR(st.st_mode)) {
		fail(input, ST_INPUT_KIND, RE_NOT_REGULAR,
		     "standard input is a folder");
	} else {
		copy_in(input, STDIN_FILENO);
	}
}

/* A pipe by name, as the shell's <(…) gives; waits for its writer. */
static void
add_pipe(struct input *input)
{
	int fd = open(input->name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail_open(input, errno);
	else
		copy_in(input, fd);
	fd_close(&fd);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the regular files in a folder, sorted; the caller frees. */
static size_t
list_files(DIR *dir, char ***names_out)
{
	char **names = NULL;
	size_t len = 0;
	struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		struct stat st;

		if (fstatat(dirfd(dir), entry->d_name, &st, 0) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		names = grab_more(names, len + 1, sizeof(*names));
		names[len++] = grab_text(span_str(entry->d_name));
	}
	if (len > 0)
		qsort(names, len, sizeof(*names), by_name);
	*names_out = names;
	return len;
}

static char *
join(const char *folder, const char *name)
{
	size_t len = strlen(folder), size = len + strlen(name) + 2;
	char *path = grab(size);

	while (len > 1 && folder[len - 1] == '/')
		len--;
	snprintf(path, size, "%.*s%s%s", (int)len, folder,
		 folder[len - 1] == '/' ? "" : "/", name);
	return path;
}

static void
add_folder(struct inputs *inputs, const char *operand)
{
	DIR *dir = opendir(operand);
	struct folder *folder;
	char **names;

	if (dir == NULL) {
		fail_open(append(inputs, grab_text(span_str(operand))), errno);
		return;
	}
	inputs->folders = grab_more(inputs->folders, inputs->folders_len + 1,
				    sizeof(*inputs->folders));
	folder = &inputs->folders[inputs->folders_len++];
	*folder = (struct folder){.name = grab_text(span_str(operand))};
	folder->files = list_files(dir, &names);
	for (size_t i = 0; i < folder->files; i++) {
		append(inputs, join(operand, names[i]))->folder =
		    inputs->folders_len;
		free(names[i]);
	}
	free(names);
	closedir(dir);
	if (folder->files == 0)
		fail(append(inputs, grab_text(span_str(operand))),
		     ST_EMPTY_INPUT, RE_NONE,
		     "there are no files in this "
		     "folder");
}

void
inputs_add(struct inputs *inputs, const char *operand)
{
	struct stat st;

	if (inputs->len > 0)
		inputs->several = true;
	if (strcmp(operand, "-") == 0) {
		add_stdin(inputs);
	} else if (stat(operand, &st) < 0) {
		fail_open(append(inputs, grab_text(span_str(operand))), errno);
	} else if (S_ISDIR(st.st_mode)) {
		inputs->several = true;
		add_folder(inputs, operand);
	} else if (S_ISFIFO(st.st_mode)) {
		add_pipe(append(inputs, grab_text(span_str(operand))));
	} else if (!S_ISREG(st.st_mode)) {
		fail(append(inputs, grab_text(span_str(operand))),
		     ST_INPUT_KIND, RE_NOT_REGULAR, "not a regular file");
	} else {
		append(inputs, grab_text(span_str(operand)));
	}
}

int
inputs_open(struct input *input)
{
	struct stat st;
	int fd;

	/* one that is open already is kept: it may be sent twice */
	if (input->fd >= 0) {
		fd = fcntl(input->fd, F_DUPFD_CLOEXEC, 3);
	} else {
		fd = open(input->name,
			  O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	}
	if (fd < 0 || fstat(fd, &st) < 0) {
		fail_open(input, errno);
		fd_close(&fd);
	} else if (!S_ISREG(st.st_mode)) {
		fail(input, ST_INPUT_KIND, RE_NOT_REGULAR,
		     "not a regular file");
		fd_close(&fd);
	}
	return fd;
}
