/*
 * A judge of JSON that none of ours had a hand in: the parser alone, as strict
 * as it comes, and valid UTF-8.
 */
#ifndef TESTS_FUZZ_IS_JSON_H
#define TESTS_FUZZ_IS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <yajl/yajl_parse.h>

#include "proto/span.h"
#include "proto/utf8.h"

static inline bool
is_json(struct span text)
{
	yajl_handle yajl = yajl_alloc(NULL, NULL, NULL);
	bool good = utf8_valid(text) &&
		    yajl_parse(yajl, text.data, text.len) == yajl_status_ok &&
		    yajl_complete_parse(yajl) == yajl_status_ok;

	yajl_free(yajl);
	return good;
}

#endif
