/*
 * Caps: those of a job (limits.def, each with its reason) and those of the
 * private wire (here).
 */
#ifndef PROTO_LIMITS_H
#define PROTO_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"
#include "proto/status.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)

enum limit {
#define LIMIT(name, default_, ceiling, floor, unit, why) LIMIT_##name,
#include "proto/limits.def"
#undef LIMIT
	LIMIT_COUNT,
	LIMIT_NONE = 255 /* on the wire: no limit is named */
};

enum limit_unit {
	LIMIT_UNIT_BYTES,
	LIMIT_UNIT_COUNT,
	LIMIT_UNIT_SECONDS,
};

/* One value for each limit. */
struct limits {
	uint64_t of[LIMIT_COUNT];
};

const char *limit_name(enum limit limit);
const char *limit_why(enum limit limit);
enum limit_unit limit_unit(enum limit limit);
const char *limit_unit_name(enum limit limit);
uint64_t limit_default(enum limit limit);
uint64_t limit_ceiling(enum limit limit);
uint64_t limit_floor(enum limit limit);
NODISCARD bool limit_from_name(struct span name, enum limit *limit_out);

/* True for the limits on time, whose errors exit as a time-out. */
bool limit_is_time(enum limit limit);

void limits_default(struct limits *limits_out);

/*
 * Reads "40M" or "7200": decimal digits, then nothing or one of K, M, G, T
 * (powers of 1024 for bytes, of 1000 for anything else; lower case too).
 */
NODISCARD bool limit_parse(enum limit limit, struct span text,
			   uint64_t *value_out);

/* The exit status of extract-client for an error. */
int status_exit_code(enum status status, enum limit limit);

/* The private wire. A frame is a header and at most so much payload. */
#define FRAME_HEADER_BYTES 16
#define FRAME_BYTES_MAX (32 * 1024)
#define FRAME_PAYLOAD_MAX (FRAME_BYTES_MAX - FRAME_HEADER_BYTES)

#define TICKET_BYTES 16		   /* unguessable; 128 bits */
#define JOB_NAME_BYTES_MAX 4096	   /* the artifact's name, as PATH_MAX */
#define JOB_ROOT_BYTES_MAX 4096	   /* the project root, as PATH_MAX */
#define JOB_PATH_MAPS_MAX 16	   /* more than any build needs */
#define JOB_PATH_MAP_BYTES_MAX 512 /* one side of a path map */
#define METRICS_MAX 16		   /* metrics of one result */
#define METRIC_NAME_BYTES_MAX 64   /* "memory.self_size" is 16 */
#define PRODUCER_BYTES_MAX 256	   /* name, version or source of a producer */

#endif
