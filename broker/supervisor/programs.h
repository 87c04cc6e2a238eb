/*
 * The programs that we start, found and opened once, so that what runs later
 * is what was there at start, whatever happens to the names.
 */
#ifndef SUPERVISOR_PROGRAMS_H
#define SUPERVISOR_PROGRAMS_H

struct programs {
	int worker_fd; /* owned; O_PATH */
	int front_fd;  /* owned; O_PATH */
	int null_fd;   /* owned; /dev/null, standard input of all children */
};

/* libexec_dir is where both are; NULL: beside us, else in
 * ../libexec/extractd. Dies when one is not there. */
void programs_open(struct programs *programs_out, const char *libexec_dir);
void programs_fini(struct programs *programs);

#endif
