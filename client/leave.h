/*
 * The exit statuses that are not an error's own (status_exit_code has those).
 */
#ifndef CLIENT_LEAVE_H
#define CLIENT_LEAVE_H

#define LEAVE_OK 0
#define LEAVE_SOME_FAILED 1 /* of several inputs */
#define LEAVE_USAGE 2
#define LEAVE_NO_CAPABILITY 3 /* no sandbox, no service */
#define LEAVE_OUT_OF_REACH 7  /* no service, or it is busy */
#define LEAVE_FAULT 70	      /* ours, or the machine's: a full disk */

#endif
