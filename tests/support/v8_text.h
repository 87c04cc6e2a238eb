/*
 * Writes a random tree as V8 would, or as others would: links by children, by
 * parent or both, nodes in any order, keys in any order, flat or nested. The
 * function of frame i is called "f<i>".
 */
#ifndef TESTS_SUPPORT_V8_TEXT_H
#define TESTS_SUPPORT_V8_TEXT_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/bug.h"
#include "proto/span.h"
#include "tests/support/random_tree.h"

enum link_kind {
	LINKS_CHILDREN,
	LINKS_PARENT,
	LINKS_BOTH,
	LINK_KINDS
};

/* How a tree is written. */
struct v8_style {
	enum link_kind links;
	bool nodes_mixed;  /* nodes come in any order */
	bool keys_mixed;   /* so do the keys of each node */
	bool flat_fields;  /* no callFrame object */
	const char *value; /* "hitCount" or "selfSize" */
	uint64_t state;	   /* of the mixing */
};

struct v8_writer {
	FILE *out;
	const struct random_tree *tree;
	struct v8_style style;
};

static void
v8_write_frame(struct v8_writer *w, uint32_t node)
{
	fprintf(w->out,
		w->style.flat_fields
		    ? "\"functionName\":\"f%u\",\"url\":\"a.js\","
		      "\"lineNumber\":1"
		    : "\"callFrame\":{\"functionName\":\"f%u\","
		      "\"scriptId\":\"1\",\"url\":\"a.js\","
		      "\"lineNumber\":0,\"columnNumber\":0}",
		w->tree->frame[node]);
}

static void v8_write_nested(struct v8_writer *w, uint32_t node);

static void
v8_write_children(struct v8_writer *w, uint32_t node, bool nested)
{
	const char *comma = "";

	fprintf(w->out, "\"children\":[");
	for (uint32_t i = node + 1; i < w->tree->len; i++) {
		if (w->tree->parent[i] != node)
			continue;
		fprintf(w->out, "%s", comma);
		comma = ",";
		if (nested)
			v8_write_nested(w, i);
		else
			fprintf(w->out, "%" PRIu64, w->tree->id[i]);
	}
	fprintf(w->out, "]");
}

/* Key 0 … 4 of a node: V8's order. */
static void
v8_write_key(struct v8_writer *w, uint32_t node, uint32_t key, bool nested)
{
	switch (key) {
	case 0:
		fprintf(w->out, "\"id\":%" PRIu64, w->tree->id[node]);
		break;
	case 1:
		v8_write_frame(w, node);
		break;
	case 2:
		fprintf(w->out, "\"%s\":%" PRIu64, w->style.value,
			w->tree->value[node]);
		break;
	case 3:
		if (nested || w->style.links != LINKS_PARENT)
			v8_write_children(w, node, nested);
		else
			fprintf(w->out, "\"other\":[{}]");
		break;
	default:
		if (node > 0 && !nested && w->style.links != LINKS_CHILDREN)
			fprintf(w->out, "\"parent\":%" PRIu64,
				w->tree->id[w->tree->parent[node]]);
		else
			fprintf(w->out, "\"more\":{\"id\":7}");
	}
}

static void
v8_write_node(struct v8_writer *w, uint32_t node, bool nested)
{
	uint32_t order[5] = {0, 1, 2, 3, 4};

	if (w->style.keys_mixed)
		random_order(&w->style.state, order, 5);
	for (uint32_t i = 0; i < 5; i++) {
		fprintf(w->out, i == 0 ? "{" : ",");
		v8_write_key(w, node, order[i], nested);
	}
	fprintf(w->out, "}");
}

/* Recursion of the test's own: trees here are small. */
static void
v8_write_nested(struct v8_writer *w, uint32_t node)
{
	v8_write_node(w, node, true);
}

/* The array of nodes; to be freed. */
static inline char *
v8_nodes_text(const struct random_tree *tree, const struct v8_style *style)
{
	struct v8_writer w = {.tree = tree, .style = *style};
	uint32_t order[TREE_NODES_MAX];
	char *text = NULL;
	size_t len;

	w.out = open_memstream(&text, &len);
	BUG_ON(w.out == NULL);
	for (uint32_t i = 0; i < tree->len; i++)
		order[i] = i;
	if (style->nodes_mixed)
		random_order(&w.style.state, order, tree->len);
	for (uint32_t i = 0; i < tree->len; i++) {
		fprintf(w.out, i == 0 ? "[" : ",");
		v8_write_node(&w, order[i], false);
	}
	fprintf(w.out, "]");
	fclose(w.out);
	return text;
}

/* The nested root; to be freed. */
static inline char *
v8_head_text(const struct random_tree *tree, const struct v8_style *style)
{
	struct v8_writer w = {.tree = tree, .style = *style};
	char *text = NULL;
	size_t len;

	w.out = open_memstream(&text, &len);
	BUG_ON(w.out == NULL);
	v8_write_nested(&w, 0);
	fclose(w.out);
	return text;
}

/* printf to text; to be freed. */
static inline __attribute__((format(printf, 1, 2))) char *
text_of(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	BUG_ON(vasprintf(&text, format, args) < 0);
	va_end(args);
	return text;
}

#endif
