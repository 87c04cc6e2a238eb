/*
 * Where results go: standard output, or a file that appears only when it is
 * whole.
 */
#ifndef CLIENT_OUTFILE_H
#define CLIENT_OUTFILE_H

#include <limits.h>
#include <stdbool.h>

#include "proto/span.h"
#include "proto/status.h"

struct outfile {
	int fd; /* owned unless it is standard output */
	bool is_stdout;
	char path[PATH_MAX];  /* of the file it will be; "" for stdout */
	char draft[PATH_MAX]; /* of the temporary beside it; "" for none */
	bool wrote;
	int error; /* errno of the first write that failed; 0 */
};

void outfile_init(struct outfile *out);

/* path NULL or "-" is standard output. False, and said, when it cannot be
 * opened. */
NODISCARD bool outfile_open(struct outfile *out, const char *path);

/* Writes all of it; does nothing after a failure. A signal ends it early. */
void outfile_write(struct outfile *out, struct span text);

/* True while writes reach somebody. */
bool outfile_good(const struct outfile *out);

/*
 * Puts the draft in its place, or removes it when `keep` is false. The exit
 * status: 0, or that of a failed write, which is said. A closed pipe ends the
 * program as it ends others: by SIGPIPE, after all else was tidied up; then
 * *signal_out is set.
 */
int outfile_close(struct outfile *out, bool keep, int *signal_out);

#endif
