/*
 * Small profiles of each format in each container, for tests that try every
 * n-th failure.
 */
#ifndef TESTS_SUPPORT_FAULT_SAMPLES_H
#define TESTS_SUPPORT_FAULT_SAMPLES_H

#include "tests/support/pack.h"

#define FAULT_FRAME(name)                         \
	"\"callFrame\":{\"functionName\":\"" name \
	"\",\"url\":\"file:///a/" name ".js\",\"lineNumber\":1}"

static const char *const fault_texts[] = {
    "{\"nodes\":[{\"id\":1," FAULT_FRAME(
	"f") ",\"children\":[2]},"
	     "{\"id\":2," FAULT_FRAME(
		 "g") "}],\"startTime\":0,\"endTime\":90,"
		      "\"samples\":[1,2,2],\"timeDeltas\":[1,10,20]}",
    /* times first, so that they are read again at the end */
    "{\"timeDeltas\":[1,10,20],\"samples\":[1,2,2],\"endTime\":90,"
    "\"startTime\":0,\"nodes\":[{\"id\":1," FAULT_FRAME(
	"f") ",\"children\":[2]},{\"id\":2," FAULT_FRAME("g") "}]}",
    "{\"head\":{" FAULT_FRAME("f") ",\"selfSize\":4,\"id\":1,\"children\":[{" FAULT_FRAME(
	"g") ",\"selfSize\":3,\"id\":2,\"children\":[]}]},"
	     "\"samples\":[{\"nodeId\":2,\"size\":3}]}",
};

#define FAULT_TEXTS (sizeof(fault_texts) / sizeof(fault_texts[0]))
#define FAULT_SAMPLES (3 * FAULT_TEXTS)

/* Plain, gzip and zstd of each in turn. The caller frees data. */
static inline struct packed
fault_sample(size_t i)
{
	struct span text = span_str(fault_texts[i / 3]);
	struct packed packed = {0};

	if (i % 3 == 0)
		pack_append(&packed, text.data, text.len);
	else if (i % 3 == 1)
		pack_gzip(&packed, text);
	else
		pack_zstd(&packed, text, 0);
	return packed;
}

#endif
