/*
 * The door: where a file's descriptor goes to its worker, past everybody
 * else.
 */
#ifndef CLIENT_DOOR_H
#define CLIENT_DOOR_H

#include "client/envelope.h"

/*
 * Hands the file over for the accepted job. The connection, which the caller
 * keeps open until the job has ended (it is the job's lease), or -1 and errno.
 * The file stays the caller's.
 */
int door_deliver(const struct acceptance *acceptance, int file);

#endif
