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

static void
tell(const char *lie)
{
	if (strstr(lie, "no_result") != NULL) {
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
