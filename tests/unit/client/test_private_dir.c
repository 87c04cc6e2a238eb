#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/private_dir.h"
#include "tests/unit/client/sandbox_dir.h"

static void
assert_made_below(const char *parent)
{
	char path[PATH_MAX];
	struct stat st;

	cr_assert(private_dir_make(path));
	cr_assert_eq(strncmp(path, parent, strlen(parent)), 0, "%s", path);
	cr_assert_leq(strlen(path) + sizeof("/extractd.sock"), 108);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0700);
	close(private_dir_log(path));
	private_dir_remove(path);
	cr_assert_neq(access(path, F_OK), 0);
}

Test(private_dir, lies_below_the_first_place_that_will_do)
{
	const char *dir = sandbox_dir_enter();

	setenv("XDG_RUNTIME_DIR", dir, 1);
	setenv("TMPDIR", "/nowhere", 1);
	assert_made_below(dir);
	setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
	setenv("TMPDIR", dir, 1);
	assert_made_below(dir);
	unsetenv("XDG_RUNTIME_DIR");
	unsetenv("TMPDIR");
	assert_made_below("/tmp/");
	sandbox_dir_leave();
}

Test(private_dir, a_place_too_deep_for_a_socket_is_passed_over)
{
	char deep[128] = "";

	sandbox_dir_enter();
	memset(deep, 'd', 90);
	cr_assert_eq(mkdir(deep, 0700), 0);
	setenv("XDG_RUNTIME_DIR", deep, 1);
	unsetenv("TMPDIR");
	assert_made_below("/tmp/extractd-");
	sandbox_dir_leave();
}
