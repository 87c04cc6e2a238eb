/*
 * usage: peer-simdjson --version | [--warm N] FILE
 *
 * simdjson on demand with the same aggregation. --warm: the file is read once
 * and then gone through N times with the same buffers; the seconds of the best
 * time are printed as "seconds".
 */
#include <simdjson.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "aggregate.hpp"

using namespace simdjson;

/* What is compiled in here; the library's own was chosen by who built it. */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define INLINED TEXT(SIMDJSON_BUILTIN_IMPLEMENTATION)

static uint32_t
read_frame(ondemand::object object, Aggregate &all)
{
	std::string_view function, url;
	int64_t line = -1, column = -1;

	for (auto field : object) {
		std::string_view key = field.unescaped_key();

		if (key == "functionName")
			function = field.value().get_string();
		else if (key == "url")
			url = field.value().get_string();
		else if (key == "lineNumber")
			line = field.value().get_int64();
		else if (key == "columnNumber")
			column = field.value().get_int64();
	}
	return all.frame(function, url, line, column);
}

static void
read_node(ondemand::object object, Aggregate &all)
{
	uint64_t id = 0, hits = 0;
	uint32_t frame = 0;

	for (auto field : object) {
		std::string_view key = field.unescaped_key();

		if (key == "id")
			id = field.value().get_uint64();
		else if (key == "callFrame")
			frame = read_frame(field.value().get_object(), all);
		else if (key == "hitCount")
			hits = field.value().get_uint64();
		else if (key == "children")
			for (auto child : field.value().get_array())
				all.child(id, child.get_uint64());
	}
	all.node(id, frame, hits);
}

static void
read_tree(ondemand::object object, uint64_t parent, Aggregate &all)
{
	uint64_t id = 0, size = 0;
	uint32_t frame = 0;

	for (auto field : object) {
		std::string_view key = field.unescaped_key();

		if (key == "callFrame") {
			frame = read_frame(field.value().get_object(), all);
		} else if (key == "selfSize") {
			size = field.value().get_uint64();
		} else if (key == "id") {
			id = field.value().get_uint64();
		} else if (key == "children") {
			/* V8 writes them last */
			all.node(id, frame, size);
			if (parent != 0)
				all.child(parent, id);
			for (auto child : field.value().get_array())
				read_tree(child.get_object(), id, all);
		}
	}
}

static void
read_cpu(ondemand::document &document, Aggregate &all)
{
	int64_t start = 0, stop = 0;

	for (auto field : document.get_object()) {
		std::string_view key = field.unescaped_key();

		if (key == "nodes")
			for (auto node : field.value().get_array())
				read_node(node.get_object(), all);
		else if (key == "startTime")
			start = field.value().get_int64();
		else if (key == "endTime")
			stop = field.value().get_int64();
		else if (key == "samples")
			for (auto id : field.value().get_array())
				all.sample(id.get_int64());
		else if (key == "timeDeltas")
			for (auto delta : field.value().get_array())
				all.delta(delta.get_int64());
	}
	all.end(start, stop);
	all.print("cpu.hit_count", "cpu.samples", "wall.time");
}

static void
read_heap(ondemand::document &document, Aggregate &all)
{
	for (auto field : document.get_object()) {
		std::string_view key = field.unescaped_key();

		if (key == "head")
			read_tree(field.value().get_object(), 0, all);
		else if (key == "samples")
			for (auto sample : field.value().get_array())
				all.count(sample["nodeId"].get_uint64());
	}
	all.print("memory.self_size", "memory.samples", nullptr);
}

static void
read_all(ondemand::parser &parser, const padded_string &text)
{
	ondemand::document document = parser.iterate(text);
	Aggregate all;

	if (std::memcmp(text.data(), "{\"head\"", 7) == 0)
		read_heap(document, all);
	else
		read_cpu(document, all);
}

int
main(int argc, char **argv)
{
	if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
		std::printf("%d.%d.%d (%s)\n", SIMDJSON_VERSION_MAJOR,
			    SIMDJSON_VERSION_MINOR, SIMDJSON_VERSION_REVISION,
			    INLINED);
		return 0;
	}

	int times = argc == 4 ? std::atoi(argv[2]) : 0;
	padded_string text = padded_string::load(argv[argc - 1]);
	ondemand::parser parser(SIMDJSON_MAXSIZE_BYTES);
	double best = 1e9;

	read_all(parser, text);
	for (int i = 0; i < times; i++) {
		auto began = std::chrono::steady_clock::now();
		std::chrono::duration<double> took;

		read_all(parser, text);
		took = std::chrono::steady_clock::now() - began;
		best = took.count() < best ? took.count() : best;
	}
	if (times > 0)
		std::printf("{\"seconds\":%.6f}\n", best);
	return 0;
}
