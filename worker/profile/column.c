/*
 * The fold works in the column's own memory: each node's sum is added to its
 * parent's, children first, which needs no more than the values themselves and
 * goes over them once.
 */
#include "worker/profile/column.h"

#include "proto/bug.h"
#include "worker/profile/tree_walk.h"

void
column_init(struct column *column, struct arena *arena)
{
	*column = (struct column){.arena = arena};
}

void
column_fini(struct column *column)
{
	table_grow(column->arena, (void **)&column->narrow,
		   column->narrow == NULL ? 0 : column->bytes, 0);
	table_grow(column->arena, (void **)&column->wide,
		   column->wide == NULL ? 0 : column->bytes, 0);
	column_init(column, column->arena);
}

static void
have_slot(struct column *c, uint32_t slot)
{
	size_t element = c->wide != NULL ? sizeof(uint64_t) : sizeof(uint32_t);
	size_t need = ((size_t)slot + 1) * element;
	size_t more;

	if (need <= c->bytes)
		return;
	more = table_size(c->bytes, need);
	if (c->wide != NULL)
		table_grow(c->arena, (void **)&c->wide, c->bytes, more);
	else
		table_grow(c->arena, (void **)&c->narrow, c->bytes, more);
	c->bytes = more;
}

static void
widen(struct column *c)
{
	size_t count = c->bytes / sizeof(c->narrow[0]);
	uint64_t *wide = NULL;

	table_grow(c->arena, (void **)&wide, 0, c->bytes * 2);
	for (size_t i = 0; i < count; i++)
		if (c->narrow[i] != 0)
			wide[i] = c->narrow[i];
	table_grow(c->arena, (void **)&c->narrow, c->bytes, 0);
	c->wide = wide;
	c->bytes *= 2;
}

/* A slot is below SLOT_NONE. */
static uint32_t
clamp_slots(size_t slots)
{
	return slots < SLOT_NONE ? (uint32_t)slots : SLOT_NONE;
}

static void
note_lengths(struct column *c)
{
	size_t narrow = c->bytes / sizeof(c->narrow[0]);
	size_t wide = c->bytes / sizeof(c->wide[0]);

	c->narrow_len = c->narrow == NULL ? 0 : clamp_slots(narrow);
	c->wide_len = c->wide == NULL ? 0 : clamp_slots(wide);
}

bool
column_add_new(struct column *c, uint32_t slot, uint64_t value)
{
	have_slot(c, slot);
	if (c->wide == NULL && c->total + value > UINT32_MAX)
		widen(c);
	note_lengths(c);
	c->total += value;
	if (c->wide != NULL)
		c->wide[slot] += value;
	else
		c->narrow[slot] += (uint32_t)value;
	return true;
}

/* As many as there is room for already. */
static size_t
count_narrow(struct column *c, const uint32_t *slots, size_t n)
{
	uint32_t *narrow = c->narrow;
	uint32_t len = c->narrow_len;
	size_t i = 0;

	if (c->total > UINT32_MAX - n)
		return 0;
	while (i < n && slots[i] < len)
		narrow[slots[i++]]++;
	c->total += i;
	return i;
}

void
column_count(struct column *c, const uint32_t *slots, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		i += count_narrow(c, slots + i, n - i);
		if (i == n)
			break;
		if (slots[i] == SLOT_NONE)
			c->none++;
		else
			BUG_ON(!column_add(c, slots[i], 1));
	}
}

static bool
add_none(struct column *c, uint64_t value)
{
	uint64_t none;

	if (__builtin_add_overflow(c->none, value, &none))
		return false;
	c->none = none;
	return true;
}

bool
column_add_all(struct column *c, const struct column_amount *amounts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (amounts[i].slot == SLOT_NONE
			? !add_none(c, amounts[i].value)
			: !column_add(c, amounts[i].slot, amounts[i].value))
			return false;
	}
	return true;
}

static uint64_t
gap(const int64_t *times, size_t n)
{
	return (uint64_t)times[n] - (uint64_t)times[0];
}

/* As many as there is room for already, and sums that fit. */
static size_t
gaps_narrow(struct column *c, const uint32_t *slots, const int64_t *times,
	    size_t n)
{
	uint32_t *narrow = c->narrow;
	uint32_t len = c->narrow_len;
	size_t i = 0;

	if (gap(times, n) > UINT32_MAX - c->total)
		return 0;
	for (; i < n && slots[i] < len; i++)
		narrow[slots[i]] += (uint32_t)(times[i + 1] - times[i]);
	c->total += gap(times, i);
	return i;
}

static size_t
gaps_wide(struct column *c, const uint32_t *slots, const int64_t *times,
	  size_t n)
{
	uint64_t *wide = c->wide;
	uint32_t len = c->wide_len;
	size_t i = 0;

	if (gap(times, n) > UINT64_MAX - c->total)
		return 0;
	for (; i < n && slots[i] < len; i++)
		wide[slots[i]] += gap(times + i, 1);
	c->total += gap(times, i);
	return i;
}

bool
column_add_gaps(struct column *c, const uint32_t *slots, const int64_t *times,
		size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct column_amount one;

		i += c->wide != NULL
			 ? gaps_wide(c, slots + i, times + i, n - i)
			 : gaps_narrow(c, slots + i, times + i, n - i);
		if (i == n)
			break;
		one = (struct column_amount){slots[i], gap(times + i, 1)};
		if (!column_add_all(c, &one, 1))
			return false;
	}
	return true;
}

void
column_take_gaps(struct column *c, const uint32_t *slots, const int64_t *times,
		 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t value = gap(times + i, 1);

		if (slots[i] == SLOT_NONE) {
			c->none -= value;
			continue;
		}
		c->total -= value;
		if (c->wide != NULL)
			c->wide[slots[i]] -= value;
		else
			c->narrow[slots[i]] -= (uint32_t)value;
	}
}

static uint64_t
value_of(const struct column *c, uint32_t slot)
{
	return c->wide != NULL ? c->wide[slot] : c->narrow[slot];
}

/* Adds a node up whose children were: its sum is all that is below it and its
 * own, so what it hands up to its parent is not the parent's own. */
static void
add_up(struct column *c, const struct tree *tree, uint32_t slot,
       struct measure *m)
{
	uint64_t sum = value_of(c, slot);
	uint32_t frame = tree_frame(tree, slot);
	uint32_t parent = tree_parent(tree, slot);

	m->self[frame] += sum;
	if (tree_topmost(tree, slot))
		m->inclusive[frame] += sum;
	if (parent == SLOT_NONE)
		return;
	m->self[tree_frame(tree, parent)] -= sum;
	if (c->wide != NULL)
		c->wide[parent] += sum;
	else
		c->narrow[parent] += (uint32_t)sum;
}

static void
add_all_up(struct column *c, struct tree *tree, struct measure *m)
{
	struct tree_walk walk;

	if (tree->parents_first) {
		for (uint32_t slot = tree->slots; slot-- > 0;)
			if (tree_is_node(tree, slot))
				add_up(c, tree, slot, m);
		return;
	}
	tree_list_children(tree);
	tree_walk_init(&walk, tree, tree->root);
	while (tree_walk_next(&walk))
		if (walk.leaving)
			add_up(c, tree, walk.at, m);
}

void
measure_init(struct measure *measure, struct arena *arena, uint32_t frames)
{
	*measure = (struct measure){0};
	measure_grow(measure, arena, frames);
}

void
measure_grow(struct measure *measure, struct arena *arena, uint32_t frames)
{
	size_t need = ((size_t)frames + 1) * sizeof(measure->self[0]);
	size_t more;

	if (measure->self != NULL && need <= measure->bytes)
		return;
	more = table_size(measure->bytes, need);
	table_grow(arena, (void **)&measure->self, measure->bytes, more);
	table_grow(arena, (void **)&measure->inclusive, measure->bytes, more);
	measure->bytes = more;
}

void
measure_fini(struct measure *measure, struct arena *arena)
{
	table_grow(arena, (void **)&measure->self, measure->bytes, 0);
	table_grow(arena, (void **)&measure->inclusive, measure->bytes, 0);
	*measure = (struct measure){0};
}

bool
measure_add(struct measure *measure, uint32_t frame, uint64_t value)
{
	if (__builtin_add_overflow(measure->total, value, &measure->total))
		return false;
	measure->self[frame] += value;
	measure->inclusive[frame] += value;
	return true;
}

void
column_fold(struct column *c, struct tree *tree, uint32_t frames,
	    struct measure *measure_out)
{
	struct measure m;

	measure_init(&m, c->arena, frames);
	m.total = c->total;
	if (tree->slots > 0)
		have_slot(c, tree->slots - 1);
	if (tree->nodes > 0)
		add_all_up(c, tree, &m);
	column_fini(c);
	*measure_out = m;
}
