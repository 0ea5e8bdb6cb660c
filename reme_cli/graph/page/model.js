// The data of the page, and what of it the filters let through.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

// Ends of edges are numbered: first the notes, then the missing ones.
const nodes = [
  ...data.notes.map(([path, name, description, layer, bucket, tags, text]) => ({
    path, name, description, layer, bucket, folder: path.includes("/") ? path.split("/")[0] : null, tags, text, missing: false,
  })),
  ...data.missing.map((text) => ({
    path: text, name: text, description: "", layer: null, bucket: null, folder: null, tags: [], text: "", missing: true,
  })),
];
const edges = data.edges.map(([source, target, predicate, implied, place]) => ({
  source, target, predicate: predicate < 0 ? null : data.predicates[predicate], implied: implied === 1, place,
}));

const NONE = ""; // what a filter calls notes of no layer or bucket, and links of no predicate
const count = nodes.length;
const out = Array.from({ length: count }, () => []);
const into = Array.from({ length: count }, () => []);
edges.forEach((edge, i) => {
  out[edge.source].push(i);
  into[edge.target].push(i);
});
// how many other notes link to a note
const inbound = nodes.map((_, i) => new Set(into[i].filter((e) => !edges[e].implied && edges[e].source !== i).map((e) => edges[e].source)).size);
const byWeight = nodes.map((_, i) => i).sort((a, b) => inbound[b] - inbound[a] || a - b);

const hasLayers = nodes.some((node) => node.layer !== null); // folders tell notes apart where there are no layers

// A filter holds what is switched off; each is drawn as a list of boxes.
const off = { layers: new Set(), buckets: new Set(), folders: new Set(), predicates: new Set(), kinds: new Set(count > data.notes.length + 200 ? ["missing"] : []) };

const nodeShown = new Uint8Array(count);
const edgeShown = new Uint8Array(edges.length);
const shown = { nodes: 0, missing: 0, edges: 0 };

function applyFilters() {
  shown.nodes = shown.missing = shown.edges = 0;
  nodes.forEach((node, i) => {
    const visible = node.missing
      ? !off.kinds.has("missing")
      : !off.layers.has(node.layer ?? NONE) && !off.folders.has(node.folder ?? NONE) && (node.layer !== "digest" || !off.buckets.has(node.bucket ?? NONE));
    nodeShown[i] = visible ? 1 : 0;
  });
  edges.forEach((edge, i) => {
    const kind = edge.implied ? "implied" : edge.predicate === null ? "untyped" : "typed";
    const visible =
      nodeShown[edge.source] && nodeShown[edge.target] && !off.kinds.has(kind) && !off.predicates.has(edge.predicate ?? NONE);
    edgeShown[i] = visible ? 1 : 0;
    shown.edges += edgeShown[i];
  });
  if (off.kinds.has("unlinked")) {
    for (let i = 0; i < count; i++) {
      if (!out[i].some((e) => edgeShown[e]) && !into[i].some((e) => edgeShown[e])) nodeShown[i] = 0;
    }
  }
  for (let i = 0; i < count; i++) {
    shown.nodes += nodeShown[i];
    if (nodes[i].missing) shown.missing += nodeShown[i];
  }
}

// Letters as they are compared: without case and accents.
const plain = (text) => text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();
const searched = nodes.map((node) => ({
  name: plain(node.name), path: plain(node.path), rest: plain([node.description, ...node.tags].join("\n")),
}));

// The notes that hold every word of a query; those first whose name begins with it, then by where it stands.
function find(query, limit) {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const whole = words.join(" ");
  const hits = [];
  searched.forEach(({ name, path, rest }, i) => {
    if (!nodeShown[i] || !words.every((word) => name.includes(word) || path.includes(word) || rest.includes(word))) return;
    const rank = name === whole ? 0 : name.startsWith(whole) ? 1 : name.includes(whole) ? 2
      : words.every((word) => name.includes(word)) ? 3 : words.every((word) => path.includes(word)) ? 4 : 5;
    hits.push([rank, -inbound[i], i]);
  });
  hits.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return hits.slice(0, limit).map((hit) => hit[2]);
}

// The shown edges at a note, both ways, and the notes at their other ends.
function around(note) {
  const found = [...out[note], ...into[note]].filter((e) => edgeShown[e]);
  const ends = new Set(found.map((e) => (edges[e].source === note ? edges[e].target : edges[e].source)));
  ends.delete(note);
  return { edges: new Set(found), ends };
}

// How often each value of a list occurs, in the order in which a list of boxes shows them.
function counted(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => (a[0] === NONE) - (b[0] === NONE) || b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
