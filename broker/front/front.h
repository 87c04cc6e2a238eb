/*
 * All that a front is: what it talks to, and what it knows. Of it nothing
 * outlives the process that the supervisor could not tell the next one.
 */
#ifndef FRONT_FRONT_H
#define FRONT_FRONT_H

#include <stdbool.h>
#include <stdint.h>

#include "broker/front/doorman.h"
#include "broker/front/json_tree.h"
#include "broker/front/ledger.h"
#include "broker/front/link_client.h"
#include "broker/front/pending.h"
#include "broker/front/request.h"
#include "broker/front/results.h"
#include "broker/front/server.h"

#define FRONT_PATH_BYTES 4200 /* a runtime directory and a socket's name */

struct front {
	struct link_client link;
	struct server *server; /* owned */
	struct doorman doorman;
	struct ledger ledger;
	struct results results;
	struct pending pending;
	struct request_rules rules;
	char endpoint[FRONT_PATH_BYTES];
	char door_path[FRONT_PATH_BYTES];
	bool settled;	  /* all jobs of an earlier front are known */
	bool stirred;	  /* some came since the supervisor was asked */
	bool draining;	  /* no new jobs */
	uint64_t seed[2]; /* of this process, for turn_of */
	uint64_t refused[REJECTED_COUNT]; /* by us alone */
	int64_t choked_ms; /* since when results cannot go out; 0: they can */
	int64_t now_ms;	   /* monotonic; set once a turn */
	int64_t here_ms;   /* when FRONT_HERE was said */
	struct json_tree tree; /* of the request at hand */
};

#endif
