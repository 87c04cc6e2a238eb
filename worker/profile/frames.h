/*
 * The distinct frames of a profile. A frame is one tuple of language, kind,
 * function, place, line and column, however often and however spelled it comes;
 * it is named by its number, in the order of first sight. Knows no format.
 */
#ifndef WORKER_PROFILE_FRAMES_H
#define WORKER_PROFILE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/answer.h"
#include "proto/failure.h"
#include "proto/job.h"
#include "proto/span.h"
#include "proto/status.h"
#include "proto/terms.h"
#include "worker/arena.h"
#include "worker/profile/strings.h"

#define FRAME_NONE UINT32_MAX

/* Where code lives: a url, or a script of which only the id is known. */
struct place {
	uint32_t url;	   /* string; the writer's, unescaped */
	uint32_t identity; /* string: file, else url, else script:ID */
	uint32_t file, script, package; /* strings, when there is one */
	bool has_file, has_script, has_package;
	bool from_file_url;	/* file is a path, without query and fragment */
	enum category category; /* what the url alone tells */
};

/* What a format knows of a frame. */
struct frame_spec {
	enum language language;
	enum frame_type type;
	enum category category;
	enum symbolization symbolization;
	bool vm;	       /* a state of the VM, not a function */
	uint32_t function;     /* from frames_function */
	uint32_t place;	       /* from frames_url or frames_script */
	uint32_t line, column; /* from 1; 0: unknown */
};

struct frames {
	struct arena *arena;   /* borrowed */
	const struct job *job; /* borrowed: maps, root, caps */
	struct strings functions;
	struct strings texts; /* urls, identities, files, scripts, packages */
	struct place *places; /* owned: a table */
	size_t places_bytes;
	uint32_t places_len;
	uint32_t *url_place; /* owned: a table; place + 1 by string number */
	size_t url_place_bytes;
	uint32_t *script_place; /* owned: the same for script ids */
	size_t script_place_bytes;
	struct frame_spec *specs; /* owned: a table */
	size_t specs_bytes;
	uint32_t len;
	uint32_t *slots; /* owned: a table; frame + 1, 0 is free */
	size_t slots_bytes;
	uint32_t mask;
};

void frames_init(struct frames *frames, struct arena *arena,
		 const struct job *job);

uint32_t frames_function(struct frames *frames, struct span name);
uint32_t frames_url(struct frames *frames, struct span url);

/* A place without a url, told apart by the id of its script. */
uint32_t frames_script(struct frames *frames, struct span id);

const struct place *frames_place(const struct frames *frames, uint32_t place);

/* The frame's number. LIMIT_EXCEEDED max_frames, told in failure. */
NODISCARD enum status frames_intern(struct frames *frames,
				    const struct frame_spec *spec,
				    struct failure *failure,
				    uint32_t *frame_out);

/* The ids of contract and docs: see frame_id.c for their preimages. */
void frames_id(const struct frames *frames, uint32_t frame,
	       uint8_t id_out[FRAME_ID_BYTES]);

/* False when the frame has no name, and so no function id. */
bool frames_function_id(const struct frames *frames, uint32_t frame,
			uint8_t id_out[FRAME_ID_BYTES]);

/* Everything of a row that does not depend on measurements, strings uncut. */
void frames_describe(const struct frames *frames, uint32_t frame,
		     struct row *row_out);

#endif
