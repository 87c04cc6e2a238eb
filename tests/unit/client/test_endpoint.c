#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/endpoint.h"
#include "tests/unit/client/sandbox_dir.h"

static int
listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, path);
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	cr_assert_eq(listen(fd, 4), 0);
	return fd;
}

static void
assert_named(const char *option, const char *want)
{
	struct endpoint endpoint;
	const char *why;

	cr_assert(endpoint_choose(option, &endpoint, &why));
	cr_assert_eq(endpoint.kind, ENDPOINT_NAMED);
	cr_assert_str_eq(endpoint.path, want);
}

Test(endpoint, the_option_comes_before_the_environment)
{
	setenv("EXTRACTD_ENDPOINT", "ipc:///env.sock", 1);
	assert_named("ipc:///option.sock", "/option.sock");
	assert_named("/option.sock", "/option.sock");
	assert_named(NULL, "/env.sock");
}

Test(endpoint, what_cannot_be_one_is_refused)
{
	struct endpoint endpoint;
	const char *why = NULL;
	char longest[128] = "/";

	memset(longest + 1, 'x', 107);
	cr_assert_not(endpoint_choose("tcp://h:1", &endpoint, &why));
	cr_assert_not_null(strstr(why, "ipc://"));
	cr_assert_not(endpoint_choose("", &endpoint, &why));
	cr_assert_not(endpoint_choose("ipc://relative", &endpoint, &why));
	cr_assert_not(endpoint_choose(longest, &endpoint, &why));
	longest[107] = '\0';
	cr_assert(endpoint_choose(longest, &endpoint, &why));
}

Test(endpoint, a_user_s_service_is_found_only_while_it_listens)
{
	const char *machine = ENDPOINT_SYSTEM;
	const char *dir = sandbox_dir_enter(), *why;
	struct endpoint endpoint;
	char path[128];
	int fd;

	unsetenv("EXTRACTD_ENDPOINT");
	setenv("XDG_RUNTIME_DIR", dir, 1);
	cr_assert_eq(mkdir("extractd", 0700), 0);
	snprintf(path, sizeof(path), "%s/extractd/extractd.sock", dir);
	/* Where the machine has a service of its own, that one goes first. */
	if (endpoint_probe(machine) == 0) {
		fd = listen_at(path);
		cr_assert(endpoint_choose(NULL, &endpoint, &why));
		cr_assert_str_eq(endpoint.path, machine);
		close(fd);
		sandbox_dir_leave();
		return;
	}
	cr_assert(endpoint_choose(NULL, &endpoint, &why));
	cr_assert_eq(endpoint.kind, ENDPOINT_NONE);
	fd = listen_at(path);
	cr_assert(endpoint_choose(NULL, &endpoint, &why));
	cr_assert_eq(endpoint.kind, ENDPOINT_FOUND);
	cr_assert_str_eq(endpoint.path, path);
	close(fd);
	cr_assert_eq(endpoint_probe(path), ECONNREFUSED);
	cr_assert(endpoint_choose(NULL, &endpoint, &why));
	cr_assert_eq(endpoint.kind, ENDPOINT_NONE);
	sandbox_dir_leave();
}

Test(endpoint, a_folder_that_is_closed_names_its_owner)
{
	const char *dir = sandbox_dir_enter();
	uid_t owner = 12345, us = geteuid();
	char path[128];

	cr_assert_eq(mkdir("closed", 0), 0);
	snprintf(path, sizeof(path), "%s/closed/extractd.sock", dir);
	cr_assert_eq(chmod(dir, 0755), 0);
	if (us == 0)
		cr_assert_eq(seteuid(65534), 0);
	cr_assert(endpoint_is_closed(path, &owner));
	cr_assert_eq(owner, us);
	cr_assert_eq(seteuid(us), 0);
	cr_assert_eq(chmod("closed", 0755), 0);
	cr_assert_not(endpoint_is_closed(path, &owner));
	cr_assert_not(endpoint_is_closed("extractd.sock", &owner));
	sandbox_dir_leave();
}
