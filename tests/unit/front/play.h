/*
 * A worker's part in tests of the front: frames as a good worker sends them,
 * to be bent by the test.
 */
#ifndef TESTS_FRONT_PLAY_H
#define TESTS_FRONT_PLAY_H

#include "broker/front/relay.h"
#include "proto/answer.h"
#include "proto/failure.h"
#include "proto/frame.h"
#include "proto/job.h"

/* A job with defaults, named app.cpuprofile. */
void play_job(struct job *job);

/* Two metrics, three rows of which two are returned. */
void play_answer(struct answer *answer);
void play_row(struct row *row, unsigned number); /* 0 and 1 */

/* Frames; the bytes are static and live until the same function is called
 * again. */
struct span play_progress(void);
struct span play_result(const struct answer *answer);
struct span play_rows(const struct row *rows, unsigned rows_len,
		      unsigned metrics);
struct span play_done(uint32_t rows);
struct span play_failed(const struct failure *failure);
struct span play_words(const char *text);

/* Feeds RESULT, both rows and DONE. */
void play_all(struct relay *relay);

/* The whole of a file in the folder of the tests; freed by nobody. */
struct span play_file(const char *name);

#endif
