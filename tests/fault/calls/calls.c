/*
 * Loaded before the C library into a program as it is built: counts the calls
 * that a plan names, and makes one of them fail. The plan is a file that is
 * shared with the test, which arms, reads and changes it at any time:
 * FAULT_PLAN names it and FAULT_PROGRAM whom it is for; others that are
 * started with them count nothing. Nothing here locks or allocates: calls come
 * from several threads and from vfork children. Counted is from main on: what
 * libraries do when they are loaded is not the program's.
 *
 * What a call may fail with is the test's to know. Beside errno there are
 * ways to come short: a read or write of one byte, an end of file, and a
 * record whose descriptor found no place.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* In the order in which the test names them. */
enum call {
	CALL_MEMORY,
	CALL_READ,
	CALL_WRITE,
	CALL_POLL,
	CALL_PPOLL,
	CALL_EPOLL_WAIT,
	CALL_RECV,
	CALL_SEND,
	CALL_RECVMSG,
	CALL_SENDMSG,
	CALL_ACCEPT,
	CALL_CONNECT,
	CALL_SOCKET,
	CALL_FCNTL,
	CALL_OPEN,
	CALL_PIPE,
	CALL_CLONE,
	CALL_WAITID,
	CALL_EXECVEAT,
	CALL_EPOLL_CREATE,
	CALL_EVENTFD,
	CALL_THREAD,
	CALL_PIDFD_OPEN,
	CALLS,
};

/* Not a value of errno. */
enum {
	SHORTLY = -1,	 /* one byte */
	AT_END = -2,	 /* no byte */
	NO_PLACE = -3,	 /* the descriptor of a record is lost */
	UNREADABLE = -4, /* nothing there yet: poll returns 0 */
};

struct plan {
	_Atomic uint32_t armed;
	_Atomic uint32_t call; /* an enum call */
	_Atomic uint64_t at;   /* from 1; 0: none fails, all are counted */
	_Atomic uint64_t more; /* so many after it fail, too */
	_Atomic int32_t how;   /* errno, or a way to come short */
	_Atomic uint32_t failed;
	_Atomic uint64_t counts[CALLS];
};

static struct plan *plan; /* borrowed: the mapping stays to the end */
/* Where the C library's code lies: what it needs itself is not failed, since
 * it does not always look. */
static uintptr_t library_from, library_to;

void *__libc_malloc(size_t size);

static int
look_at_object(struct dl_phdr_info *object, size_t size, void *unused)
{
	uintptr_t known = (uintptr_t)__libc_malloc;

	(void)size;
	(void)unused;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		uintptr_t from = object->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || known < from ||
		    known - from >= part->p_memsz)
			continue;
		library_from = from;
		library_to = from + part->p_memsz;
	}
	return library_to != 0;
}

static void
find_plan(void)
{
	const char *path = getenv("FAULT_PLAN");
	const char *program = getenv("FAULT_PROGRAM");
	void *memory;
	int fd;

	if (path == NULL || program == NULL ||
	    strcmp(program, program_invocation_short_name) != 0)
		return;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	memory = mmap(NULL, sizeof(*plan), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	close(fd);
	if (memory != MAP_FAILED)
		plan = memory;
}

/* 0: the call is to be made; else how it fails. */
static int
failure(enum call call)
{
	uint64_t n;

	if (plan == NULL || atomic_load(&plan->armed) == 0)
		return 0;
	n = atomic_fetch_add(&plan->counts[call], 1) + 1;
	if (call != atomic_load(&plan->call) || atomic_load(&plan->at) == 0 ||
	    n < atomic_load(&plan->at) ||
	    n - atomic_load(&plan->at) > atomic_load(&plan->more))
		return 0;
	atomic_fetch_add(&plan->failed, 1);
	return atomic_load(&plan->how);
}

/* Whether it fails by errno, which is then set. */
static bool
refused(enum call call)
{
	int how = failure(call);

	if (how > 0)
		errno = how;
	return how > 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What a program's first instruction calls. */
typedef int main_fn(int argc, char **argv, char **environment);
int __libc_start_main(main_fn *run, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*loader)(void), void *stack);

int
__libc_start_main(main_fn *run, int argc, char **argv, void (*init)(void),
		  void (*fini)(void), void (*loader)(void), void *stack)
{
	dl_iterate_phdr(look_at_object, NULL);
	find_plan();
	return REAL(__libc_start_main)(run, argc, argv, init, fini, loader,
				       stack);
}

/* -- memory: the C library's own names, since dlsym may allocate ------------
 */

void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool
memory_refused(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	return (at < library_from || at >= library_to) && refused(CALL_MEMORY);
}

void *
malloc(size_t size)
{
	return memory_refused(__builtin_return_address(0))
		   ? NULL
		   : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return memory_refused(__builtin_return_address(0))
		   ? NULL
		   : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return memory_refused(__builtin_return_address(0))
		   ? NULL
		   : __libc_realloc(old, size);
}

int
posix_memalign(void **memory_out, size_t alignment, size_t size)
{
	void *memory = memory_refused(__builtin_return_address(0))
			   ? NULL
			   : __libc_memalign(alignment, size);

	if (memory == NULL)
		return ENOMEM;
	*memory_out = memory;
	return 0;
}

/* -- bytes ------------------------------------------------------------------
 */

/* How many bytes are asked for; -1: the call fails; 0: it ends at once. */
static ssize_t
allowed(enum call call, size_t len)
{
	int how = failure(call);

	if (how == 0 || len == 0)
		return (ssize_t)len;
	if (how == SHORTLY)
		return 1;
	if (how == AT_END)
		return 0;
	errno = how;
	return -1;
}

ssize_t
read(int fd, void *to, size_t len)
{
	ssize_t n = allowed(CALL_READ, len);

	return n <= 0 ? n : REAL(read)(fd, to, (size_t)n);
}

ssize_t
write(int fd, const void *from, size_t len)
{
	ssize_t n = allowed(CALL_WRITE, len);

	return n <= 0 ? n : REAL(write)(fd, from, (size_t)n);
}

ssize_t
recv(int fd, void *to, size_t len, int flags)
{
	ssize_t n = allowed(CALL_RECV, len);

	return n <= 0 ? n : REAL(recv)(fd, to, (size_t)n, flags);
}

ssize_t
send(int fd, const void *from, size_t len, int flags)
{
	ssize_t n = allowed(CALL_SEND, len);

	return n <= 0 ? n : REAL(send)(fd, from, (size_t)n, flags);
}

/* As the kernel does when the table of descriptors is full. */
static void
lose_descriptors(struct msghdr *msg)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	int fd;

	if (c == NULL || c->cmsg_type != SCM_RIGHTS)
		return;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	close(fd);
	msg->msg_controllen = 0;
	msg->msg_flags |= MSG_CTRUNC;
}

ssize_t
recvmsg(int fd, struct msghdr *msg, int flags)
{
	int how = failure(CALL_RECVMSG);
	ssize_t n;

	if (how == AT_END) {
		msg->msg_controllen = 0;
		msg->msg_flags = 0;
		return 0;
	}
	if (how > 0) {
		errno = how;
		return -1;
	}
	n = REAL(recvmsg)(fd, msg, flags);
	if (how == NO_PLACE && n >= 0)
		lose_descriptors(msg);
	return n;
}

ssize_t
sendmsg(int fd, const struct msghdr *msg, int flags)
{
	return refused(CALL_SENDMSG) ? -1 : REAL(sendmsg)(fd, msg, flags);
}

/* -- waiting ----------------------------------------------------------------
 */

int
poll(struct pollfd *fds, nfds_t len, int timeout_ms)
{
	int how = failure(CALL_POLL);

	for (nfds_t i = 0; i < len; i++)
		if (how == UNREADABLE)
			fds[i].revents = 0;
	if (how == UNREADABLE)
		return 0;
	errno = how > 0 ? how : errno;
	return how > 0 ? -1 : REAL(poll)(fds, len, timeout_ms);
}

int
ppoll(struct pollfd *fds, nfds_t len, const struct timespec *timeout,
      const sigset_t *mask)
{
	return refused(CALL_PPOLL) ? -1 : REAL(ppoll)(fds, len, timeout, mask);
}

int
epoll_wait(int fd, struct epoll_event *events, int most, int timeout_ms)
{
	return refused(CALL_EPOLL_WAIT)
		   ? -1
		   : REAL(epoll_wait)(fd, events, most, timeout_ms);
}

/* -- descriptors and processes ----------------------------------------------
 */

int
accept4(int fd, struct sockaddr *from, socklen_t *len, int flags)
{
	return refused(CALL_ACCEPT) ? -1 : REAL(accept4)(fd, from, len, flags);
}

int
connect(int fd, const struct sockaddr *to, socklen_t len)
{
	return refused(CALL_CONNECT) ? -1 : REAL(connect)(fd, to, len);
}

int
socket(int domain, int type, int protocol)
{
	return refused(CALL_SOCKET) ? -1 : REAL(socket)(domain, type, protocol);
}

int
socketpair(int domain, int type, int protocol, int fds_out[2])
{
	return refused(CALL_SOCKET)
		   ? -1
		   : REAL(socketpair)(domain, type, protocol, fds_out);
}

int
fcntl(int fd, int command, ...)
{
	va_list rest;
	long argument;

	va_start(rest, command);
	argument = va_arg(rest, long);
	va_end(rest);
	return refused(CALL_FCNTL) ? -1 : REAL(fcntl)(fd, command, argument);
}

int
open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = va_arg(rest, mode_t);
	va_end(rest);
	return refused(CALL_OPEN) ? -1 : REAL(open)(path, flags, mode);
}

int
openat(int dir, const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = va_arg(rest, mode_t);
	va_end(rest);
	return refused(CALL_OPEN) ? -1 : REAL(openat)(dir, path, flags, mode);
}

int
pipe2(int fds_out[2], int flags)
{
	return refused(CALL_PIPE) ? -1 : REAL(pipe2)(fds_out, flags);
}

int
epoll_create1(int flags)
{
	return refused(CALL_EPOLL_CREATE) ? -1 : REAL(epoll_create1)(flags);
}

int eventfd(unsigned start, int flags);

int
eventfd(unsigned start, int flags)
{
	return refused(CALL_EVENTFD) ? -1 : REAL(eventfd)(start, flags);
}

typedef void *thread_fn(void *);
int pthread_create(pthread_t *thread_out, const pthread_attr_t *attributes,
		   thread_fn *run, void *argument);

int
pthread_create(pthread_t *thread_out, const pthread_attr_t *attributes,
	       thread_fn *run, void *argument)
{
	return refused(CALL_THREAD)
		   ? errno
		   : REAL(pthread_create)(thread_out, attributes, run,
					  argument);
}

int
clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
	va_list rest;
	pid_t *pid_out;

	va_start(rest, argument);
	pid_out = va_arg(rest, pid_t *);
	va_end(rest);
	return refused(CALL_CLONE)
		   ? -1
		   : REAL(clone)(run, stack, flags, argument, pid_out);
}

/* Of what is called by its number: what can fail for want of something. */
static bool
number_refused(long number)
{
	switch (number) {
	case SYS_clone3:
		return refused(CALL_CLONE);
	case SYS_waitid:
		return refused(CALL_WAITID);
	case SYS_execveat:
		return refused(CALL_EXECVEAT);
	case SYS_pidfd_open:
		return refused(CALL_PIDFD_OPEN);
	default:
		return false;
	}
}

long
syscall(long number, ...)
{
	long a[6];
	va_list rest;

	va_start(rest, number);
	for (unsigned i = 0; i < sizeof(a) / sizeof(a[0]); i++)
		a[i] = va_arg(rest, long);
	va_end(rest);
	return number_refused(number)
		   ? -1
		   : REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
