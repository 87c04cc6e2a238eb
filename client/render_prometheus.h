/*
 * The service's status in Prometheus' text exposition format, 0.0.4.
 *
 * Labels are names of the service's own tables, its layers and its version;
 * nothing that a client or a profile wrote is in the status object.
 */
#ifndef CLIENT_RENDER_PROMETHEUS_H
#define CLIENT_RENDER_PROMETHEUS_H

#include "client/document.h"
#include "client/strbuf.h"

/* status is an extractd.status/1. What it does not hold, or not in the shape
 * that is documented, is left out. */
void render_prometheus(struct strbuf *sb, const struct value *status);

/* What is to be said when no service answers: extractd_up 0, alone. */
void render_prometheus_down(struct strbuf *sb);

#endif
