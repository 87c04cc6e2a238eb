/*
 * Where a front finds its descriptors when it is started.
 */
#ifndef PROTO_FRONT_FDS_H
#define PROTO_FRONT_FDS_H

#define FRONT_LINK_FD 3 /* SEQPACKET to the supervisor */
#define FRONT_API_FD 4	/* the API's listening socket, for ZMQ_USE_FD */
#define FRONT_DOOR_FD 5 /* the door's listening socket */

#endif
