/*
 * malloc and realloc for a program that has nothing better to do than to end.
 */
#include "client/grab.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client/last_resort.h"

static _Noreturn void
no_memory(void)
{
	last_resort("out of memory");
}

void *
grab(size_t size)
{
	void *memory = calloc(1, size > 0 ? size : 1);

	if (memory == NULL)
		no_memory();
	return memory;
}

void *
grab_more(void *old, size_t count, size_t size)
{
	void *memory;

	if (size == 0 || count > SIZE_MAX / size)
		no_memory();
	memory = realloc(old, count > 0 ? count * size : size);
	if (memory == NULL)
		no_memory();
	return memory;
}

char *
grab_text(struct span text)
{
	char *copy = grab(text.len + 1);

	if (text.len > 0)
		memcpy(copy, text.data, text.len);
	return copy;
}
