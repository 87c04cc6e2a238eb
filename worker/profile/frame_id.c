/*
 * The public ids of frames and functions.
 *
 * frame_id is the first 16 bytes of SHA-256 over "extractd.frame/1\0", then
 * six fields, each a 4-byte little-endian length and that many bytes:
 * language; kind ("vm" or empty); function; place; line; column. Numbers are
 * decimal, empty when unknown. function_id is the same over
 * "extractd.function/1\0" and language, kind, function and place without query
 * and fragment, so that it survives an edit above the function; a script's id
 * is no place that survives, so it counts as empty.
 */
#include "worker/profile/frames.h"

#include <stdio.h>
#include <string.h>

#include "proto/bug.h"
#include "worker/input/digest.h"

static void
add_field(struct digest *digest, struct span field)
{
	uint8_t length[4];
	struct writer w;

	BUG_ON(field.len > UINT32_MAX);
	writer_init(&w, length, sizeof(length));
	writer_put_u32(&w, (uint32_t)field.len);
	digest_update(digest, span_of(length, sizeof(length)));
	digest_update(digest, field);
}

static void
add_number(struct digest *digest, uint32_t number)
{
	char text[16] = "";

	if (number != 0)
		snprintf(text, sizeof(text), "%u", number);
	add_field(digest, span_str(text));
}

static void
add_names(struct digest *digest, const struct frames *f,
	  const struct frame_spec *spec, struct span place)
{
	add_field(digest, span_str(language_name(spec->language)));
	add_field(digest, span_str(spec->vm ? "vm" : ""));
	add_field(digest, strings_get(&f->functions, spec->function));
	add_field(digest, place);
}

static void
finish(struct digest *digest, uint8_t id_out[FRAME_ID_BYTES])
{
	uint8_t whole[DIGEST_BYTES];

	digest_final(digest, whole);
	memcpy(id_out, whole, FRAME_ID_BYTES);
}

void
frames_id(const struct frames *f, uint32_t frame,
	  uint8_t id_out[FRAME_ID_BYTES])
{
	static const char domain[] = "extractd.frame/1";
	const struct frame_spec *spec = &f->specs[frame];
	const struct place *place = frames_place(f, spec->place);
	struct digest digest;

	digest_init(&digest);
	digest_update(&digest, span_of(domain, sizeof(domain)));
	add_names(&digest, f, spec, strings_get(&f->texts, place->identity));
	add_number(&digest, spec->line);
	add_number(&digest, spec->column);
	finish(&digest, id_out);
}

static struct span
without_query(struct span place)
{
	for (size_t i = 0; i < place.len; i++)
		if (place.data[i] == '?' || place.data[i] == '#')
			return span_of(place.data, i);
	return place;
}

bool
frames_function_id(const struct frames *f, uint32_t frame,
		   uint8_t id_out[FRAME_ID_BYTES])
{
	static const char domain[] = "extractd.function/1";
	const struct frame_spec *spec = &f->specs[frame];
	const struct place *place = frames_place(f, spec->place);
	struct span where = span_of(NULL, 0);
	struct digest digest;

	if (strings_get(&f->functions, spec->function).len == 0)
		return false;
	if (!place->has_script)
		where = strings_get(&f->texts, place->identity);
	/* A path has lost them already: its ? and # belong to names. */
	if (!place->from_file_url)
		where = without_query(where);
	digest_init(&digest);
	digest_update(&digest, span_of(domain, sizeof(domain)));
	add_names(&digest, f, spec, where);
	finish(&digest, id_out);
	return true;
}
