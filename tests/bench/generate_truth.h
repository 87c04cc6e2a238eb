/*
 * What a generated profile adds up to, as JSON: counts, the totals of each
 * metric, and the self values of the heaviest frames.
 */
#ifndef TESTS_BENCH_GENERATE_TRUTH_H
#define TESTS_BENCH_GENERATE_TRUTH_H

#include "generate.h"

static int main_value;

static int
heavier(const void *a, const void *b)
{
	const struct frame *x = *(struct frame *const *)a;
	const struct frame *y = *(struct frame *const *)b;

	if (x->self[main_value] != y->self[main_value])
		return x->self[main_value] < y->self[main_value] ? 1 : -1;
	return x < y ? -1 : x > y;
}

static const char *const cpu_metrics[VALUES] = {"cpu.hit_count", "cpu.samples",
						"wall.time"};
static const char *const heap_metrics[] = {"memory.self_size",
					   "memory.samples"};

static void
truth_frame(FILE *file, const struct gen *gen, const struct frame *frame,
	    bool is_first)
{
	const bool is_heap = gen->shape->is_heap;
	const char *const *names = is_heap ? heap_metrics : cpu_metrics;

	fprintf(file, "%s\n  {\"function\":\"%s\",\"url\":\"%s\",",
		is_first ? "" : ",", frame->name, frame->url);
	if (frame->line < 0)
		fprintf(file, "\"line\":null,\"column\":null,\"self\":{");
	else
		fprintf(file, "\"line\":%d,\"column\":%d,\"self\":{",
			frame->line + 1, frame->column + 1);
	for (int i = 0; i < (is_heap ? 2 : VALUES); i++)
		fprintf(file, "%s\"%s\":%llu", i > 0 ? "," : "", names[i],
			(unsigned long long)frame->self[i]);
	fprintf(file, "}}");
}

static void
truth_totals(FILE *file, const struct gen *gen)
{
	const bool is_heap = gen->shape->is_heap;
	const char *const *names = is_heap ? heap_metrics : cpu_metrics;

	fprintf(file, "\"metrics\":{");
	for (int i = 0; i < (is_heap ? 2 : VALUES); i++) {
		uint64_t total = i == SAMPLES ? gen->lost : 0;

		for (uint32_t f = 0; f < gen->shape->frames; f++)
			total += gen->frames[f].self[i];
		fprintf(file, "%s\"%s\":{\"total\":%llu,\"active\":%llu}",
			i > 0 ? "," : "", names[i], (unsigned long long)total,
			(unsigned long long)(total -
					     gen->frames[IDLE].self[i]));
	}
	fprintf(file, "}");
}

static void
truth_write(struct gen *gen, const char *path)
{
	uint32_t count = gen->shape->frames;
	struct frame **order = zeroed(count, sizeof(struct frame *));
	uint32_t used = gen->lost > 0 ? 1 : 0;
	FILE *file = fopen(path, "w");

	if (file == NULL)
		die("cannot write the truth");
	for (uint32_t i = 0; i < count; i++) {
		order[i] = &gen->frames[i];
		used += gen->frames[i].is_used;
		if (!gen->shape->is_heap)
			order[i]->self[SAMPLES] = order[i]->self[HITS];
	}
	main_value = gen->shape->is_heap ? HITS : WALL;
	qsort(order, count, sizeof(struct frame *), heavier);
	fprintf(file,
		"{\"shape\":\"%s\",\"bytes\":%llu,\"nodes\":%llu,"
		"\"samples\":%llu,\"frames\":%u,",
		gen->shape->name, (unsigned long long)written,
		(unsigned long long)gen->nodes,
		(unsigned long long)gen->samples, used);
	truth_totals(file, gen);
	fprintf(file, ",\"heaviest\":[");
	for (uint32_t i = 0; i < TOP && i < count; i++)
		truth_frame(file, gen, order[i], i == 0);
	fprintf(file, "]}\n");
	if (fclose(file) != 0)
		die("cannot write the truth");
	free(order);
}

#endif
