/*
 * What V8 means by a frame: which are states of the VM, which are built in, and
 * when only the script's id tells two functions apart.
 */
#include "worker/formats/v8_frame.h"

#include <inttypes.h>
#include <stdio.h>

#include "worker/json/number.h"

/* lineNumber and columnNumber are int in V8; from 0, so one is left. */
#define POSITION_MAX (INT32_MAX - 1)

/* CodeEntry's own names, in V8's src/profiler/cpu-profiler. */
static const struct {
	const char *name;
	enum category category;
} vm_states[] = {
    {"(program)", CATEGORY_PROGRAM},
    {"(idle)", CATEGORY_IDLE},
    {"(garbage collector)", CATEGORY_GC},
    {"(root)", CATEGORY_ROOT},
    {"(unresolved function)", CATEGORY_UNKNOWN},
};

static const char *const field_names[V8_FRAME_FIELDS] = {
    [V8_FUNCTION_NAME] = "functionName",
    [V8_SCRIPT_ID] = "scriptId",
    [V8_URL] = "url",
    [V8_LINE] = "lineNumber",
    [V8_COLUMN] = "columnNumber",
};

void
v8_frame_init(struct v8_frame *frame)
{
	*frame = (struct v8_frame){.line = -1, .column = -1};
}

enum v8_frame_field
v8_frame_field(struct span key)
{
	unsigned i = 0;

	while (i < V8_FRAME_FIELDS && !span_is(key, field_names[i]))
		i++;
	return (enum v8_frame_field)i;
}

enum status
v8_frame_begin_field(struct v8_frame *frame, struct json_stream *stream,
		     enum v8_frame_field field)
{
	unsigned bit = 1U << field;

	if ((frame->seen & bit) != 0)
		return json_stream_fail(stream, RE_DUPLICATE_KEY);
	frame->seen |= bit;
	return ST_OK;
}

static void
set_script(struct v8_frame *frame, struct profile *profile, struct span id)
{
	frame->has_script = id.len > 0 && !span_is(id, "0");
	if (frame->has_script)
		frame->script = frames_script(&profile->frames, id);
}

enum status
v8_frame_string(struct v8_frame *frame, struct json_stream *stream,
		struct profile *profile, enum v8_frame_field field,
		struct span text)
{
	switch (field) {
	case V8_FUNCTION_NAME:
		frame->function = frames_function(&profile->frames, text);
		return ST_OK;
	case V8_URL:
		frame->has_url = text.len > 0;
		if (frame->has_url)
			frame->url = frames_url(&profile->frames, text);
		return ST_OK;
	case V8_SCRIPT_ID:
		set_script(frame, profile, text);
		return ST_OK;
	default:
		return json_stream_fail(stream, RE_WRONG_TYPE);
	}
}

static enum status
position(struct json_stream *stream, struct span text, int64_t *value_out)
{
	int64_t value;

	TRY(v8_integer(stream, text, &value));
	if (value > POSITION_MAX)
		return json_stream_fail(stream, RE_NUMBER_OUT_OF_RANGE);
	*value_out = value;
	return ST_OK;
}

enum status
v8_frame_number(struct v8_frame *frame, struct json_stream *stream,
		struct profile *profile, enum v8_frame_field field,
		struct span text)
{
	int64_t id;
	char decimal[24];

	switch (field) {
	case V8_LINE:
		return position(stream, text, &frame->line);
	case V8_COLUMN:
		return position(stream, text, &frame->column);
	case V8_SCRIPT_ID:
		TRY(v8_integer(stream, text, &id));
		snprintf(decimal, sizeof(decimal), "%" PRId64, id);
		set_script(frame, profile, span_str(decimal));
		return ST_OK;
	default:
		return json_stream_fail(stream, RE_WRONG_TYPE);
	}
}

/* 0 when there is none. */
static uint32_t
one_based(int64_t written, bool flat)
{
	if (flat)
		return written <= 0 ? 0 : (uint32_t)written;
	return written < 0 ? 0 : (uint32_t)(written + 1);
}

static bool
is_vm_state(struct span name, enum category *category_out)
{
	for (size_t i = 0; i < sizeof(vm_states) / sizeof(vm_states[0]); i++) {
		if (span_is(name, vm_states[i].name)) {
			*category_out = vm_states[i].category;
			return true;
		}
	}
	return false;
}

/* Of a frame that has neither url nor script. */
static enum category
category_without_place(struct span name)
{
	if (span_starts(name, "wasm-"))
		return CATEGORY_WASM;
	if (span_starts(name, "RegExp: "))
		return CATEGORY_REGEXP;
	return CATEGORY_NATIVE;
}

static enum symbolization
symbolization_of(const struct frame_spec *spec, struct span name, bool has_url)
{
	if (spec->vm)
		return spec->category == CATEGORY_UNKNOWN
			   ? SYMBOLIZATION_UNRESOLVED
			   : SYMBOLIZATION_NOT_APPLICABLE;
	if (name.len > 0 && has_url && spec->line != 0)
		return SYMBOLIZATION_COMPLETE;
	if (name.len == 0 && !has_url)
		return SYMBOLIZATION_UNRESOLVED;
	return SYMBOLIZATION_PARTIAL;
}

enum status
v8_frame_intern(const struct v8_frame *frame, bool flat,
		struct profile *profile, uint32_t *frame_out)
{
	struct frames *frames = &profile->frames;
	struct frame_spec spec = {.language = LANGUAGE_JAVASCRIPT};
	struct span name;

	spec.function = (frame->seen & (1U << V8_FUNCTION_NAME)) != 0
			    ? frame->function
			    : frames_function(frames, span_str(""));
	name = strings_get(&frames->functions, spec.function);
	if (frame->has_url) {
		spec.place = frame->url;
		spec.category = frames_place(frames, spec.place)->category;
	} else if (frame->has_script) {
		spec.place = frame->script;
		spec.category = category_without_place(name);
		if (spec.category == CATEGORY_NATIVE)
			spec.category = CATEGORY_EVAL;
	} else {
		spec.place = frames_url(frames, span_str(""));
		spec.vm = is_vm_state(name, &spec.category);
		if (!spec.vm)
			spec.category = category_without_place(name);
	}
	if (!spec.vm) {
		spec.line = one_based(frame->line, flat);
		spec.column = one_based(frame->column, flat);
	}
	spec.type = spec.category == CATEGORY_NATIVE ? FRAME_TYPE_NATIVE
						     : FRAME_TYPE_V8JS;
	spec.symbolization = symbolization_of(&spec, name, frame->has_url);
	return frames_intern(frames, &spec, profile->failure, frame_out);
}

enum status
v8_integer(struct json_stream *stream, struct span text, int64_t *value_out)
{
	switch (number_to_int64(text, value_out)) {
	case NUMBER_OK:
		return ST_OK;
	case NUMBER_FRACTION:
		return json_stream_fail(stream, RE_WRONG_TYPE);
	default:
		return json_stream_fail(stream, RE_NUMBER_OUT_OF_RANGE);
	}
}

enum status
v8_count(struct json_stream *stream, struct span text, uint64_t *value_out)
{
	int64_t value;

	TRY(v8_integer(stream, text, &value));
	if (value < 0)
		return json_stream_fail(stream, RE_NEGATIVE_VALUE);
	*value_out = (uint64_t)value;
	return ST_OK;
}
