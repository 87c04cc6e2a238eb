/*
 * Numbers from their JSON text, exactly and without the locale. The text is
 * well-formed JSON; any spelling of an integer is one: 2, 2.0, 30E-1, 1e2, -0.
 */
#ifndef WORKER_JSON_NUMBER_H
#define WORKER_JSON_NUMBER_H

#include <stdint.h>

#include "proto/span.h"

enum number_result {
	NUMBER_OK,
	NUMBER_FRACTION, /* not an integer */
	NUMBER_RANGE,	 /* an integer outside 64 bits, or beyond a double */
};

/* Bytes of the JSON number that text starts with, as long as it goes; 0 when
 * there is none. "1.x" starts with the number 1. */
size_t number_prefix(struct span text);

/* value_out is untouched unless NUMBER_OK. */
enum number_result number_to_int64(struct span text, int64_t *value_out);

/* Seconds with a fraction to whole microseconds, half away from zero. Never
 * NUMBER_FRACTION. */
enum number_result number_seconds_to_us(struct span text, int64_t *value_out);

#endif
