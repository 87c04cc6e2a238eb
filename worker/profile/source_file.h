/*
 * From the url that a writer gave to the file it stands for, and to what can
 * be told from it: which package it belongs to and what kind of code it is.
 */
#ifndef WORKER_PROFILE_SOURCE_FILE_H
#define WORKER_PROFILE_SOURCE_FILE_H

#include <stdbool.h>

#include "proto/job.h"
#include "proto/span.h"
#include "proto/terms.h"
#include "worker/arena.h"

/* Spans borrow from the url or from the arena. */
struct source_file {
	bool has_file;
	bool from_file_url; /* file is a path: ? and # are part of names */
	struct span file;
	enum category category; /* USER, DEPENDENCY, NODE, NATIVE, WASM, EVAL */
	bool has_package;
	struct span package;
};

/*
 * The rules, in docs/formats/: file: URLs become paths (query and fragment cut,
 * percent-decoded, .. resolved, drive letters and hosts kept); where decoding
 * gives invalid UTF-8, NUL or /, there is no file. Paths are mapped by the
 * job's path maps, the first that fits, and made relative to its project root
 * when inside; both match whole segments. Other schemes and bare names stay as
 * they are. An empty url has no file.
 */
void source_file_of(struct arena *arena, const struct job *job, struct span url,
		    struct source_file *out);

#endif
