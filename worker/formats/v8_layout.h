/*
 * Which of V8's formats a JSON object holds, told by its first decisive key,
 * wherever in the file that is. File names decide nothing.
 */
#ifndef WORKER_FORMATS_V8_LAYOUT_H
#define WORKER_FORMATS_V8_LAYOUT_H

#include "proto/job.h"
#include "proto/status.h"
#include "proto/terms.h"
#include "worker/formats/extractor.h"

struct v8_layout {
	enum format format;
	enum envelope envelope;
};

/*
 * Reads from an input of its own until a key decides, and tells progress. A
 * document that ends without one is UNSUPPORTED_FORMAT/unrecognized_layout, and
 * says which keys were seen; one that is not JSON before that has the parser's
 * error.
 */
NODISCARD enum status v8_layout_find(const struct extraction *extraction,
				     struct v8_layout *layout_out);

#endif
