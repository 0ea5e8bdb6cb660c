// What a person does, and the layout's answers.
"use strict";

let settled = false;
let touched = false; // the view is the person's from the first time they move it

function changed() {
  applyFilters();
  if (marked.selected >= 0 && !nodeShown[marked.selected]) select(-1);
  if (part("search").value.trim()) drawFound(part("search").value);
  light();
  tellStatus(settled);
  refresh();
}

function light() {
  const note = marked.hovered >= 0 ? marked.hovered : marked.selected;
  lit = note >= 0 && nodeShown[note] ? { note, ...around(note) } : null;
}

function select(i) {
  marked.selected = i;
  marked.hovered = -1;
  drawPreview(i);
  light();
  refresh("marks");
}

// Selects a note and brings it into view; `near` also leaves the search behind, and zooms in.
function choose(i, near) {
  if (near) clearSearch();
  select(i);
  if (i < 0) return;
  touched = true;
  centre(i, near);
  if (near) canvas.focus();
}

function centre(i, near) {
  // in the middle of what the panels leave free: beside them, or above the preview
  const { width, height } = size();
  const wide = width > 760;
  if (near) view.scale = Math.max(view.scale, 1.3);
  view.x = places[2 * i] + (wide ? (364 - 288) / 2 : 0) / view.scale;
  view.y = places[2 * i + 1] + (wide ? 0 : 0.17 * height) / view.scale;
  refresh();
}

function clearSearch() {
  part("search").value = "";
  drawFound("");
  refresh("marks");
}

// the linked note that lies best in a direction; -1 where none does
function towards(from, dx, dy) {
  let best = -1, least = Infinity;
  for (const i of around(from).ends) {
    const x = places[2 * i] - places[2 * from], y = places[2 * i + 1] - places[2 * from + 1];
    const along = x * dx + y * dy, across = Math.abs(x * dy - y * dx);
    if (along > 0 && along + 2 * across < least) [best, least] = [i, along + 2 * across];
  }
  return best;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onCanvasKey(event) {
  const arrow = ARROWS[event.key];
  if (arrow && marked.selected >= 0) {
    const next = towards(marked.selected, ...arrow);
    if (next >= 0) choose(next, false);
  } else if (arrow) {
    touched = true;
    view.x += (arrow[0] * 60) / view.scale;
    view.y += (arrow[1] * 60) / view.scale;
    refresh("moved");
  } else if (event.key === "Enter" && marked.selected >= 0) centre(marked.selected, true);
  else return;
  event.preventDefault();
}

function onSearchKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const number = Math.min(FOUND_SHOWN, search.found.length);
  if (step && number) {
    search.active = (search.active + step + number) % number;
    markActive();
  } else if (event.key === "Enter" && number) choose(search.found[search.active], true);
  else return;
  event.preventDefault();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || part("help").open) return;
  const typing = event.target === part("search");
  if (event.key === "Escape") {
    if (part("search").value) clearSearch();
    else if (marked.selected >= 0) select(-1);
    if (typing) canvas.focus();
  } else if (typing) onSearchKey(event);
  else if (event.key === "/") {
    event.preventDefault();
    part("search").focus();
  } else if (event.key === "+" || event.key === "=") zoomBy(1.3);
  else if (event.key === "-") zoomBy(1 / 1.3);
  else if (event.key === "0" || event.key === "f") fitAll();
  else if (event.key === "?") part("help").showModal();
  else if (event.target === canvas || event.target === document.body) onCanvasKey(event);
}

function zoomBy(factor, ...at) {
  touched = true;
  zoom(factor, ...at);
}

function fitAll() {
  touched = false;
  fit(marked.found && marked.found.size ? marked.found : null);
}

// Pointers: one moves the view or a note, two zoom.
const pointers = new Map();
let dragged = -1, travelled = 0;

function onDown(event) {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  if (pointers.size === 1) {
    dragged = noteAt(event.offsetX, event.offsetY);
    travelled = 0;
  }
}

function onMove(event) {
  const before = pointers.get(event.pointerId);
  if (!before) return hover(noteAt(event.offsetX, event.offsetY));
  const now = [event.offsetX, event.offsetY];
  if (pointers.size === 2) {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const spread = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
    zoomBy(spread(now) / spread(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  } else {
    travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (travelled > 3) canvas.classList.add("moving");
    if (dragged >= 0 && travelled > 3) {
      const [x, y] = toWorld(...now);
      places[2 * dragged] = x;
      places[2 * dragged + 1] = y;
      layout.postMessage({ pin: dragged, x, y });
      refresh();
    } else if (dragged < 0) {
      touched = true;
      view.x -= (now[0] - before[0]) / view.scale;
      view.y -= (now[1] - before[1]) / view.scale;
      refresh("moved");
    }
  }
  pointers.set(event.pointerId, now);
}

function onUp(event) {
  if (pointers.delete(event.pointerId) && travelled <= 3 && !pointers.size) select(dragged);
  canvas.classList.remove("moving");
}

function hover(i) {
  if (i === marked.hovered) return;
  marked.hovered = i;
  canvas.classList.toggle("over", i >= 0);
  canvas.title = i >= 0 ? nodes[i].path : "";
  light();
  refresh("marks");
}

function setTheme(name) {
  theme = name;
  document.documentElement.dataset.theme = name;
  readStyle();
  drawFilters();
  drawPreview(marked.selected);
  refresh();
}

function startLayout() {
  const source = part("layout").textContent;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  worker.onmessage = ({ data: { places: now, last } }) => {
    places.set(now);
    settled = last;
    tellStatus(settled);
    if (touched) refresh();
    else fit();
  };
  const groups = nodes.map((node) => ORDERS[hasLayers ? "layer" : "folder"].indexOf(hasLayers ? node.layer : node.folder) + 4 * ORDERS.bucket.indexOf(node.bucket));
  worker.postMessage({ count, edges: Int32Array.from(edges.flatMap((edge) => [edge.source, edge.target])), groups });
  return worker;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
canvas.addEventListener("pointerdown", onDown);
canvas.addEventListener("pointermove", onMove);
canvas.addEventListener("pointerup", onUp);
canvas.addEventListener("pointercancel", onUp);
canvas.addEventListener("pointerleave", () => hover(-1));
canvas.addEventListener("dblclick", (event) => zoomBy(1.8, event.offsetX, event.offsetY));
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 20 : 1;
  zoomBy(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX, event.offsetY);
}, { passive: false });
document.addEventListener("keydown", onKey);
part("search").addEventListener("input", () => {
  drawFound(part("search").value);
  refresh("marks");
});
part("closer").addEventListener("click", () => zoomBy(1.3));
part("farther").addEventListener("click", () => zoomBy(1 / 1.3));
part("fit").addEventListener("click", fitAll);
part("theme").addEventListener("click", () => setTheme(theme === "dark" ? "light" : "dark"));
part("keys").addEventListener("click", () => part("help").showModal());
part("fold").addEventListener("click", () => {
  part("folded").hidden = !part("folded").hidden;
  part("fold").setAttribute("aria-expanded", String(!part("folded").hidden));
});
document.getElementsByName("colour").forEach((radio) => radio.addEventListener("change", () => {
  colouredBy = radio.value;
  drawFilters();
  refresh();
}));
addEventListener("resize", () => (touched ? refresh() : fit()));

if (innerWidth <= 760) part("fold").click();
applyFilters();
setTheme(dark.matches ? "dark" : "light");
tellStatus(false);
const layout = startLayout();
if (data.start !== null) select(data.start);
