#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/inputs.h"
#include "tests/unit/client/sandbox_dir.h"

static void
assert_failed(const struct input *input, const char *code)
{
	cr_assert(input->failed);
	cr_assert(
	    span_is(value_text(value_get(input->error.body, "code")), code));
	cr_assert_eq(value_count(value_get(input->error.body, "remediation")),
		     1, "nothing says what to do");
}

static void
assert_holds(struct input *input, const char *text)
{
	char got[64] = "";
	int fd = inputs_open(input);

	cr_assert_geq(fd, 0);
	cr_assert_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	cr_assert_eq(pread(fd, got, sizeof(got) - 1, 0), (ssize_t)strlen(text));
	cr_assert_str_eq(got, text);
	close(fd);
}

Test(inputs, names_may_hold_anything)
{
	struct inputs inputs;

	sandbox_dir_enter();
	sandbox_dir_write("a b\n\"c", "x");
	inputs_init(&inputs);
	inputs_add(&inputs, "a b\n\"c");
	cr_assert_eq(inputs.len, 1);
	cr_assert_not(inputs.several);
	assert_holds(&inputs.list[0], "x");
	inputs_free(&inputs);
	sandbox_dir_leave();
}

Test(inputs, what_is_not_there_or_no_file_keeps_its_place)
{
	struct inputs inputs;

	inputs_init(&inputs);
	inputs_add(&inputs, "/nowhere/at all");
	inputs_add(&inputs, "/dev/null");
	cr_assert_eq(inputs.len, 2);
	cr_assert(inputs.several);
	assert_failed(&inputs.list[0], "INPUT_KIND");
	assert_failed(&inputs.list[1], "INPUT_KIND");
	inputs_free(&inputs);
}

Test(inputs, a_folder_is_its_regular_files_in_order)
{
	struct inputs inputs;

	sandbox_dir_enter();
	cr_assert_eq(mkdir("d", 0700), 0);
	cr_assert_eq(mkdir("d/sub", 0700), 0);
	cr_assert_eq(mkfifo("d/pipe", 0600), 0);
	sandbox_dir_write("d/b", "2");
	sandbox_dir_write("d/a", "1");
	cr_assert_eq(symlink("a", "d/c"), 0);
	inputs_init(&inputs);
	inputs_add(&inputs, "d/");
	cr_assert_eq(inputs.len, 3);
	cr_assert(inputs.several);
	cr_assert_str_eq(inputs.list[0].name, "d/a");
	cr_assert_str_eq(inputs.list[1].name, "d/b");
	cr_assert_str_eq(inputs.list[2].name, "d/c");
	cr_assert_eq(inputs.list[2].folder, 1);
	cr_assert_eq(inputs.folders[0].files, 3);
	assert_holds(&inputs.list[1], "2");
	inputs_free(&inputs);
	sandbox_dir_leave();
}

Test(inputs, an_empty_folder_says_so)
{
	struct inputs inputs;

	sandbox_dir_enter();
	inputs_init(&inputs);
	inputs_add(&inputs, ".");
	cr_assert_eq(inputs.len, 1);
	assert_failed(&inputs.list[0], "EMPTY_INPUT");
	inputs_free(&inputs);
	sandbox_dir_leave();
}

static void
feed_stdin(const char *text)
{
	int fds[2];

	cr_assert_eq(pipe(fds), 0);
	cr_assert_eq(write(fds[1], text, strlen(text)), (ssize_t)strlen(text));
	close(fds[1]);
	cr_assert_eq(dup2(fds[0], 0), 0);
	close(fds[0]);
}

Test(inputs, a_pipe_is_copied_and_can_be_read_twice)
{
	struct inputs inputs;

	setenv("TMPDIR", sandbox_dir_enter(), 1);
	feed_stdin("profile");
	inputs_init(&inputs);
	inputs_add(&inputs, "-");
	assert_holds(&inputs.list[0], "profile");
	assert_holds(&inputs.list[0], "profile");
	inputs_free(&inputs);
	cr_assert_eq(rmdir(getenv("TMPDIR")), 0, "a file was left there");
}

Test(inputs, a_file_on_standard_input_is_passed_as_it_is)
{
	struct inputs inputs;
	struct stat file, passed;
	int fd;

	sandbox_dir_enter();
	sandbox_dir_write("f", "profile");
	fd = open("f", O_RDWR);
	cr_assert_eq(dup2(fd, 0), 0);
	inputs_init(&inputs);
	inputs_add(&inputs, "-");
	assert_holds(&inputs.list[0], "profile");
	cr_assert_eq(fstat(fd, &file), 0);
	cr_assert_eq(fstat(inputs.list[0].fd, &passed), 0);
	cr_assert_eq(file.st_ino, passed.st_ino);
	inputs_free(&inputs);
	close(fd);
	sandbox_dir_leave();
}

Test(inputs, without_room_for_the_copy_the_disk_is_named)
{
	struct inputs inputs;

	setenv("TMPDIR", "/nowhere", 1);
	feed_stdin("profile");
	inputs_init(&inputs);
	inputs_add(&inputs, "-");
	assert_failed(&inputs.list[0], "SPOOL_FULL");
	inputs_free(&inputs);
}
