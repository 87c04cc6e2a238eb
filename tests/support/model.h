/*
 * What the worker's model needs to stand: an arena, a job with default limits,
 * a failure and an empty profile, for tests of its parts.
 */
#ifndef TESTS_SUPPORT_MODEL_H
#define TESTS_SUPPORT_MODEL_H

#include "worker/profile/profile.h"

struct model {
	struct arena arena;
	struct job job;
	struct failure failure;
	struct profile profile;
};

static inline void
model_init(struct model *model)
{
	*model = (struct model){0};
	arena_init(&model->arena, UINT64_C(1) << 32);
	job_init(&model->job);
	profile_init(&model->profile, &model->arena, &model->job,
		     &model->failure);
}

static inline void
model_fini(struct model *model)
{
	arena_fini(&model->arena);
}

/* A plain function's frame: its name, at line 1 of a file. */
static inline uint32_t
model_frame(struct model *model, const char *name)
{
	struct frames *frames = &model->profile.frames;
	struct frame_spec spec = {.language = LANGUAGE_JAVASCRIPT, .line = 1};
	uint32_t frame = FRAME_NONE;

	spec.function = frames_function(frames, span_str(name));
	spec.place = frames_url(frames, span_str("file:///a.js"));
	if (frames_intern(frames, &spec, &model->failure, &frame) != ST_OK)
		return FRAME_NONE;
	return frame;
}

#endif
