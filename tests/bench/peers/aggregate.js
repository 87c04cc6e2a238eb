// usage: aggregate.js json-parse|json-ext FILE
//
// JSON.parse of the whole file, or json-ext's parseChunked of its stream, and
// the same aggregation.
'use strict';
const fs = require('fs');

function frames() {
  const known = new Map();
  return {
    of(f) {
      const key = `${f.functionName}\0${f.url}\0${f.lineNumber}\0${f.columnNumber}`;
      let number = known.get(key);
      if (number === undefined) known.set(key, number = known.size);
      return number;
    },
    get size() { return known.size; },
  };
}

// Columns of values by node; self and inclusive by frame, recursion once.
function fold(nodes, column, count) {
  const inclusive = new Float64Array(count), active = new Uint32Array(count);
  const sum = Float64Array.from(column);
  const stack = [[nodes.root, 0]];
  const topmost = new Uint8Array(sum.length);
  while (stack.length > 0) {
    const top = stack[stack.length - 1], [at, next] = top;
    const frame = nodes.frame[at];
    if (next === 0) topmost[at] = active[frame]++ === 0 ? 1 : 0;
    if (next < nodes.children[at].length) {
      top[1]++;
      stack.push([nodes.children[at][next], 0]);
      continue;
    }
    active[frame]--;
    if (topmost[at]) inclusive[frame] += sum[at];
    stack.pop();
    if (stack.length > 0) sum[stack[stack.length - 1][0]] += sum[at];
  }
  return inclusive.reduce((a, b) => Math.max(a, b), 0);
}

function cpu(profile) {
  const known = frames();
  const slot = new Map(profile.nodes.map((node, i) => [node.id, i]));
  const nodes = {
    root: 0,
    frame: profile.nodes.map(node => known.of(node.callFrame)),
    children: profile.nodes.map(node =>
      (node.children || []).map(id => slot.get(id))),
  };
  const hits = Float64Array.from(profile.nodes, node => node.hitCount || 0);
  const counts = new Float64Array(hits.length);
  const times = new Float64Array(hits.length);
  const { samples, timeDeltas } = profile;
  let left = profile.endTime - profile.startTime;
  for (let i = 0; i < samples.length; i++) {
    const at = slot.get(samples[i]);
    left -= timeDeltas[i];
    counts[at]++;
    times[at] += Math.max(0, i + 1 < samples.length ? timeDeltas[i + 1] : left);
  }
  const add = column => column.reduce((a, b) => a + b, 0);
  return {
    nodes: hits.length, samples: samples.length, frames: known.size,
    totals: { 'cpu.hit_count': add(hits), 'cpu.samples': add(counts),
      'wall.time': add(times) },
    most: [hits, counts, times].map(c => fold(nodes, c, known.size)),
  };
}

function heap(profile) {
  const known = frames(), slot = new Map(), sizes = [];
  const nodes = { root: 0, frame: [], children: [] };
  const pending = [[profile.head, -1]];
  while (pending.length > 0) {
    const [node, parent] = pending.pop(), at = sizes.length;
    slot.set(node.id, at);
    sizes.push(node.selfSize);
    nodes.frame.push(known.of(node.callFrame));
    nodes.children.push([]);
    if (parent >= 0) nodes.children[parent].push(at);
    for (const child of node.children) pending.push([child, at]);
  }
  const counts = new Float64Array(sizes.length);
  for (const sample of profile.samples) counts[slot.get(sample.nodeId) || 0]++;
  return {
    nodes: sizes.length, samples: profile.samples.length, frames: known.size,
    totals: { 'memory.self_size': sizes.reduce((a, b) => a + b, 0),
      'memory.samples': profile.samples.length },
    most: [sizes, counts].map(c => fold(nodes, c, known.size)),
  };
}

async function main([how, file]) {
  const profile = how === 'json-ext'
    ? await require('@discoveryjs/json-ext')
        .parseChunked(fs.createReadStream(file))
    : JSON.parse(fs.readFileSync(file, 'utf8'));
  console.log(JSON.stringify(profile.head ? heap(profile) : cpu(profile)));
}

main(process.argv.slice(2)).catch(error => {
  console.error(String(error));
  process.exit(1);
});
