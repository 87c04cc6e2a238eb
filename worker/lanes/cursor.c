#include "worker/lanes/cursor.h"

bool
cursor_string(struct cursor *c, size_t max, struct span *text_out)
{
	const uint8_t *from = c->at + 1;
	const uint8_t *at = from;

	if (c->at == c->end || *c->at != '"')
		return false;
	while (at < c->end && *at != '"' && *at != '\\' && *at >= 0x20)
		at++;
	if (at == c->end || *at != '"' || (size_t)(at - from) + 2 > max)
		return false;
	*text_out = span_of(from, (size_t)(at - from));
	c->at = at + 1;
	return true;
}
