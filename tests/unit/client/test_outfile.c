#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/leave.h"
#include "client/outfile.h"
#include "tests/unit/client/sandbox_dir.h"

static size_t
files_here(void)
{
	DIR *dir = opendir(".");
	size_t count = 0;

	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count - 2;
}

static void
assert_file(const char *name, const char *want)
{
	char got[64] = "";
	FILE *f = fopen(name, "r");

	cr_assert_not_null(f);
	cr_assert_leq(fread(got, 1, sizeof(got) - 1, f), sizeof(got));
	fclose(f);
	cr_assert_str_eq(got, want);
}

Test(outfile, a_file_appears_when_it_is_whole)
{
	struct outfile out;
	struct stat st;
	int signal = 0;

	sandbox_dir_enter();
	umask(022);
	cr_assert(outfile_open(&out, "rows.csv"));
	outfile_write(&out, span_str("a,b\n"));
	cr_assert_neq(access("rows.csv", F_OK), 0);
	cr_assert_eq(outfile_close(&out, true, &signal), LEAVE_OK);
	assert_file("rows.csv", "a,b\n");
	cr_assert_eq(stat("rows.csv", &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0644);
	cr_assert_eq(files_here(), 1);
	sandbox_dir_leave();
}

Test(outfile, what_is_given_up_leaves_the_old_file)
{
	struct outfile out;
	int signal = 0;

	sandbox_dir_enter();
	sandbox_dir_write("rows.csv", "old");
	cr_assert(outfile_open(&out, "rows.csv"));
	outfile_write(&out, span_str("new"));
	cr_assert_eq(outfile_close(&out, false, &signal), LEAVE_OK);
	assert_file("rows.csv", "old");
	cr_assert_eq(files_here(), 1);
	sandbox_dir_leave();
}

Test(outfile, a_link_stays_a_link)
{
	struct outfile out;
	struct stat st;
	int signal = 0;

	sandbox_dir_enter();
	sandbox_dir_write("target", "old");
	cr_assert_eq(symlink("target", "link"), 0);
	cr_assert(outfile_open(&out, "link"));
	outfile_write(&out, span_str("new"));
	cr_assert_eq(outfile_close(&out, true, &signal), LEAVE_OK);
	assert_file("target", "new");
	cr_assert_eq(lstat("link", &st), 0);
	cr_assert(S_ISLNK(st.st_mode));
	sandbox_dir_leave();
}

Test(outfile, a_full_disk_is_a_failure, .init = cr_redirect_stderr)
{
	struct outfile out;
	int signal = 0;

	cr_assert(outfile_open(&out, "/dev/full"));
	outfile_write(&out, span_str("new"));
	cr_assert_not(outfile_good(&out));
	cr_assert_eq(outfile_close(&out, true, &signal), LEAVE_FAULT);
	cr_assert_eq(signal, 0);
}

Test(outfile, a_folder_that_is_not_there_is_told, .init = cr_redirect_stderr)
{
	struct outfile out;

	cr_assert_not(outfile_open(&out, "/nowhere/rows.csv"));
	cr_assert_stderr_eq_str("extract-client: cannot write "
				"/nowhere/rows.csv: No such file or "
				"directory\n");
}
