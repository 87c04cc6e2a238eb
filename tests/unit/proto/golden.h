/*
 * Reads tests/golden: exact bytes of frames, and lists of wire numbers.
 */
#ifndef TESTS_PROTO_GOLDEN_H
#define TESTS_PROTO_GOLDEN_H

#include <stddef.h>

#include "proto/frame.h"
#include "proto/job.h"
#include "proto/span.h"

/* The frame in <name>.hex. Borrowed: until the next call. */
struct span golden_frame(const char *name);

/* The same, taken apart as a frame that `sender` sent. */
struct frame golden_decoded(const char *name, enum party sender);

/* The job that all golden frames carry, and the digest 00 01 02 … in them. */
#define GOLDEN_JOB UINT64_C(0x0123456789abcdef)
extern const uint8_t golden_digest[32];

/* a0 a1 … af */
extern const uint8_t golden_ticket[16];

/* The record inside JOB, ADMIT and ADOPT, as a value. */
void golden_job(struct job *job_out);

/* Starts a frame in a static array; then write the payload. */
struct writer *golden_begin(enum message message);

/* Ends it and fails the test unless it is the frame in <name>.hex. */
void golden_end(struct writer *w, const char *name);

/*
 * Fails the test unless the list in <file> names exactly `count` numbers from
 * `first`, each with the name in names[number]. `group`: only lines that begin
 * with that word; NULL: the lines have no such word.
 */
void golden_list(const char *file, const char *group, const char *const *names,
		 unsigned first, unsigned count);

#endif
