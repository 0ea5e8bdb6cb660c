// The canvas: where the view is, and what it shows.
"use strict";

const canvas = document.getElementById("graph");
const context = canvas.getContext("2d");
const places = new Float32Array(count * 2);
const view = { x: 0, y: 0, scale: 1 }; // the world's point in the middle of the canvas, and pixels per unit
const marked = { selected: -1, hovered: -1, found: null }; // found: what a search matches, a Set, or null
let lit = null; // what is around the selected or hovered note
const SMALLEST = 0.02, LARGEST = 8;

// Okabe and Ito's colours for any eye, darkened or lightened to 3:1 on the ground
const PALETTES = {
  light: ["#0b6fb8", "#b86e00", "#00805c", "#9c3f7d", "#b5430a", "#2d7f9d", "#7a7100", "#5a54c4"],
  dark: ["#6db6f5", "#f0ad3c", "#3fc79a", "#e29bc6", "#f58a52", "#74cdf0", "#e0d54a", "#a8a2ff"],
};
const GREYS = { light: "#6b7280", dark: "#98a2b3" };
const LAYERS = ["digest", "daily", "resource"];
const orderOf = (key) => counted(nodes.map((node) => node[key] ?? NONE)).map(([value]) => value).filter((value) => value !== NONE);
const ORDERS = { layer: LAYERS, bucket: orderOf("bucket"), folder: orderOf("folder") };
let theme = "light";
let colouredBy = hasLayers ? "layer" : "folder";
let style = { text: "", halo: "", edge: "", accent: "", ground: "" };

function colourOf(value, by) {
  const place = ORDERS[by].indexOf(value);
  // grey is for what is of none, not for a vault that has none
  return place < 0 && ORDERS[by].length ? GREYS[theme] : PALETTES[theme][Math.max(0, place) % 8];
}
const nodeColour = (node) => (node.missing ? GREYS[theme] : colourOf(node[colouredBy], colouredBy));

function readStyle() {
  const now = getComputedStyle(document.documentElement);
  const read = (name) => now.getPropertyValue(name).trim();
  style = { text: read("--text"), halo: read("--halo"), edge: read("--edge"), accent: read("--accent"), ground: read("--ground") };
}

const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
const radius = (i) => Math.max(1.6, (3 + 1.5 * Math.sqrt(Math.min(inbound[i], 400))) * Math.min(1.6, Math.pow(view.scale, 0.6)));

function toScreen(i) {
  const { width, height } = size();
  return [(places[2 * i] - view.x) * view.scale + width / 2, (places[2 * i + 1] - view.y) * view.scale + height / 2];
}
function toWorld(x, y) {
  const { width, height } = size();
  return [(x - width / 2) / view.scale + view.x, (y - height / 2) / view.scale + view.y];
}

// The note under a point of the canvas; -1 for none. A little beside it counts too.
function noteAt(x, y) {
  let best = -1, nearest = Infinity;
  for (let i = 0; i < count; i++) {
    if (!nodeShown[i]) continue;
    const [px, py] = toScreen(i);
    const distance = Math.hypot(px - x, py - y);
    if (distance < radius(i) + 4 && distance < nearest) [best, nearest] = [i, distance];
  }
  return best;
}

function zoom(factor, x = size().width / 2, y = size().height / 2) {
  const [wx, wy] = toWorld(x, y);
  view.scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor));
  const { width, height } = size();
  view.x = wx - (x - width / 2) / view.scale;
  view.y = wy - (y - height / 2) / view.scale;
  refresh("moved");
}

// Shows all notes, or those of a set; panels that cover the canvas are left out.
function fit(which = null) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    if (!nodeShown[i] || (which && !which.has(i))) continue;
    left = Math.min(left, places[2 * i]); right = Math.max(right, places[2 * i]);
    top = Math.min(top, places[2 * i + 1]); bottom = Math.max(bottom, places[2 * i + 1]);
  }
  if (left > right) return;
  const { width, height } = size();
  const wide = width > 760;
  const cover = { left: wide ? 288 : 12, right: wide && !document.getElementById("preview").hidden ? 364 : 12 };
  const room = { width: Math.max(80, width - cover.left - cover.right - 48), height: Math.max(80, height - 110) };
  view.scale = Math.min(2.2, Math.max(SMALLEST, Math.min(room.width / (right - left + 20), room.height / (bottom - top + 20))));
  view.x = (left + right) / 2 - (cover.left - cover.right) / 2 / view.scale;
  view.y = (top + bottom) / 2 + 8 / view.scale;
  refresh();
}

// Drawing twenty thousand lines may take longer than a frame. So all notes and links are one picture, which is moved while
// the view moves, and paled where some of them stand out; those are drawn over it.
const picture = document.createElement("canvas");
const MARGIN = 0.2; // of the canvas on each side, drawn in advance
const SLOW = 3000; // notes and links that take longer than a frame on a computer without a graphics processor
const PALE = 0.28;
const taken = { x: 0, y: 0, scale: 1, valid: false };
const frames = { full: 0, moved: 0 }; // for who measures
let waiting = 0, settling = 0;

// Draws again with the next frame. `moved`: only the view is another one, and `marks`: only what stands out.
function refresh(what = "all") {
  if (what === "moved" && taken.valid && shown.nodes + shown.edges > SLOW) {
    clearTimeout(settling);
    settling = setTimeout(refresh, 140);
  } else if (what !== "marks") taken.valid = false;
  if (!waiting) waiting = requestAnimationFrame(paint);
}

function paint() {
  waiting = 0;
  const { width, height } = size();
  const ratio = Math.min(2, devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    taken.valid = false;
  }
  if (taken.valid) frames.moved++;
  else {
    drawPicture(width, height, ratio);
    frames.full++;
  }
  const standOut = lit ? new Set([lit.note, ...lit.ends]) : marked.found;
  const zoomed = view.scale / taken.scale;
  const w = width * (1 + 2 * MARGIN) * zoomed, h = height * (1 + 2 * MARGIN) * zoomed;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.globalAlpha = standOut ? PALE : 1;
  context.drawImage(
    picture,
    width / 2 - w / 2 + (taken.x - view.x) * view.scale,
    height / 2 - h / 2 + (taken.y - view.y) * view.scale,
    w, h,
  );
  context.globalAlpha = 1;
  const box = aim(context, width, height);
  if (lit) drawLitEdges(context);
  if (standOut) drawNodes(context, box, standOut);
  if (lit) drawRing(context);
  drawLabels(context, box, standOut ? [...standOut] : null);
}

// Lets a pen draw the world's units times the scale, and gives the part of them that is on its canvas.
function aim(pen, width, height) {
  pen.translate(width / 2 - view.x * view.scale, height / 2 - view.y * view.scale);
  const x = view.x * view.scale, y = view.y * view.scale;
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function drawPicture(width, height, ratio) {
  const w = width * (1 + 2 * MARGIN), h = height * (1 + 2 * MARGIN);
  picture.width = Math.round(w * ratio);
  picture.height = Math.round(h * ratio);
  Object.assign(taken, { x: view.x, y: view.y, scale: view.scale, valid: true });
  const pen = picture.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const box = aim(pen, w, h);
  drawEdges(pen, box);
  drawNodes(pen, box, null);
}

function strokeEdges(pen, box, wanted) {
  const scale = view.scale;
  pen.beginPath();
  for (let e = 0; e < edges.length; e++) {
    if (!edgeShown[e] || !wanted(e)) continue;
    const { source, target } = edges[e];
    const x1 = places[2 * source] * scale, y1 = places[2 * source + 1] * scale;
    const x2 = places[2 * target] * scale, y2 = places[2 * target + 1] * scale;
    if (Math.max(x1, x2) < box.left || Math.min(x1, x2) > box.right || Math.max(y1, y2) < box.top || Math.min(y1, y2) > box.bottom) continue;
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
  }
  pen.stroke();
}

function drawEdges(pen, box) {
  const many = shown.edges > 3000;
  const strength = (shown.edges > 9000 ? 0.12 : many ? 0.2 : 0.38) * Math.min(1, 0.6 + view.scale);
  pen.lineWidth = many ? 0.7 : 1;
  pen.strokeStyle = `rgba(${style.edge}, ${strength})`;
  strokeEdges(pen, box, (e) => !edges[e].implied && edges[e].predicate === null);
  pen.strokeStyle = `rgba(${style.edge}, ${Math.min(1, strength * 1.7)})`;
  strokeEdges(pen, box, (e) => !edges[e].implied && edges[e].predicate !== null);
  pen.setLineDash([4, 3]);
  strokeEdges(pen, box, (e) => edges[e].implied);
  pen.setLineDash([]);
}

// All notes that are shown, or those of a set.
function drawNodes(pen, box, which) {
  const scale = view.scale;
  const groups = new Map(); // one path for each colour: thousands of small ones are slow
  for (const i of which ?? nodes.keys()) {
    if (!nodeShown[i]) continue;
    const x = places[2 * i] * scale, y = places[2 * i + 1] * scale, r = radius(i);
    if (x + r < box.left || x - r > box.right || y + r < box.top || y - r > box.bottom) continue;
    const key = `${nodeColour(nodes[i])} ${nodes[i].missing ? "missing" : ""}`;
    let path = groups.get(key);
    if (!path) groups.set(key, (path = new Path2D()));
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  }
  pen.lineWidth = 1;
  for (const [key, path] of groups) {
    const [colour, missing] = key.split(" ");
    pen.fillStyle = missing ? style.ground : colour;
    pen.strokeStyle = missing ? colour : style.ground;
    pen.setLineDash(missing ? [2, 2] : []);
    pen.fill(path);
    if (missing || shown.nodes < 2500) pen.stroke(path);
  }
  pen.setLineDash([]);
}

// What links to or from the note that is pointed at, with arrows and predicates.
function drawLitEdges(pen) {
  const scale = view.scale;
  pen.strokeStyle = pen.fillStyle = style.accent;
  pen.lineWidth = 1.4;
  const named = lit.edges.size <= 40;
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  for (const e of lit.edges) {
    const { source, target, predicate, implied } = edges[e];
    if (source === target) continue;
    const x1 = places[2 * source] * scale, y1 = places[2 * source + 1] * scale;
    const x2 = places[2 * target] * scale, y2 = places[2 * target + 1] * scale;
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const dx = (x2 - x1) / length, dy = (y2 - y1) / length, r = radius(target) + 1;
    pen.setLineDash(implied ? [5, 3] : []);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2 - dx * r, y2 - dy * r);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(x2 - dx * r, y2 - dy * r);
    pen.lineTo(x2 - dx * (r + 8) - dy * 3.5, y2 - dy * (r + 8) + dx * 3.5);
    pen.lineTo(x2 - dx * (r + 8) + dy * 3.5, y2 - dy * (r + 8) - dx * 3.5);
    pen.fill();
    if (predicate && named && length > 70) write(pen, predicate, (x1 + x2) / 2, (y1 + y2) / 2 - 3, style.accent);
  }
}

function drawRing(pen) {
  const scale = view.scale;
  pen.strokeStyle = style.accent;
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.arc(places[2 * lit.note] * scale, places[2 * lit.note + 1] * scale, radius(lit.note) + 3, 0, 2 * Math.PI);
  pen.stroke();
}

function write(pen, text, x, y, colour) {
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = style.halo;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
  pen.strokeStyle = style.accent;
  pen.lineWidth = 1.4;
}

const shortened = (text) => {
  const letters = [...text.replace(/[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/g, " ")];
  return letters.length > 34 ? letters.slice(0, 33).join("") + "…" : letters.join("");
};

// Names where there is room: of what stands out, the first in any case; else by how many notes link there.
function drawLabels(pen, box, standOut) {
  const scale = view.scale;
  const full = new Set();
  const [cellWidth, cellHeight] = [26, 15];
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "center";
  const most = Math.min(300, 25 + 160 * scale);
  let written = 0;
  const place = (i, must) => {
    if (!nodeShown[i]) return;
    const x = places[2 * i] * scale, y = places[2 * i + 1] * scale + radius(i) + 13;
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return;
    const text = shortened(nodes[i].name);
    const half = pen.measureText(text).width / 2;
    const cells = [];
    for (let cx = Math.floor((x - half) / cellWidth); cx <= Math.floor((x + half) / cellWidth); cx++) {
      for (const cy of [Math.floor((y - 11) / cellHeight), Math.floor((y + 3) / cellHeight)]) cells.push(`${cx},${cy}`);
    }
    if (!must && cells.some((cell) => full.has(cell))) return;
    cells.forEach((cell) => full.add(cell));
    write(pen, text, x, y, style.text);
    written++;
  };
  let first = standOut !== null;
  for (const i of standOut ?? byWeight) {
    if (written >= most) break;
    place(i, first);
    first = false;
  }
}
