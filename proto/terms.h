/*
 * The closed vocabularies of a result (terms.def) and the formats that are
 * read (format.def), as enums and names.
 */
#ifndef PROTO_TERMS_H
#define PROTO_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/span.h"
#include "proto/status.h"

enum language {
#define LANGUAGE(name, text) LANGUAGE_##name,
#include "proto/terms.def"
#undef LANGUAGE
	LANGUAGE_COUNT
};

enum frame_type {
#define FRAME_TYPE(name, text) FRAME_TYPE_##name,
#include "proto/terms.def"
#undef FRAME_TYPE
	FRAME_TYPE_COUNT
};

enum category {
#define CATEGORY(name, text) CATEGORY_##name,
#include "proto/terms.def"
#undef CATEGORY
	CATEGORY_COUNT
};

enum symbolization {
#define SYMBOLIZATION(name, text) SYMBOLIZATION_##name,
#include "proto/terms.def"
#undef SYMBOLIZATION
	SYMBOLIZATION_COUNT
};

enum encoding {
#define ENCODING(name, text) ENCODING_##name,
#include "proto/terms.def"
#undef ENCODING
	ENCODING_COUNT
};

/* What was odd in an input, counted. */
enum coverage {
#define COVERAGE(name, public_name, text) COVERAGE_##name,
#include "proto/terms.def"
#undef COVERAGE
	COVERAGE_COUNT
};

/* What a reader of the numbers must know. */
enum limitation {
#define LIMITATION(name, public_name, text) LIMITATION_##name,
#include "proto/terms.def"
#undef LIMITATION
	LIMITATION_COUNT
};

/* Bits of a set of sandbox layers: 1 << SANDBOX_x. */
enum sandbox_layer {
#define SANDBOX_LAYER(name, public_name, required) SANDBOX_##name,
#include "proto/terms.def"
#undef SANDBOX_LAYER
	SANDBOX_LAYER_COUNT
};

/* Who goes first. */
enum job_class {
#define JOB_CLASS(name, text) JOB_CLASS_##name,
#include "proto/terms.def"
#undef JOB_CLASS
	JOB_CLASS_COUNT
};

/* Why somebody was turned away. */
enum rejected {
#define REJECTED(name, text) REJECTED_##name,
#include "proto/terms.def"
#undef REJECTED
	REJECTED_COUNT
};

/* Why a worker did not end by itself. */
enum death {
#define DEATH(name, text) DEATH_##name,
#include "proto/terms.def"
#undef DEATH
	DEATH_COUNT
};

enum format {
	FORMAT_ANY, /* decided by content */
#define FORMAT(name, public_name, kind, extractor, version, media, what) \
	FORMAT_##name,
#include "proto/format.def"
#undef FORMAT
	FORMAT_COUNT
};

struct format_info {
	const char *name;
	const char *kind;
	const char *extractor;
	uint32_t version;
	const char *media_type;
	const char *what;
};

const char *language_name(enum language language);
const char *frame_type_name(enum frame_type type);
const char *category_name(enum category category);
const char *symbolization_name(enum symbolization symbolization);
const char *encoding_name(enum encoding encoding);
const char *coverage_name(enum coverage coverage);
const char *coverage_text(enum coverage coverage);
const char *limitation_name(enum limitation limitation);
const char *limitation_text(enum limitation limitation);
const char *sandbox_layer_name(enum sandbox_layer layer);
bool sandbox_layer_required(enum sandbox_layer layer);
const char *job_class_name(enum job_class class);
const char *rejected_name(enum rejected rejected);
const char *death_name(enum death death);
NODISCARD bool job_class_from_name(struct span name, enum job_class *class_out);

/* format must not be FORMAT_ANY. */
const struct format_info *format_info(enum format format);
NODISCARD bool format_from_name(struct span name, enum format *format_out);

#endif
