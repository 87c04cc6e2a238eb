/*
 * Sees what the real worker asks the kernel for once its filter is up:
 *
 *   prove-calls WORKER MEMORY_BYTES PARSER FILE…
 *
 * It plays the supervisor and hands the worker a filter in which every verdict
 * is replaced by one that asks us, its tracer: what would be allowed is, what
 * would fail does, and what would kill is let through and told. For each file
 * it prints how the worker ended, and a line for each kind of call:
 *
 *   file PATH exit|signal NUMBER
 *   call NAME allowed|refused|forbidden COUNT
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/supervisor/filter.h"
#include "proto/chan.h"
#include "proto/frame.h"
#include "proto/job.h"
#include "proto/link.h"
#include "proto/worker_fds.h"

#define NUMBERS 1024
/* What a changed verdict tells us; an errno is told as it is. */
#define TOLD_ALLOWED 0x1000u
#define TOLD_FORBIDDEN 0x2000u

#define CPU_SECONDS 60

struct seen {
	unsigned long count[NUMBERS];
	unsigned verdict[NUMBERS];
};

_Noreturn static void
fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint32_t
ask_us(uint32_t verdict)
{
	switch (verdict & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
		return SECCOMP_RET_TRACE | TOLD_ALLOWED;
	case SECCOMP_RET_ERRNO:
		return SECCOMP_RET_TRACE | (verdict & SECCOMP_RET_DATA);
	default:
		return SECCOMP_RET_TRACE | TOLD_FORBIDDEN;
	}
}

/* The workers' filter, with its verdicts changed, in a memory file. */
static int
asking_filter(void)
{
	static struct sock_filter program[BPF_MAXINSNS];
	int fd, changed = memfd_create("asking", MFD_CLOEXEC);
	ssize_t n;

	if (filter_compile(&fd) != ST_OK)
		fail("the filter");
	n = pread(fd, program, sizeof(program), 0);
	for (ssize_t i = 0; i < n / (ssize_t)sizeof(program[0]); i++)
		if (program[i].code == (BPF_RET | BPF_K))
			program[i].k = ask_us(program[i].k);
	if (changed < 0 || n <= 0 || write(changed, program, (size_t)n) != n)
		fail("the changed filter");
	close(fd);
	return changed;
}

_Noreturn static void
become_worker(const char *program, int channel, int filter)
{
	char parent[16];
	const char *argv[] = {"extract-worker", parent, "0", NULL};
	int null = open("/dev/null", O_RDWR);

	snprintf(parent, sizeof(parent), "%d", (int)getppid());
	channel = fcntl(channel, F_DUPFD, 100);
	filter = fcntl(filter, F_DUPFD, 100);
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	dup2(channel, WORKER_CHANNEL_FD);
	dup2(filter, WORKER_FILTER_FD);
	syscall(SYS_close_range, WORKER_INPUT_FD, ~0U, 0);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	execv(program, (char *const *)argv);
	_exit(99);
}

/* A worker may not wait for a reader, and we wait for the worker. */
static pid_t
drain(int channel, int worker_end)
{
	static uint8_t buffer[FRAME_BYTES_MAX];
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	close(worker_end);
	while (read(channel, buffer, sizeof(buffer)) > 0)
		;
	_exit(0);
}

static void
order(int channel, char **options, const char *path)
{
	static uint8_t record[FRAME_BYTES_MAX], frame[FRAME_BYTES_MAX];
	struct job_order o = {.memory_bytes = strtoull(options[0], NULL, 10),
			      .cpu_seconds = CPU_SECONDS};
	const char byte = DOOR_FILE_BYTE;
	int door[2], file = open(path, O_RDONLY | O_CLOEXEC);
	struct job job;
	struct writer w;

	job_init(&job);
	job.name = span_str("corpus");
	job.parser = (enum parser)strtoul(options[1], NULL, 10);
	writer_init(&w, record, sizeof(record));
	job_write(&w, &job);
	o.job = span_of(record, w.len);
	writer_init(&w, frame, sizeof(frame));
	frame_begin(&w, MSG_JOB, 1);
	job_order_write(&w, &o);
	if (file < 0 || !chan_pair(door) ||
	    chan_send(channel, frame_end(&w), door[1], true) != CHAN_OK ||
	    chan_send(door[0], span_of(&byte, 1), file, true) != CHAN_OK)
		fail(path);
	close(door[0]);
	close(door[1]);
	close(file);
}

static void
on_call(pid_t pid, struct seen *seen)
{
	struct user_regs_struct regs;
	unsigned long told = 0;

	if (ptrace(PTRACE_GETEVENTMSG, pid, NULL, &told) != 0 ||
	    ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0)
		fail("ptrace");
	if (regs.orig_rax < NUMBERS) {
		seen->count[regs.orig_rax]++;
		seen->verdict[regs.orig_rax] |=
		    told > 0xfff ? (unsigned)told : 0;
	}
	if (told > 0xfff)
		return;
	regs.orig_rax = ~0ULL;
	regs.rax = (unsigned long long)-(long long)told;
	if (ptrace(PTRACE_SETREGS, pid, NULL, &regs) != 0)
		fail("ptrace");
}

/* To the worker's end: its status. */
static int
watch(pid_t pid, struct seen *seen)
{
	const unsigned long options =
	    PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC;
	int status;

	if (waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, options) != 0)
		fail("ptrace");
	for (long signal = 0;;) {
		ptrace(PTRACE_CONT, pid, NULL, signal);
		if (waitpid(pid, &status, 0) != pid)
			fail("waitpid");
		if (!WIFSTOPPED(status))
			return status;
		signal = WSTOPSIG(status);
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
			on_call(pid, seen);
		if (status >> 16 != 0)
			signal = 0;
	}
}

static void
print_seen(const struct seen *seen)
{
	for (int i = 0; i < NUMBERS; i++) {
		char *name;

		if (seen->count[i] == 0)
			continue;
		name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, i);
		printf("call %s %s %lu\n", name == NULL ? "?" : name,
		       (seen->verdict[i] & TOLD_FORBIDDEN) != 0 ? "forbidden"
		       : seen->verdict[i] != 0			? "allowed"
								: "refused",
		       seen->count[i]);
		free(name);
	}
}

static void
look_at(int filter, char **options, const char *path)
{
	static struct seen seen;
	int chan[2], status;
	pid_t worker, reader;

	memset(&seen, 0, sizeof(seen));
	if (!chan_pair(chan))
		fail("socketpair");
	order(chan[0], options + 1, path);
	worker = fork();
	if (worker == 0)
		become_worker(options[0], chan[1], filter);
	reader = drain(chan[0], chan[1]);
	close(chan[0]);
	close(chan[1]);
	status = watch(worker, &seen);
	waitpid(reader, NULL, 0);
	printf("file %s %s %d\n", path, WIFEXITED(status) ? "exit" : "signal",
	       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	print_seen(&seen);
}

int
main(int argc, char **argv)
{
	int filter;

	if (argc < 5) {
		fprintf(stderr, "usage: see the source\n");
		return 1;
	}
	filter = asking_filter();
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	for (int i = 4; i < argc; i++) {
		fflush(stdout);
		look_at(filter, argv + 1, argv[i]);
	}
	return 0;
}
