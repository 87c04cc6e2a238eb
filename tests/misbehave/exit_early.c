/*
 * Dies before it says READY.
 */
#include <unistd.h>

int
main(void)
{
	_exit(9);
}
