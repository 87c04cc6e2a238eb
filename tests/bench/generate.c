/*
 * Writes V8 profiles of any size in V8's own layout, in the four shapes that
 * the benchmarks use, and knows what they add up to. Same arguments, same
 * bytes. Memory grows with nodes (22 bytes each), never with samples: what is
 * needed twice is drawn twice from the same seed.
 *
 * bench-generate SHAPE SIZE [--nodes N] [--seed S] [--truth FILE] > OUT
 *
 * cpuS  a settled server: few nodes, then samples and deltas
 * cpuN  a build tool: nearly all nodes, deep stacks
 * heap  a sampling heap profile, nested
 * real  a large capture: nodes, ticks, samples, some negative deltas
 */
#include "generate.h"
#include "generate_frames.h"
#include "generate_tree.h"
#include "generate_truth.h"

static const struct shape shapes[] = {
    {"cpuS", false, 900, 40, 90, 6, 130, 20000, 30, 200000},
    {"cpuN", false, 1800, 300, 449, 97, 64, 9000, 1, NONE},
    {"heap", true, 1500, 110, 128, 93, 40, 0, 0, NONE},
    {"real", false, 4000, 120, 260, 92, 86, 700, 12, NONE},
};

/* -- samples and times ----------------------------------------------------- */

struct draw {
	uint64_t nodes;
	uint64_t deltas;
};

static struct draw
draw_start(const struct gen *gen)
{
	return (struct draw){gen->seed ^ 0x5a5a, gen->seed ^ 0xd3d3d3};
}

/*
 * Low ids are hot in a settled server; elsewhere every node has its turn.
 * Without branches on the random bits: they would be mispredicted.
 */
static uint32_t
draw_node(const struct gen *gen, struct draw *draw)
{
	uint64_t r = rand_next(&draw->nodes);
	uint64_t u = r >> 32;
	uint32_t vm = r & 255;
	uint32_t idle = gen->shape->idle_of_256;
	uint32_t node;

	if (gen->shape->node_percent < 50)
		u = (((u * u) >> 32) * u) >> 32;
	node = VM_FRAMES + (uint32_t)((u * (gen->nodes - VM_FRAMES)) >> 32);
	node = vm < idle + 3 ? GC : node;
	node = vm < idle ? IDLE : node;
	return node;
}

static int64_t
draw_delta(const struct gen *gen, struct draw *draw)
{
	uint64_t r = rand_next(&draw->deltas);
	uint32_t odd = (uint32_t)(r >> 32);
	uint32_t often = (uint32_t)r & 0xffff;

	if (odd < gen->negative_below)
		return -(int64_t)(1 + (often & 63));
	if (odd < gen->negative_below + UINT32_MAX / 600)
		return 1000 + (often & 8191);
	return 95 + (often & 127);
}

/* The hits of each node and the end of time, before anything is written. */
static void
count_hits(struct gen *gen)
{
	struct draw draw = draw_start(gen);
	int64_t now = (int64_t)START_US;
	int64_t latest = now;

	for (uint64_t i = 0; i < gen->samples; i++) {
		uint32_t node = draw_node(gen, &draw);

		gen->tree.hits[node]++;
		now += draw_delta(gen, &draw);
		if (now > latest)
			latest = now;
	}
	gen->end_us = (uint64_t)latest + 137;
}

/*
 * What a sample lasts, for the truth: put in order through a small ring. No
 * delta is more negative than the least positive one, so a sample is never
 * more than a few places late.
 */
struct order {
	int64_t times[PENDING];
	uint32_t nodes[PENDING];
	uint32_t head;
	uint32_t tail;
	int64_t last_time;
	uint32_t last_node;
};

static void
order_leave(struct order *order, struct gen *gen)
{
	uint32_t at = order->head++ % PENDING;

	if (order->last_node != NONE)
		gen->frames[gen->tree.frame[order->last_node]].self[WALL] +=
		    (uint64_t)(order->times[at] - order->last_time);
	order->last_time = order->times[at];
	order->last_node = order->nodes[at];
}

static void
order_add(struct order *order, struct gen *gen, int64_t now, uint32_t node)
{
	uint32_t at;

	if (order->tail - order->head == PENDING)
		order_leave(order, gen);
	at = order->tail++;
	while (at != order->head && order->times[(at - 1) % PENDING] > now) {
		order->times[at % PENDING] = order->times[(at - 1) % PENDING];
		order->nodes[at % PENDING] = order->nodes[(at - 1) % PENDING];
		at--;
	}
	order->times[at % PENDING] = now;
	order->nodes[at % PENDING] = node;
}

static void
write_samples(struct gen *gen)
{
	struct draw draw = draw_start(gen);

	put_text("],\"startTime\":");
	put_uint(START_US);
	put_text(",\"endTime\":");
	put_uint(gen->end_us);
	put_text(",\"samples\":[");
	for (uint64_t i = 0; i < gen->samples; i++) {
		if (i > 0)
			put_char(',');
		put_uint((uint64_t)draw_node(gen, &draw) + 1);
	}
	put_text("],\"timeDeltas\":[");
}

static void
write_deltas(struct gen *gen)
{
	struct draw draw = draw_start(gen);
	struct order order = {.last_node = NONE};
	int64_t now = (int64_t)START_US;

	for (uint64_t i = 0; i < gen->samples; i++) {
		int64_t delta = draw_delta(gen, &draw);

		if (i > 0)
			put_char(',');
		put_int(delta);
		now += delta;
		order_add(&order, gen, now, draw_node(gen, &draw));
	}
	while (order.head != order.tail)
		order_leave(&order, gen);
	if (gen->samples > 0)
		gen->frames[gen->tree.frame[order.last_node]].self[WALL] +=
		    gen->end_us - (uint64_t)order.last_time;
	put_text("]}");
}

/* -- nodes ----------------------------------------------------------------- */

static void
write_ticks(const struct gen *gen, uint32_t node)
{
	uint32_t left = gen->tree.hits[node];
	int line = gen->frames[gen->tree.frame[node]].line + 1;

	put_text(",\"positionTicks\":[");
	for (uint32_t i = 0; left > 0; i++) {
		uint32_t ticks = i < 3 ? left - left / 2 : left;

		put_text(i > 0 ? ",{\"line\":" : "{\"line\":");
		put_uint((uint64_t)(line < 0 ? 0 : line) + i * 2);
		put_text(",\"ticks\":");
		put_uint(ticks);
		put_char('}');
		left -= ticks;
	}
	put_char(']');
}

static void
write_cpu_node(struct gen *gen, uint32_t node)
{
	const struct tree *tree = &gen->tree;
	struct frame *frame = &gen->frames[tree->frame[node]];

	frame->self[HITS] += tree->hits[node];
	put_text("{\"id\":");
	put_uint((uint64_t)node + 1);
	put_char(',');
	put(frame->json, frame->json_len);
	put_text(",\"hitCount\":");
	put_uint(tree->hits[node]);
	if (tree->first[node] != NONE) {
		put_text(",\"children\":");
		for (uint32_t c = tree->first[node]; c != NONE;
		     c = tree->next[c]) {
			put_char(c == tree->first[node] ? '[' : ',');
			put_uint((uint64_t)c + 1);
		}
		put_char(']');
	}
	if (tree->hits[node] > 0)
		write_ticks(gen, node);
	put_char('}');
}

static void
write_heap_node(struct gen *gen, uint32_t node)
{
	struct frame *frame = &gen->frames[gen->tree.frame[node]];

	frame->self[HITS] += gen->tree.hits[node];
	put_char('{');
	put(frame->json, frame->json_len);
	put_text(",\"selfSize\":");
	put_uint(gen->tree.hits[node]);
	put_text(",\"id\":");
	put_uint((uint64_t)node + 1);
	put_text(",\"children\":[");
}

/* Depth-first, parents first; a heap node closes behind its children. */
static void
write_tree(struct gen *gen)
{
	const struct tree *tree = &gen->tree;
	const bool is_heap = gen->shape->is_heap;
	uint32_t path[DEPTH_MAX + 1];
	uint32_t depth = 0;
	uint32_t node = 0;

	for (;;) {
		if (is_heap)
			write_heap_node(gen, node);
		else
			write_cpu_node(gen, node);
		if (tree->first[node] != NONE) {
			path[depth++] = node;
			node = tree->first[node];
			if (!is_heap)
				put_char(',');
			continue;
		}
		if (is_heap)
			put("]}", 2);
		while (tree->next[node] == NONE && depth > 0) {
			node = path[--depth];
			if (is_heap)
				put("]}", 2);
		}
		if (depth == 0)
			return;
		node = tree->next[node];
		put_char(',');
	}
}

static void
write_cpu(struct gen *gen)
{
	count_hits(gen);
	put_text("{\"nodes\":[");
	write_tree(gen);
	write_samples(gen);
	write_deltas(gen);
}

/* Most nodes hold nothing any more; some samples outlive their node. */
static void
write_heap(struct gen *gen)
{
	for (uint64_t i = 0; i < gen->nodes; i++)
		if (rand_below(&gen->rand, 3) == 0)
			gen->tree.hits[i] =
			    16 + 8 * rand_below(&gen->rand, 4000);
	put_text("{\"head\":");
	write_tree(gen);
	put_text(",\"samples\":[");
	for (uint64_t i = 0; i < gen->samples; i++) {
		uint32_t node =
		    rand_below(&gen->rand, gen->nodes + gen->nodes / 20);

		put_text(i > 0 ? ",{\"size\":" : "{\"size\":");
		put_uint(16 + 8 * (uint64_t)rand_below(&gen->rand, 4000));
		put_text(",\"nodeId\":");
		put_uint((uint64_t)node + 1);
		put_text(",\"ordinal\":");
		put_uint(i + 1);
		put_char('}');
		if (node < gen->nodes)
			gen->frames[gen->tree.frame[node]].self[SAMPLES]++;
		else
			gen->lost++;
	}
	put_text("]}");
}

/* -- set-up ---------------------------------------------------------------- */

static uint64_t
size_parse(const char *text)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (end == text || errno != 0 || number > (UINT64_C(1) << 33))
		die("not a number or size");
	if (*end == 'K')
		number <<= 10;
	else if (*end == 'M')
		number <<= 20;
	else if (*end == 'G')
		number <<= 30;
	else if (*end != '\0')
		die("not a number or size");
	if (*end != '\0' && end[1] != '\0')
		die("not a number or size");
	return number;
}

/* How many nodes and samples make about so many bytes. */
static void
counts_plan(struct gen *gen)
{
	const struct shape *shape = gen->shape;
	double per_node = frame_bytes(gen) + shape->node_extra;
	double per_sample = shape->is_heap ? 41 : 9;
	double left;

	if (gen->nodes == 0)
		gen->nodes = (uint64_t)((double)gen->size *
					shape->node_percent / 100 / per_node);
	if (gen->nodes > shape->nodes_most)
		gen->nodes = shape->nodes_most;
	if (gen->nodes <= VM_FRAMES)
		gen->nodes = VM_FRAMES + 1;
	if (gen->nodes > UINT32_MAX / 2)
		die("too many nodes");
	if (!shape->is_heap)
		per_sample = 5 + digits_of(gen->nodes) -
			     (shape->node_percent < 50 ? 0.7 : 0.2);
	left = (double)gen->size - (double)gen->nodes * per_node;
	if (left < (double)gen->size / 50)
		left = (double)gen->size / 50;
	gen->samples = (uint64_t)(left / per_sample);
}

static void
usage(void)
{
	die("SHAPE SIZE [--nodes N] [--seed S] [--truth FILE] > OUT\n"
	    "SHAPE: cpuS, cpuN, heap, real; SIZE: bytes, or with K, M, G");
}

static const struct shape *
shape_find(const char *name)
{
	for (size_t i = 0; i < LENGTH(shapes); i++)
		if (strcmp(shapes[i].name, name) == 0)
			return &shapes[i];
	usage();
	return NULL;
}

int
main(int argc, char **argv)
{
	static struct gen gen;
	const char *truth = NULL;

	if (argc < 3)
		usage();
	gen.shape = shape_find(argv[1]);
	gen.size = size_parse(argv[2]);
	gen.seed = 1;
	for (int i = 3; i < argc; i += 2) {
		if (i + 1 == argc)
			usage();
		else if (strcmp(argv[i], "--nodes") == 0)
			gen.nodes = size_parse(argv[i + 1]);
		else if (strcmp(argv[i], "--seed") == 0)
			gen.seed = size_parse(argv[i + 1]);
		else if (strcmp(argv[i], "--truth") == 0)
			truth = argv[i + 1];
		else
			usage();
	}
	gen.rand = gen.seed;
	quads_make();
	frames_make(&gen);
	picks_make(&gen);
	if (gen.shape->negative_every > 0)
		gen.negative_below = UINT32_MAX / gen.shape->negative_every;
	counts_plan(&gen);
	tree_make(&gen);
	if (gen.shape->is_heap)
		write_heap(&gen);
	else
		write_cpu(&gen);
	flush();
	if (fflush(stdout) != 0)
		die("cannot write");
	if (truth != NULL)
		truth_write(&gen, truth);
	return 0;
}
