/*
 * Never says READY, and never ends.
 */
#include <unistd.h>

int
main(void)
{
	for (;;)
		pause();
}
