/*
 * Interning in three steps: the function's name, the place of its url (whose
 * file and package are worked out once a url), and the tuple of both with line
 * and column. Every step is one look-up when the frame is known already.
 */
#include "worker/profile/frames.h"

#include <string.h>

#include "proto/bug.h"
#include "worker/profile/hash.h"
#include "worker/profile/source_file.h"

#define FIRST_SLOTS 1024

void
frames_init(struct frames *frames, struct arena *arena, const struct job *job)
{
	*frames = (struct frames){.arena = arena, .job = job};
	strings_init(&frames->functions, arena);
	strings_init(&frames->texts, arena);
}

uint32_t
frames_function(struct frames *frames, struct span name)
{
	return strings_intern(&frames->functions, name);
}

/* Makes room in a table for element `len`. */
static void
make_room(struct arena *arena, void **base, size_t *bytes, uint32_t len,
	  size_t element)
{
	size_t need = ((size_t)len + 1) * element;

	if (need > *bytes) {
		size_t more = table_size(*bytes, need);

		table_grow(arena, base, *bytes, more);
		*bytes = more;
	}
}

static uint32_t
add_place(struct frames *f, const struct place *place)
{
	make_room(f->arena, (void **)&f->places, &f->places_bytes,
		  f->places_len, sizeof(f->places[0]));
	f->places[f->places_len] = *place;
	return f->places_len++;
}

static uint32_t
place_of_url(struct frames *f, uint32_t url)
{
	struct span text = strings_get(&f->texts, url);
	struct place place = {.url = url, .identity = url};
	struct source_file file;

	source_file_of(f->arena, f->job, text, &file);
	place.category = file.category;
	place.has_file = file.has_file;
	place.from_file_url = file.from_file_url;
	if (file.has_file) {
		place.file = strings_intern(&f->texts, file.file);
		place.identity = place.file;
	}
	place.has_package = file.has_package;
	if (file.has_package)
		place.package = strings_intern(&f->texts, file.package);
	return add_place(f, &place);
}

uint32_t
frames_url(struct frames *f, struct span url)
{
	uint32_t text = strings_intern(&f->texts, url);

	make_room(f->arena, (void **)&f->url_place, &f->url_place_bytes, text,
		  sizeof(f->url_place[0]));
	if (f->url_place[text] == 0) {
		uint32_t place = place_of_url(f, text);

		f->url_place[text] = place + 1;
	}
	return f->url_place[text] - 1;
}

static uint32_t
place_of_script(struct frames *f, uint32_t script)
{
	static const char prefix[] = "script:";
	const size_t len = sizeof(prefix) - 1;
	struct span id = strings_get(&f->texts, script);
	struct place place = {.script = script, .has_script = true};
	uint8_t *text = arena_alloc(f->arena, len + id.len);

	memcpy(text, prefix, len);
	memcpy(text + len, id.data, id.len);
	place.identity = strings_intern(&f->texts, span_of(text, len + id.len));
	arena_free(f->arena, text);
	place.url = strings_intern(&f->texts, span_str(""));
	place.category = CATEGORY_EVAL;
	return add_place(f, &place);
}

uint32_t
frames_script(struct frames *f, struct span id)
{
	uint32_t text = strings_intern(&f->texts, id);

	make_room(f->arena, (void **)&f->script_place, &f->script_place_bytes,
		  text, sizeof(f->script_place[0]));
	if (f->script_place[text] == 0) {
		uint32_t place = place_of_script(f, text);

		f->script_place[text] = place + 1;
	}
	return f->script_place[text] - 1;
}

const struct place *
frames_place(const struct frames *frames, uint32_t place)
{
	BUG_ON(place >= frames->places_len);
	return &frames->places[place];
}

static uint32_t
hash_spec(const struct frames *f, const struct frame_spec *spec)
{
	uint64_t names =
	    ((uint64_t)spec->function << 32) | f->places[spec->place].identity;
	uint64_t position = ((uint64_t)spec->line << 32) | spec->column;

	return (uint32_t)hash_u64(names ^
				  hash_u64(position ^ (uint64_t)spec->vm));
}

static bool
same_frame(const struct frames *f, const struct frame_spec *a,
	   const struct frame_spec *b)
{
	return a->function == b->function && a->line == b->line &&
	       a->column == b->column && a->vm == b->vm &&
	       a->language == b->language &&
	       f->places[a->place].identity == f->places[b->place].identity;
}

static void
put_slot(struct frames *f, uint32_t frame)
{
	uint32_t at = hash_spec(f, &f->specs[frame]) & f->mask;

	while (f->slots[at] != 0)
		at = (at + 1) & f->mask;
	f->slots[at] = frame + 1;
}

static void
grow_slots(struct frames *f)
{
	size_t count = f->mask == 0 ? FIRST_SLOTS : 2 * ((size_t)f->mask + 1);

	BUG_ON(count > UINT32_MAX);
	table_grow(f->arena, (void **)&f->slots, f->slots_bytes, 0);
	f->slots_bytes = count * sizeof(f->slots[0]);
	table_grow(f->arena, (void **)&f->slots, 0, f->slots_bytes);
	f->mask = (uint32_t)(count - 1);
	for (uint32_t i = 0; i < f->len; i++)
		put_slot(f, i);
}

enum status
frames_intern(struct frames *f, const struct frame_spec *spec,
	      struct failure *failure, uint32_t *frame_out)
{
	uint64_t max = f->job->limits.of[LIMIT_MAX_FRAMES];

	BUG_ON(spec->place >= f->places_len);
	if (f->mask == 0 || f->len >= f->mask / 2)
		grow_slots(f);
	for (uint32_t at = hash_spec(f, spec) & f->mask; f->slots[at] != 0;
	     at = (at + 1) & f->mask) {
		uint32_t frame = f->slots[at] - 1;

		if (same_frame(f, &f->specs[frame], spec)) {
			*frame_out = frame;
			return ST_OK;
		}
	}
	if (f->len >= max) {
		failure_of_limit(failure, LIMIT_MAX_FRAMES, max + 1, max);
		return ST_LIMIT_EXCEEDED;
	}
	make_room(f->arena, (void **)&f->specs, &f->specs_bytes, f->len,
		  sizeof(f->specs[0]));
	f->specs[f->len] = *spec;
	f->len++;
	put_slot(f, f->len - 1);
	*frame_out = f->len - 1;
	return ST_OK;
}

void
frames_describe(const struct frames *f, uint32_t frame, struct row *row_out)
{
	const struct frame_spec *spec = &f->specs[frame];
	const struct place *place = frames_place(f, spec->place);

	*row_out = (struct row){
	    .language = spec->language,
	    .frame_type = spec->type,
	    .category = spec->category,
	    .symbolization = spec->symbolization,
	    .function = strings_get(&f->functions, spec->function),
	    .url = strings_get(&f->texts, place->url),
	    .has_file = place->has_file,
	    .has_script = place->has_script,
	    .has_package = place->has_package,
	    .line = spec->line,
	    .column = spec->column,
	};
	if (place->has_file)
		row_out->file = strings_get(&f->texts, place->file);
	if (place->has_script)
		row_out->script = strings_get(&f->texts, place->script);
	if (place->has_package)
		row_out->package = strings_get(&f->texts, place->package);
	frames_id(f, frame, row_out->frame_id);
	row_out->has_function_id =
	    frames_function_id(f, frame, row_out->function_id);
}
