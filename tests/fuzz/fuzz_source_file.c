/*
 * Any url as a file: valid UTF-8, without NUL, the same twice; inside the
 * project root it is relative; a path of a file: url, written as a url again,
 * is the same path. Input: url, root, map from and map to, each ended by NUL.
 */
#include "proto/utf8.h"
#include "tests/fuzz/fuzz_url.h"

static void
check(struct arena *arena, const struct job *job,
      const struct source_file *file, struct span url)
{
	struct source_file again;

	source_file_of(arena, job, url, &again);
	BUG_ON(again.has_file != file->has_file ||
	       again.category != file->category ||
	       again.has_package != file->has_package);
	BUG_ON(file->has_file && !span_equal(file->file, again.file));
	BUG_ON(file->has_file && !utf8_valid(file->file));
	BUG_ON(file->has_file &&
	       memchr(file->file.data, 0, file->file.len) != NULL);
	BUG_ON(file->has_package && (file->package.len == 0 ||
				     file->category != CATEGORY_DEPENDENCY ||
				     !utf8_valid(file->package)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = span_of(data, size), url = next_word(&text);
	struct source_file plain, file;
	struct arena arena;
	struct job job;

	if (!utf8_valid(span_of(data, size)))
		return -1; /* strings are checked before they come here */
	arena_init(&arena, UINT64_C(1) << 30);
	job_init(&job);
	source_file_of(&arena, &job, url, &plain);
	check(&arena, &job, &plain, url);
	if (plain.from_file_url)
		same_as_file_url(&arena, plain.file);
	job.project_root = next_word(&text);
	job.path_maps_len = text.len > 0;
	job.path_maps[0].from = next_word(&text);
	job.path_maps[0].to = next_word(&text);
	source_file_of(&arena, &job, url, &file);
	check(&arena, &job, &file, url);
	if (job.path_maps_len == 0 && plain.has_file &&
	    !span_equal(plain.file, file.file))
		BUG_ON(file.file.len == 0 || file.file.data[0] == '/');
	arena_fini(&arena);
	return 0;
}
