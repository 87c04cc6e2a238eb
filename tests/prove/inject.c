/*
 * Makes one system call fail in a program and in all that it starts:
 *
 *   prove-inject NUMBER ERRNO ARGUMENT VALUE -- PROGRAM ARGUMENTS…
 *
 * NUMBER may be of any call but exec. ARGUMENT -1: whatever its arguments;
 * else only calls with that argument's low half equal to VALUE. As root it
 * leaves no_new_privs as it is; anybody else needs that for a filter.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GIVEN 5 /* arguments before the program */

static int
install(const char *const *given)
{
	const uint32_t number = (uint32_t)strtol(given[0], NULL, 10);
	const uint32_t error = (uint32_t)strtol(given[1], NULL, 10);
	const long argument = strtol(given[2], NULL, 10);
	const uint32_t value = (uint32_t)strtoul(given[3], NULL, 10);
	struct sock_filter program[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     argument < 0
			 ? offsetof(struct seccomp_data, nr)
			 : (uint32_t)(offsetof(struct seccomp_data, args) +
				      8 * (size_t)argument)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument < 0 ? number : value,
		     0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error & 0xfff)),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {.len = sizeof(program) / sizeof(program[0]),
				    .filter = program};

	if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

int
main(int argc, char **argv)
{
	if (argc < GIVEN + 2 || strcmp(argv[GIVEN], "--") != 0) {
		fprintf(stderr, "usage: see the source\n");
		return 99;
	}
	if (install((const char *const *)argv + 1) != 0) {
		perror("the filter");
		return 98;
	}
	execv(argv[GIVEN + 1], argv + GIVEN + 1);
	perror(argv[GIVEN + 1]);
	return 97;
}
