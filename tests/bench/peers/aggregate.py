"""usage: aggregate.py json|ijson FILE

json: json.load of the whole file, and self and inclusive values by frame.
ijson: the events of its fastest backend alone, counted, without any sums.
"""
import collections
import json
import sys


def events(path):
    import ijson
    with open(path, "rb") as file:
        count = sum(1 for _ in ijson.basic_parse(file))
    return {"backend": ijson.backend, "events": count}


class Tree:
    def __init__(self):
        self.known = {}
        self.frame, self.children, self.slot = [], [], {}

    def add(self, node):
        frame = node["callFrame"]
        key = (frame["functionName"], frame["url"], frame["lineNumber"],
               frame["columnNumber"])
        self.slot[node["id"]] = len(self.frame)
        self.frame.append(self.known.setdefault(key, len(self.known)))
        self.children.append([])

    def most(self, column):
        """The largest inclusive value of a frame, recursion once."""
        total, active = list(column), collections.Counter()
        inclusive = collections.Counter()
        pending = [(0, False, True)]
        while pending:
            at, leaving, topmost = pending.pop()
            frame = self.frame[at]
            if not leaving:
                pending.append((at, True, active[frame] == 0))
                active[frame] += 1
                pending += [(child, False, True) for child in self.children[at]]
                continue
            active[frame] -= 1
            total[at] += sum(total[child] for child in self.children[at])
            if topmost:
                inclusive[frame] += total[at]
        return max(inclusive.values())


def cpu(profile):
    tree = Tree()
    for node in profile["nodes"]:
        tree.add(node)
    for node in profile["nodes"]:
        tree.children[tree.slot[node["id"]]] = [
            tree.slot[child] for child in node.get("children", ())]
    hits = [node.get("hitCount", 0) for node in profile["nodes"]]
    counts, times = [0] * len(hits), [0] * len(hits)
    samples, deltas = profile["samples"], profile["timeDeltas"]
    left = profile["endTime"] - profile["startTime"] - sum(deltas)
    for node, delta in zip(samples, deltas[1:] + [left]):
        counts[tree.slot[node]] += 1
        times[tree.slot[node]] += max(0, delta)
    return {"nodes": len(hits), "samples": len(samples),
            "frames": len(tree.known),
            "totals": {"cpu.hit_count": sum(hits), "cpu.samples": sum(counts),
                       "wall.time": sum(times)},
            "most": [tree.most(column) for column in (hits, counts, times)]}


def heap(profile):
    tree, sizes = Tree(), []
    pending = [(profile["head"], None)]
    while pending:
        node, parent = pending.pop()
        at = len(sizes)
        tree.add(node)
        sizes.append(node["selfSize"])
        if parent is not None:
            tree.children[parent].append(at)
        pending += [(child, at) for child in node["children"]]
    counts = [0] * len(sizes)
    for sample in profile["samples"]:
        counts[tree.slot.get(sample["nodeId"], 0)] += 1
    return {"nodes": len(sizes), "samples": sum(counts),
            "frames": len(tree.known),
            "totals": {"memory.self_size": sum(sizes),
                       "memory.samples": sum(counts)},
            "most": [tree.most(column) for column in (sizes, counts)]}


def aggregate(path):
    with open(path, "rb") as file:
        profile = json.load(file)
    return heap(profile) if "head" in profile else cpu(profile)


print(json.dumps({"json": aggregate, "ijson": events}[sys.argv[1]](
    sys.argv[2])))
