/*
 * The options of a submit: a JSON object into the job record, and what the
 * supervisor is told beside it.
 */
#ifndef FRONT_OPTIONS_H
#define FRONT_OPTIONS_H

#include "broker/front/request.h"

/* One wrong value: INVALID_REQUEST, with reason, path and message. */
enum status value_refuse(struct failure *failure, enum reason reason,
			 const char *path, const char *message);

/* request->job must hold its defaults; options may be NULL. */
NODISCARD enum status options_read(const struct json_tree *tree,
				   const struct json_node *options,
				   const struct request_rules *rules,
				   struct request *request,
				   struct failure *failure);

#endif
