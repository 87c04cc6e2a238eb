/*
 * The whole way from bytes to rows: containers, digests, strictness, memory,
 * and files that change.
 */
#include "tests/support/pack.h"
#include "tests/support/v8_text.h"
#include "tests/unit/worker/extract_pieces.h"

#define F(name)                                                                \
	"\"callFrame\":{\"functionName\":\"" name "\",\"url\":\"file:///" name \
	".js\",\"lineNumber\":1}"
#define CPU                                                    \
	"{\"nodes\":[{\"id\":1," F(                            \
	    "f") ",\"hitCount\":1,\"children\":[2]},"          \
		 "{\"id\":2," F(                               \
		     "g") ",\"hitCount\":2}],\"startTime\":0," \
			  "\"endTime\":90,\"samples\":[1,2,2],\"timeDeltas\":[1,10,20]}"
/* the same, so that everything is read again at the end */
#define CPU_LATE                                                        \
	"{\"timeDeltas\":[1,10,20],\"samples\":[1,2,2],\"endTime\":90," \
	"\"startTime\":0,\"nodes\":[{\"id\":1," F(                      \
	    "f") ",\"hitCount\":1,\"children\":[2]},{\"id\":2," F("g") ",\"hitCount\":2}]}"
#define HEAP                                                                    \
	"{\"samples\":[{\"nodeId\":2,\"size\":3}],\"head\":{\"children\":[{" F( \
	    "g") ",\"selfSize\":3,\"id\":2,\"children\":[]}]," F("f") ",\"selfSize\":4,\"id\":1}}"

static struct packed
gzipped(const char *text)
{
	struct packed packed = {0};

	pack_gzip(&packed, span_str(text));
	return packed;
}

static struct packed
zstded(const char *text)
{
	struct packed packed = {0};

	pack_zstd(&packed, span_str(text), 0);
	return packed;
}

/* The lines behind the first, which tells how the bytes were stored. */
static char *
rows_text(struct span bytes)
{
	char *text = extract_pieces(bytes, NULL);
	char *rows = strdup(strchr(text, '\n'));

	free(text);
	return rows;
}

Test(extract, gives_the_same_rows_from_each_container)
{
	static const char *const inputs[] = {CPU, CPU_LATE, HEAP};

	for (int i = 0; i < 3; i++) {
		struct packed gzip = gzipped(inputs[i]);
		struct packed zstd = zstded(inputs[i]);
		char *plain = rows_text(span_str(inputs[i]));
		char *from_gzip = rows_text(packed_span(&gzip));
		char *from_zstd = rows_text(packed_span(&zstd));

		cr_assert_str_eq(from_gzip, plain);
		cr_assert_str_eq(from_zstd, plain);
		free(plain);
		free(from_gzip);
		free(from_zstd);
		free(gzip.data);
		free(zstd.data);
	}
}

Test(extract, tells_stored_and_decoded_sizes)
{
	struct packed gzip = gzipped(CPU);
	struct extracted e;

	extract_bytes(packed_span(&gzip), &(struct extract_how){0}, &e);
	cr_assert_eq(e.answer.encoding, ENCODING_GZIP);
	cr_assert_eq(e.answer.bytes, gzip.len);
	cr_assert_eq(e.answer.decoded_bytes, strlen(CPU));
	extracted_free(&e);
	free(gzip.data);
}

Test(extract, gives_no_ids_of_a_profile_without_a_digest)
{
	struct extracted e = extract_good(CPU, NULL);
	struct job job;

	cr_assert(e.answer.has_digest);
	extracted_free(&e);
	job_init(&job);
	job.digest = false;
	e = extract_good(CPU, &job);
	cr_assert_not(e.answer.has_digest);
	extracted_free(&e);
}

Test(extract, has_a_profile_id_that_changes_with_what_shapes_values)
{
	struct extracted plain = extract_good(CPU, NULL), other;
	struct job job;

	job_init(&job);
	job.rows = 1;
	other = extract_good(CPU, &job);
	cr_assert_arr_eq(plain.answer.profile_id, other.answer.profile_id,
			 FRAME_ID_BYTES);
	extracted_free(&other);
	job.project_root = span_str("/srv");
	other = extract_good(CPU, &job);
	cr_assert_arr_neq(plain.answer.profile_id, other.answer.profile_id,
			  FRAME_ID_BYTES);
	extracted_free(&other);
	other = extract_good(CPU " ", NULL);
	cr_assert_arr_neq(plain.answer.profile_id, other.answer.profile_id,
			  FRAME_ID_BYTES);
	extracted_free(&other);
	extracted_free(&plain);
}

Test(extract, refuses_an_input_of_another_digest)
{
	struct extracted e = extract_good(CPU, NULL);
	struct job job;
	char *text;

	job_init(&job);
	job.digest = false;
	job.has_sha256 = true;
	memcpy(job.sha256, e.answer.sha256, sizeof(job.sha256));
	extracted_free(&e);
	e = extract_good(CPU, &job);
	cr_assert_not(e.answer.has_digest, "asked for no digest");
	extracted_free(&e);
	job.sha256[31] ^= 1;
	text = extract_pieces(span_str(CPU), &job);
	cr_assert_not_null(strstr(text, "ARTIFACT_CHANGED digest_mismatch"));
	free(text);
}

static void
expect_strict(const char *json, bool fails)
{
	struct job job;
	char *text;

	job_init(&job);
	text = extract_pieces(span_str(json), &job);
	cr_assert_eq(strncmp(text, "v8.", 3), 0, "%s", text);
	free(text);
	job.strict = true;
	text = extract_pieces(span_str(json), &job);
	cr_assert_eq(strstr(text, "ARTIFACT_PARSE_FAILED anomaly") == text,
		     fails, "%s", text);
	free(text);
}

Test(extract, takes_no_anomaly_when_it_is_strict)
{
	expect_strict(CPU, false);
	expect_strict("{\"nodes\":[{\"id\":1," F("f") "}],\"samples\":[2]}",
		      true);
	expect_strict("{\"nodes\":[{\"id\":1," F(
			  "f") "}],\"samples\":[1,1],"
			       "\"timeDeltas\":[5,-1],\"endTime\":9}",
		      true);
	expect_strict("{\"head\":{" F(
			  "f") ",\"selfSize\":1,\"id\":1},"
			       "\"samples\":[{\"nodeId\":3,\"size\":1}]}",
		      true);
}

/* Each time that memory is asked for it may be spent: the job then ends by the
 * arena's handler and in no other way. */
static void
fail_each_take(struct span bytes, size_t chunk)
{
	struct extract_how how = {.chunk = chunk};
	struct extracted e;
	uint64_t takes;

	extract_bytes(bytes, &how, &e);
	cr_assert_eq(e.status, ST_OK);
	takes = e.takes;
	cr_assert_gt(takes, 20);
	extracted_free(&e);
	for (how.fail_at = 1; how.fail_at <= takes; how.fail_at++) {
		extract_bytes(bytes, &how, &e);
		cr_assert(e.spent, "%lu", how.fail_at);
		extracted_free(&e);
	}
	extract_bytes(bytes, &how, &e);
	cr_assert_not(e.spent);
	extracted_free(&e);
}

Test(extract, ends_by_the_arenas_handler_whenever_memory_is_spent)
{
	struct packed gzip = gzipped(CPU_LATE), zstd = zstded(CPU_LATE);

	fail_each_take(span_str(CPU), 0);
	fail_each_take(span_str(CPU), 7);
	fail_each_take(span_str(CPU_LATE), 0);
	fail_each_take(span_str(HEAP), 0);
	fail_each_take(packed_span(&gzip), 0);
	fail_each_take(packed_span(&zstd), 0);
	free(gzip.data);
	free(zstd.data);
}

/* A source that says in the end that it is not what it was. */
static bool
never_same(const struct source *source)
{
	(void)source;
	return false;
}

static void
expect_changed(const char *json)
{
	struct source source;
	struct extracted e;

	source_of_memory(&source, span_str(json), 0);
	source.same = never_same;
	extract_source(&source, &(struct extract_how){0}, &e);
	cr_assert_eq(e.status, ST_ARTIFACT_CHANGED, "%s: %s", json,
		     status_name(e.status));
	cr_assert_eq(e.failure.reason, RE_CHANGED_WHILE_READ);
	extracted_free(&e);
}

Test(extract, gives_no_rows_of_a_file_that_changed)
{
	expect_changed(CPU);
	expect_changed(CPU_LATE);
	expect_changed(HEAP);
}

/* Readings count by how often they start at the first byte; from the second
 * on they see another text. */
static const char *later_text;
static unsigned readings, first_readings;

static ssize_t
fickle_read(const struct source *source, void *room, size_t len, uint64_t at)
{
	const char *text = (const char *)source->memory.data;

	if (at == 0)
		readings++;
	if (readings > first_readings || at == strlen("{\"timeDeltas\":["))
		text = later_text;
	if (at >= source->size)
		return 0;
	if (len > source->size - at)
		len = (size_t)(source->size - at);
	memcpy(room, text + at, len);
	return (ssize_t)len;
}

Test(extract, ends_when_the_second_reading_is_not_the_first)
{
	static const char later[] =
	    "{\"timeDeltas\":[1,10,21],\"samples\":[1,2,2],";
	char text[sizeof(CPU_LATE)];
	struct source source;
	struct extracted e;

	strcpy(text, CPU_LATE);
	memcpy(text, later, sizeof(later) - 1);
	later_text = text;
	readings = 0;
	first_readings = UINT32_MAX;
	source_of_memory(&source, span_str(CPU_LATE), 0);
	source.read_at = fickle_read;
	extract_source(&source, &(struct extract_how){0}, &e);
	cr_assert_eq(e.status, ST_ARTIFACT_CHANGED, "%s",
		     status_name(e.status));
	extracted_free(&e);
}

/* Whatever a file becomes between finding its format and reading it, there is
 * an end. */
Test(extract, survives_a_file_that_is_another_after_its_format_was_found)
{
	static const char *const others[] = {HEAP, "[", "{\"nodes\":7}", "{}",
					     "{\"profile\":{\"nodes\":[]}}"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		char text[sizeof(CPU)];
		struct source source;
		struct extracted e;

		memset(text, ' ', sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		memcpy(text, others[i], strlen(others[i]));
		later_text = text;
		readings = 0;
		first_readings = 1;
		source_of_memory(&source, span_str(CPU), 0);
		source.read_at = fickle_read;
		extract_source(&source, &(struct extract_how){0}, &e);
		cr_assert_eq(e.spent, false);
		extracted_free(&e);
	}
}

Test(extract, gives_the_same_bytes_each_time)
{
	char *first = extract_pieces(span_str(CPU), NULL);
	char *second = extract_pieces(span_str(CPU), NULL);

	cr_assert_str_eq(first, second);
	free(first);
	free(second);
}
