/*
 * usage: peer-rapidjson --version | FILE
 *
 * RapidJSON's SAX reader over a file stream of 64 KiB, with the same
 * aggregation. The handler keeps a stack of where it is.
 */
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>

#include <cstring>

#include "aggregate.hpp"

namespace {

struct Frame {
	std::string function, url;
	int64_t line = -1, column = -1;
};

struct Node {
	uint64_t id = 0, value = 0;
	Frame frame;
	std::vector<uint64_t> children;
	bool added = false;
};

class Handler
    : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
public:
	Aggregate all;
	bool heap = false;

	bool Int(int value) { return number(value); }
	bool Uint(unsigned value) { return number(value); }
	bool Int64(int64_t value) { return number(value); }
	bool Uint64(uint64_t value)
	{
		return number(static_cast<int64_t>(value));
	}

	bool String(const char *text, rapidjson::SizeType len, bool)
	{
		if (nodes.empty())
			return true;
		if (key == "functionName")
			nodes.back().frame.function.assign(text, len);
		else if (key == "url")
			nodes.back().frame.url.assign(text, len);
		return true;
	}

	bool Key(const char *text, rapidjson::SizeType len, bool)
	{
		key.assign(text, len);
		if (depth == 1)
			field = key;
		return true;
	}

	bool StartObject()
	{
		depth++;
		/* a node stands in an array of nodes, or is the head */
		if (is_node()) {
			heap = heap || field == "head";
			nodes.emplace_back();
			node_depth.push_back(depth);
		}
		return true;
	}

	bool EndObject(rapidjson::SizeType)
	{
		if (!node_depth.empty() && node_depth.back() == depth) {
			add();
			nodes.pop_back();
			node_depth.pop_back();
		}
		depth--;
		return true;
	}

	bool StartArray()
	{
		depth++;
		in_children.push_back(key == "children");
		if (heap && in_children.back() && !nodes.empty())
			add();
		return true;
	}

	bool EndArray(rapidjson::SizeType)
	{
		depth--;
		in_children.pop_back();
		return true;
	}

	void end()
	{
		if (heap) {
			all.print("memory.self_size", "memory.samples",
				  nullptr);
			return;
		}
		all.end(start, stop);
		all.print("cpu.hit_count", "cpu.samples", "wall.time");
	}

private:
	bool is_node() const
	{
		if (field == "nodes")
			return depth == 3;
		return field == "head" && key != "callFrame";
	}

	bool number(int64_t value)
	{
		if (!nodes.empty())
			return node_number(nodes.back(), value);
		if (field == "samples") {
			if (depth == 2)
				all.sample(value);
			else if (key == "nodeId")
				all.count(static_cast<uint64_t>(value));
		} else if (field == "timeDeltas") {
			all.delta(value);
		} else if (field == "startTime") {
			start = value;
		} else if (field == "endTime") {
			stop = value;
		}
		return true;
	}

	bool node_number(Node &node, int64_t value)
	{
		if (key == "id")
			node.id = static_cast<uint64_t>(value);
		else if (key == "hitCount" || key == "selfSize")
			node.value = static_cast<uint64_t>(value);
		else if (key == "lineNumber")
			node.frame.line = value;
		else if (key == "columnNumber")
			node.frame.column = value;
		else if (key == "children")
			node.children.push_back(static_cast<uint64_t>(value));
		return true;
	}

	void add()
	{
		Node &node = nodes.back();
		const Frame &f = node.frame;

		if (node.added)
			return;
		node.added = true;
		all.node(node.id,
			 all.frame(f.function, f.url, f.line, f.column),
			 node.value);
		for (uint64_t child : node.children)
			all.child(node.id, child);
		if (heap && nodes.size() > 1)
			all.child(nodes[nodes.size() - 2].id, node.id);
	}

	std::string key, field;
	unsigned depth = 0;
	std::vector<Node> nodes;
	std::vector<unsigned> node_depth;
	std::vector<bool> in_children;
	int64_t start = 0, stop = 0;
};

} // namespace

int
main(int argc, char **argv)
{
	if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
		std::puts(RAPIDJSON_VERSION_STRING);
		return 0;
	}

	std::FILE *file = std::fopen(argv[1], "rb");
	static char buffer[65536];
	rapidjson::FileReadStream stream(file, buffer, sizeof(buffer));
	rapidjson::Reader reader;
	Handler handler;

	if (reader.Parse(stream, handler).IsError())
		return 1;
	handler.end();
	std::fclose(file);
	return 0;
}
