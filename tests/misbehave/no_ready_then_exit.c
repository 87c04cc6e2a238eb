/*
 * Never says READY, stays a while, and exits as if all were well.
 */
#include <poll.h>
#include <unistd.h>

int
main(void)
{
	poll(NULL, 0, 200);
	_exit(0);
}
