/*
 * Questions to the supervisor that are not answered yet, with who asked: a
 * fixed table. While it is full, no requests are read.
 */
#ifndef FRONT_PENDING_H
#define FRONT_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/front/request.h"
#include "broker/front/server.h"
#include "proto/span.h"

#define PENDING_MAX 256

struct question {
	uint64_t number; /* the record's; 0: the place is free */
	struct peer peer;
	bool has_id;
	uint8_t id_len;
	uint8_t id[REQUEST_ID_BYTES_MAX];
	uint8_t *record; /* owned; the job's, of a submit; else NULL */
	size_t record_len;
	enum job_class class; /* of a submit */
	bool detach;
};

struct pending {
	struct question questions[PENDING_MAX];
	unsigned len;
	uint64_t last;
};

/* A new question; record may be empty. The table must not be full. */
struct question *pending_add(struct pending *pending, const struct peer *peer,
			     const struct request *request, struct span record);

/* NULL when there is no such question. */
struct question *pending_find(struct pending *pending, uint64_t number);

void pending_remove(struct pending *pending, struct question *question);

bool pending_full(const struct pending *pending);

#endif
