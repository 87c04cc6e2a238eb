#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/project_root.h"
#include "tests/unit/client/sandbox_dir.h"

static void
assert_root(char *root, const char *want)
{
	if (want == NULL) {
		cr_assert_null(root);
		return;
	}
	cr_assert_not_null(root);
	cr_assert_str_eq(root, want);
	free(root);
}

Test(project_root, is_the_nearest_folder_with_a_sign_of_one)
{
	const char *dir = sandbox_dir_enter();
	char inner[128];

	snprintf(inner, sizeof(inner), "%s/a", dir);
	cr_assert_eq(mkdir(".git", 0700), 0);
	cr_assert_eq(mkdir("a", 0700), 0);
	cr_assert_eq(mkdir("a/b", 0700), 0);
	assert_root(project_root_find(), dir);
	cr_assert_eq(chdir("a/b"), 0);
	assert_root(project_root_find(), dir);
	sandbox_dir_write("../package.json", "{}");
	assert_root(project_root_find(), inner);
	sandbox_dir_leave();
}

Test(project_root, there_is_none_in_a_folder_that_is_gone)
{
	sandbox_dir_enter();
	cr_assert_eq(mkdir("gone", 0700), 0);
	cr_assert_eq(chdir("gone"), 0);
	cr_assert_eq(rmdir("../gone"), 0);
	assert_root(project_root_find(), NULL);
	assert_root(project_root_from("x"), NULL);
	cr_assert_eq(chdir("/tmp"), 0);
	sandbox_dir_leave();
}
