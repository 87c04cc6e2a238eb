/*
 * Each Criterion test is a process, so one at a time is enough.
 */
#include "tests/unit/client/sandbox_dir.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/client-test-XXXXXX";

const char *
sandbox_dir_enter(void)
{
	cr_assert_not_null(mkdtemp(path));
	cr_assert_eq(chdir(path), 0);
	return path;
}

static int
remove_one(const char *name, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(name);
}

void
sandbox_dir_leave(void)
{
	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void
sandbox_dir_write(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}
