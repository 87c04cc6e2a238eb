/*
 * Answers what cannot be true; the artifact's name says which lie.
 */
#include "tests/misbehave/standin.h"

static void
wrong_length(void)
{
	struct writer w;
	struct span bytes;

	standin_begin(&w, MSG_DONE);
	writer_put_u32(&w, 0);
	bytes = frame_end(&w);
	(void)send(WORKER_CHANNEL_FD, bytes.data, bytes.len - 1, MSG_NOSIGNAL);
}

static void
foreign_job(void)
{
	standin_id++;
	standin_fail(ST_EMPTY_INPUT, RE_NONE, "not mine");
}

static void
descriptor_rides_along(void)
{
	struct writer w;

	standin_begin(&w, MSG_DONE);
	writer_put_u32(&w, 0);
	if (chan_send(WORKER_CHANNEL_FD, frame_end(&w), WORKER_INPUT_FD,
		      true) != CHAN_OK)
		_exit(WORKER_EXIT_PROTOCOL);
}

/* One row that nothing is wrong with. */
static struct row
good_row(void)
{
	return (struct row){.frame_type = FRAME_TYPE_V8JS,
			    .language = LANGUAGE_JAVASCRIPT,
			    .function = span_str("liar"),
			    .url = span_str("file:///liar.js"),
			    .rank_self = 1,
			    .rank_inclusive = 1,
			    .self = {1},
			    .inclusive = {1}};
}

/* RESULT, that row and DONE; behind the row so many bytes too many. */
static void
result_of(const struct row *row, unsigned more)
{
	struct writer w;

	standin_result(1);
	standin_begin(&w, MSG_ROWS);
	writer_put_u16(&w, 1);
	row_write(&w, row, 1);
	for (unsigned i = 0; i < more; i++)
		writer_put_u8(&w, 0);
	standin_send(&w);
	standin_done(1);
}

/* A row with a string or a number that cannot be. */
static void
odd_row(const char *lie)
{
	static char text[16384];
	struct row row = good_row();

	memset(text, 'x', sizeof(text));
	if (strstr(lie, "long") != NULL)
		row.function = span_of(text, 6145);
	else if (strstr(lie, "utf8") != NULL)
		row.url = span_str("\xc0\xaf");
	else if (strstr(lie, "cut_char") != NULL)
		row.function = span_str("a\xe2\x82");
	else if (strstr(lie, "self") != NULL)
		row.self[0] = row.inclusive[0] = 2;
	else if (strstr(lie, "missing") != NULL)
		row.self[0] = row.inclusive[0] = 0;
	else if (strstr(lie, "inclusive") != NULL)
		row.inclusive[0] = 7;
	else if (strstr(lie, "rank") != NULL)
		row.rank_self = 2;
	else if (strstr(lie, "category") != NULL)
		row.category = (enum category)0xff;
	result_of(&row, strstr(lie, "behind") != NULL);
}

/* A failure that is not a worker's to claim, and one with too many bytes. */
static void
odd_failure(const char *lie)
{
	if (strstr(lie, "busy") != NULL)
		standin_fail(ST_BUSY, RE_NONE, "");
	else
		standin_fail(ST_OK, RE_NONE, "");
}

/* A frame whose header says another length, version or sender. */
static void
odd_header(const char *lie)
{
	struct writer w;
	struct span bytes;
	uint8_t *head = standin_bytes;

	standin_begin(&w, MSG_DONE);
	writer_put_u32(&w, 0);
	bytes = frame_end(&w);
	if (strstr(lie, "magic") != NULL)
		head[0] ^= 1;
	else if (strstr(lie, "version") != NULL)
		head[2]++;
	else if (strstr(lie, "sender") != NULL)
		head[3] = MSG_ADMIT;
	else if (strstr(lie, "huge") != NULL)
		memset(head + 4, 0xff, 4);
	else
		bytes.len = FRAME_HEADER_BYTES - 1;
	(void)send(WORKER_CHANNEL_FD, bytes.data, bytes.len, MSG_NOSIGNAL);
}

static void
tell(const char *lie)
{
	if (strstr(lie, "row_") == lie) {
		odd_row(lie);
	} else if (strstr(lie, "failure_") == lie) {
		odd_failure(lie);
	} else if (strstr(lie, "header_") == lie) {
		odd_header(lie);
	} else if (strstr(lie, "no_result") != NULL) {
		standin_done(0);
	} else if (strstr(lie, "rows_first") != NULL) {
		standin_rows(1);
		standin_done(1);
	} else if (strstr(lie, "too_few") != NULL) {
		standin_result(2);
		standin_rows(1);
		standin_done(1);
	} else if (strstr(lie, "too_many") != NULL) {
		standin_result(1);
		standin_rows(2);
		standin_done(2);
	} else if (strstr(lie, "above_cap") != NULL) {
		standin_result(UINT32_MAX);
	} else if (strstr(lie, "twice") != NULL) {
		standin_result(1);
		standin_result(1);
	} else if (strstr(lie, "wrong_length") != NULL) {
		wrong_length();
	} else if (strstr(lie, "foreign_job") != NULL) {
		foreign_job();
	} else if (strstr(lie, "early") != NULL) {
		standin_result(1);
		standin_done(0);
	} else if (strstr(lie, "answer_again") != NULL) {
		standin_result(0);
		standin_done(0);
		standin_done(0);
	} else if (strstr(lie, "failed_behind") != NULL) {
		standin_result(0);
		standin_done(0);
		standin_fail(ST_EMPTY_INPUT, RE_NONE, "");
	} else if (strstr(lie, "no_rows") != NULL) {
		standin_result(1);
		standin_rows(0);
		standin_done(1);
	} else if (strstr(lie, "half") != NULL) {
		standin_result(2);
		standin_rows(1);
	} else if (strstr(lie, "descriptor") != NULL) {
		descriptor_rides_along();
	} else if (strstr(lie, "garbage") != NULL) {
		(void)send(WORKER_CHANNEL_FD, "garbage", 7, MSG_NOSIGNAL);
	}
	/* any other name: ends without a word */
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		return WORKER_EXIT_SETUP;
	tell(standin_take_job(argv));
	_exit(WORKER_EXIT_DONE);
}
