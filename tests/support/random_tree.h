/*
 * Random call trees, and what their frames must come to, worked out the slow
 * way: for each node a walk up through its parents. The oracle of everything
 * that adds trees up.
 */
#ifndef TESTS_SUPPORT_RANDOM_TREE_H
#define TESTS_SUPPORT_RANDOM_TREE_H

#include <stdbool.h>
#include <stdint.h>

#define TREE_NODES_MAX 48
#define TREE_FRAMES_MAX 8

enum id_kind {
	IDS_DENSE,    /* 1 … n in creation order */
	IDS_SHUFFLED, /* the same, mixed */
	IDS_SPARSE,   /* anywhere up to 2^63 - 1 */
	ID_KINDS
};

struct random_tree {
	uint64_t state; /* of the generator */
	uint32_t len, frames;
	uint32_t parent[TREE_NODES_MAX]; /* below the node; 0 of the root */
	uint32_t frame[TREE_NODES_MAX];
	uint64_t value[TREE_NODES_MAX];
	uint64_t id[TREE_NODES_MAX];
};

struct frame_sums {
	uint64_t total, self[TREE_FRAMES_MAX], inclusive[TREE_FRAMES_MAX];
};

static inline uint64_t
random_next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint32_t
random_below(uint64_t *state, uint32_t bound)
{
	return (uint32_t)(random_next(state) % bound);
}

/* A permutation of 0 … len - 1. */
static inline void
random_order(uint64_t *state, uint32_t *order, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		uint32_t at = random_below(state, i + 1);

		order[i] = order[at];
		order[at] = i;
	}
}

static inline void
random_ids(struct random_tree *t, enum id_kind kind)
{
	uint32_t order[TREE_NODES_MAX];

	random_order(&t->state, order, t->len);
	for (uint32_t i = 0; i < t->len; i++) {
		if (kind == IDS_DENSE)
			t->id[i] = i + 1;
		else if (kind == IDS_SHUFFLED)
			t->id[i] = order[i] + 1;
		else /* distinct by the low bits */
			t->id[i] =
			    (random_next(&t->state) >> 1 & ~UINT64_C(63)) |
			    order[i];
	}
}

/* big: now and then a value beyond 32 bits. */
static inline void
random_tree(struct random_tree *t, uint64_t seed, enum id_kind kind, bool big)
{
	uint32_t reach;

	*t = (struct random_tree){.state = seed};
	t->len = 1 + random_below(&t->state, TREE_NODES_MAX);
	t->frames = 1 + random_below(&t->state, TREE_FRAMES_MAX);
	/* how far up a parent may be: 1 gives chains, more gives bushes */
	reach = 1 + random_below(&t->state, t->len);
	for (uint32_t i = 0; i < t->len; i++) {
		uint32_t back = 1 + random_below(&t->state, reach);

		t->parent[i] = back > i ? 0 : i - back;
		t->frame[i] = random_below(&t->state, t->frames);
		t->value[i] = random_below(&t->state, 4) == 0
				  ? 0
				  : random_below(&t->state, 1000);
		if (big && random_below(&t->state, 8) == 0)
			t->value[i] = random_next(&t->state) >> 16;
	}
	random_ids(t, kind);
}

/* Each unit counts once for each distinct frame from its node to the root. */
static inline void
random_tree_sums(const struct random_tree *t, struct frame_sums *sums)
{
	*sums = (struct frame_sums){0};
	for (uint32_t i = 0; i < t->len; i++) {
		bool seen[TREE_FRAMES_MAX] = {false};
		uint32_t at = i;

		sums->total += t->value[i];
		sums->self[t->frame[i]] += t->value[i];
		for (;;) {
			if (!seen[t->frame[at]])
				sums->inclusive[t->frame[at]] += t->value[i];
			seen[t->frame[at]] = true;
			if (at == 0)
				break;
			at = t->parent[at];
		}
	}
}

#endif
