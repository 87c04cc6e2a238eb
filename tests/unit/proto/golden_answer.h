/*
 * The values behind RESULT.hex and ROWS.hex, written by hand.
 */
#ifndef TESTS_PROTO_GOLDEN_ANSWER_H
#define TESTS_PROTO_GOLDEN_ANSWER_H

#include "proto/answer.h"

void golden_answer(struct answer *answer_out);

/* ROWS.hex holds two rows of two metrics. */
#define GOLDEN_ROWS 2
#define GOLDEN_ROW_METRICS 2
void golden_row(unsigned which, struct row *row_out);

#endif
