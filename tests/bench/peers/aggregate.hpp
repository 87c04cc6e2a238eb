/*
 * What all peers in C++ do with a profile once they have read a piece of it:
 * frames by name and place; counts, times or bytes of each frame by itself and
 * with what it called, recursion once. Simpler than ours where that is to their
 * advantage: deltas are taken to be in order.
 */
#ifndef TESTS_BENCH_PEERS_AGGREGATE_HPP
#define TESTS_BENCH_PEERS_AGGREGATE_HPP

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

class Aggregate {
public:
	uint32_t frame(std::string_view function, std::string_view url,
		       int64_t line, int64_t column)
	{
		key.assign(function);
		key += '\0';
		key += url;
		key.append(reinterpret_cast<const char *>(&line), sizeof(line));
		key.append(reinterpret_cast<const char *>(&column),
			   sizeof(column));
		return frames
		    .try_emplace(key, static_cast<uint32_t>(frames.size()))
		    .first->second;
	}

	void node(uint64_t id, uint32_t frame, uint64_t value)
	{
		have(id);
		frame_of[id] = frame + 1;
		values[id] += value;
		total += value;
		nodes++;
	}

	void child(uint64_t parent, uint64_t id)
	{
		have(id);
		parent_of[id] = static_cast<uint32_t>(parent);
	}

	void sample(int64_t id)
	{
		uint64_t slot = static_cast<uint64_t>(id);

		if (slot >= frame_of.size() || frame_of[slot] == 0)
			slot = 0;
		samples.push_back(static_cast<uint32_t>(slot));
		count(slot);
	}

	/* a sample of a heap profile */
	void count(uint64_t slot)
	{
		if (slot >= counts.size())
			slot = 0;
		counts[slot]++;
		samples_total++;
	}

	/* The delta in front of a sample is the time of the one before. */
	void delta(int64_t us)
	{
		if (deltas > 0 && deltas <= samples.size())
			times[samples[deltas - 1]] += us > 0 ? us : 0;
		now += us;
		deltas++;
	}

	void end(int64_t start, int64_t stop)
	{
		if (deltas > 0 && stop - start > now)
			times[samples[deltas - 1]] += stop - start - now;
	}

	/* Folds the three columns and prints their totals. */
	void print(const char *first, const char *second, const char *third)
	{
		uint64_t most[3] = {fold(values), fold(counts), fold(times)};
		uint64_t timed = 0;

		for (uint64_t time : times)
			timed += time;
		std::printf("{\"nodes\":%llu,\"samples\":%llu,\"frames\":%zu,"
			    "\"totals\":{\"%s\":%llu,\"%s\":%llu",
			    ull(nodes), ull(samples_total), frames.size(),
			    first, ull(total), second, ull(samples_total));
		if (third != nullptr)
			std::printf(",\"%s\":%llu", third, ull(timed));
		std::printf("},\"most\":[%llu,%llu,%llu]}\n", ull(most[0]),
			    ull(most[1]), ull(most[2]));
	}

private:
	static unsigned long long ull(uint64_t value) { return value; }

	void have(uint64_t id)
	{
		if (id < frame_of.size())
			return;
		size_t size = id + 1 + id / 2;
		frame_of.resize(size);
		parent_of.resize(size);
		values.resize(size);
		counts.resize(size);
		times.resize(size);
	}

	/* The largest inclusive value of a frame: parents are below their
	 * children by number, as V8 gives them out. */
	uint64_t fold(std::vector<uint64_t> column)
	{
		std::vector<uint64_t> self(frames.size()),
		    inclusive(frames.size());
		uint64_t most = 0;

		mark();
		for (size_t i = 0; i < frame_of.size(); i++)
			if (frame_of[i] != 0)
				self[frame_of[i] - 1] += column[i];
		for (size_t i = frame_of.size(); i-- > 1;) {
			if (frame_of[i] == 0)
				continue;
			if (topmost[i])
				inclusive[frame_of[i] - 1] += column[i];
			column[parent_of[i]] += column[i];
		}
		for (uint64_t value : inclusive)
			most = value > most ? value : most;
		return most;
	}

	/* Which nodes have no ancestor of the same frame, by one walk. */
	void mark()
	{
		std::vector<uint32_t> first(frame_of.size()),
		    next(frame_of.size()), active(frames.size());

		if (!topmost.empty())
			return;
		topmost.resize(frame_of.size());
		for (size_t i = frame_of.size(); i-- > 1;) {
			if (frame_of[i] == 0 || parent_of[i] == 0)
				continue;
			next[i] = first[parent_of[i]];
			first[parent_of[i]] = static_cast<uint32_t>(i);
		}
		for (size_t root = 1; root < frame_of.size(); root++)
			if (frame_of[root] != 0 && parent_of[root] == 0)
				walk(static_cast<uint32_t>(root), first, next,
				     active);
	}

	void walk(uint32_t at, const std::vector<uint32_t> &first,
		  const std::vector<uint32_t> &next,
		  std::vector<uint32_t> &active)
	{
		topmost[at] = active[frame_of[at] - 1]++ == 0;
		for (uint32_t child = first[at]; child != 0;
		     child = next[child])
			walk(child, first, next, active);
		active[frame_of[at] - 1]--;
	}

	std::string key;
	std::unordered_map<std::string, uint32_t> frames;
	std::vector<uint32_t> frame_of, parent_of, samples;
	std::vector<uint64_t> values, counts, times;
	std::vector<char> topmost;
	uint64_t nodes = 0, total = 0, samples_total = 0, deltas = 0;
	int64_t now = 0;
};

#endif
