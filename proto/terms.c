/*
 * Names of the closed vocabularies.
 */
#include "proto/terms.h"

#include "proto/bug.h"

#define NAME_OF(function, type, count)               \
	const char *function##_name(enum type value) \
	{                                            \
		BUG_ON((unsigned)value >= (count));  \
		return function##_names[value];      \
	}

static const char *const language_names[] = {
#define LANGUAGE(name, text) text,
#include "proto/terms.def"
#undef LANGUAGE
};

static const char *const frame_type_names[] = {
#define FRAME_TYPE(name, text) text,
#include "proto/terms.def"
#undef FRAME_TYPE
};

static const char *const category_names[] = {
#define CATEGORY(name, text) text,
#include "proto/terms.def"
#undef CATEGORY
};

static const char *const symbolization_names[] = {
#define SYMBOLIZATION(name, text) text,
#include "proto/terms.def"
#undef SYMBOLIZATION
};

static const char *const encoding_names[] = {
#define ENCODING(name, text) text,
#include "proto/terms.def"
#undef ENCODING
};

static const char *const coverage_names[] = {
#define COVERAGE(name, public_name, text) public_name,
#include "proto/terms.def"
#undef COVERAGE
};

static const char *const coverage_texts[] = {
#define COVERAGE(name, public_name, text) text,
#include "proto/terms.def"
#undef COVERAGE
};

static const char *const limitation_names[] = {
#define LIMITATION(name, public_name, text) public_name,
#include "proto/terms.def"
#undef LIMITATION
};

static const char *const limitation_texts[] = {
#define LIMITATION(name, public_name, text) text,
#include "proto/terms.def"
#undef LIMITATION
};

static const char *const sandbox_layer_names[] = {
#define SANDBOX_LAYER(name, public_name, required) public_name,
#include "proto/terms.def"
#undef SANDBOX_LAYER
};

static const bool sandbox_layer_requireds[] = {
#define SANDBOX_LAYER(name, public_name, required) required,
#include "proto/terms.def"
#undef SANDBOX_LAYER
};

static const char *const job_class_names[] = {
#define JOB_CLASS(name, text) text,
#include "proto/terms.def"
#undef JOB_CLASS
};

static const char *const rejected_names[] = {
#define REJECTED(name, text) text,
#include "proto/terms.def"
#undef REJECTED
};

static const char *const death_names[] = {
#define DEATH(name, text) text,
#include "proto/terms.def"
#undef DEATH
};

static const struct format_info format_infos[FORMAT_COUNT] = {
#define FORMAT(name_, public_name, kind_, extractor_, version_, media, what_) \
	[FORMAT_##name_] = {.name = (public_name),                            \
			    .kind = (kind_),                                  \
			    .extractor = (extractor_),                        \
			    .version = (version_),                            \
			    .media_type = (media),                            \
			    .what = (what_)},
#include "proto/format.def"
#undef FORMAT
};

NAME_OF(language, language, LANGUAGE_COUNT)
NAME_OF(frame_type, frame_type, FRAME_TYPE_COUNT)
NAME_OF(category, category, CATEGORY_COUNT)
NAME_OF(symbolization, symbolization, SYMBOLIZATION_COUNT)
NAME_OF(encoding, encoding, ENCODING_COUNT)
NAME_OF(coverage, coverage, COVERAGE_COUNT)
NAME_OF(limitation, limitation, LIMITATION_COUNT)
NAME_OF(sandbox_layer, sandbox_layer, SANDBOX_LAYER_COUNT)
NAME_OF(job_class, job_class, JOB_CLASS_COUNT)
NAME_OF(rejected, rejected, REJECTED_COUNT)
NAME_OF(death, death, DEATH_COUNT)

const char *
coverage_text(enum coverage coverage)
{
	BUG_ON((unsigned)coverage >= COVERAGE_COUNT);
	return coverage_texts[coverage];
}

const char *
limitation_text(enum limitation limitation)
{
	BUG_ON((unsigned)limitation >= LIMITATION_COUNT);
	return limitation_texts[limitation];
}

bool
sandbox_layer_required(enum sandbox_layer layer)
{
	BUG_ON((unsigned)layer >= SANDBOX_LAYER_COUNT);
	return sandbox_layer_requireds[layer];
}

const struct format_info *
format_info(enum format format)
{
	BUG_ON(format <= FORMAT_ANY || format >= FORMAT_COUNT);
	return &format_infos[format];
}

bool
format_from_name(struct span name, enum format *format_out)
{
	for (unsigned i = FORMAT_ANY + 1; i < FORMAT_COUNT; i++) {
		if (span_is(name, format_infos[i].name)) {
			*format_out = (enum format)i;
			return true;
		}
	}
	return false;
}

bool
job_class_from_name(struct span name, enum job_class *class_out)
{
	for (unsigned i = 0; i < JOB_CLASS_COUNT; i++) {
		if (span_is(name, job_class_names[i])) {
			*class_out = (enum job_class)i;
			return true;
		}
	}
	return false;
}
