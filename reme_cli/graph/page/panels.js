// What stands beside the canvas: filters, what a search finds, the preview of a note. All text is set as text, never as HTML.
"use strict";

const part = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function dot(colour) {
  const element = make("span", { class: "dot" });
  element.style.background = colour;
  element.style.flex = "none";
  return element;
}

function boxes(id, values, label, colour = null) {
  const list = part(id);
  list.querySelectorAll("label").forEach((old) => old.remove());
  list.classList.toggle("empty", values.length < 2 && id !== "kinds");
  for (const [value, number] of values) {
    const box = make("input", { type: "checkbox", value, onchange: () => toggled(id, value, box.checked) });
    box.checked = !off[id].has(value);
    const row = make("label", {}, box, make("span", {}, label(value)), make("output", {}, String(number)));
    if (colour) row.insertBefore(dot(colour(value)), row.children[1]);
    list.append(row);
  }
}

function toggled(id, value, on) {
  if (on) off[id].delete(value);
  else off[id].add(value);
  changed();
}

function drawFilters() {
  const notes = nodes.filter((node) => !node.missing);
  const digest = notes.filter((node) => node.layer === "digest");
  const by = (what) => (colouredBy === what ? (value) => colourOf(value, what) : null);
  boxes("layers", counted(notes.map((node) => node.layer ?? NONE)), (value) => value || "other", by("layer"));
  boxes("buckets", counted(digest.map((node) => node.bucket ?? NONE)), (value) => value || "no bucket", by("bucket"));
  boxes("folders", hasLayers ? [] : counted(notes.map((node) => node.folder ?? NONE)), (value) => value || "no folder", by("folder"));
  boxes("predicates", counted(edges.map((edge) => edge.predicate ?? NONE)), (value) => value || "no predicate");
  const linked = new Set(edges.flatMap((edge) => [edge.source, edge.target]));
  boxes("kinds", [
    ["typed", edges.filter((edge) => !edge.implied && edge.predicate !== null).length],
    ["untyped", edges.filter((edge) => !edge.implied && edge.predicate === null).length],
    ["implied", edges.filter((edge) => edge.implied).length],
    ["missing", count - notes.length],
    ["unlinked", count - linked.size],
  ].filter(([, number]) => number), (value) => ({
    typed: "typed links", untyped: "untyped links", implied: "implied links", missing: "missing notes", unlinked: "unlinked notes",
  })[value]);
  const radios = [...document.getElementsByName("colour")];
  for (const radio of radios) {
    radio.checked = radio.value === colouredBy;
    radio.parentElement.hidden = radio.value === "layer" ? !hasLayers : ORDERS[radio.value].length === 0;
  }
  part("colours").classList.toggle("empty", radios.filter((radio) => !radio.parentElement.hidden).length < 2);
}

function tellStatus(settled) {
  const number = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  const all = shown.nodes === count && shown.edges === edges.length;
  const missing = shown.missing ? `, ${shown.missing.toLocaleString("en")} missing` : "";
  part("status").textContent = `${number(shown.nodes - shown.missing, "note")}${missing}, ${number(shown.edges, "link")}${all ? "" : " shown"}${settled ? "" : " · arranging …"}`;
}

// The list of what a search finds; `active` is the one that Enter opens.
const search = { found: [], active: 0 };
const FOUND_SHOWN = 30;

function drawFound(query) {
  search.found = find(query, Infinity);
  search.active = 0;
  marked.found = query.trim() ? new Set(search.found) : null;
  const list = part("found");
  list.hidden = !query.trim();
  part("search").setAttribute("aria-expanded", String(!list.hidden));
  list.replaceChildren(
    ...search.found.slice(0, FOUND_SHOWN).map((i, place) =>
      make("li", { role: "option", id: `found-${place}`, onclick: () => choose(i, true) },
        make("b", {}, nodes[i].name), make("small", {}, nodes[i].path))),
  );
  const rest = search.found.length - FOUND_SHOWN;
  if (!search.found.length || rest > 0) list.append(make("li", { class: "none" }, rest > 0 ? `and ${rest} more` : "no note matches"));
  markActive();
}

function markActive() {
  const rows = [...part("found").querySelectorAll('[role="option"]')];
  rows.forEach((row, place) => row.setAttribute("aria-selected", String(place === search.active)));
  const active = rows[search.active];
  if (active) {
    part("search").setAttribute("aria-activedescendant", active.id);
    active.scrollIntoView({ block: "nearest" });
  } else part("search").removeAttribute("aria-activedescendant");
}

const LINKS_SHOWN = 200;

function linkList(title, list, end, arrow) {
  if (!list.length) return [];
  const rows = list.slice(0, LINKS_SHOWN).map((e) => {
    const other = edges[e][end];
    const button = make("button", { type: "button", title: edges[e].place, onclick: () => choose(other, false) },
      make("i", {}, `${arrow} ${edges[e].predicate ?? ""}${edges[e].implied ? " (implied)" : ""}`.trim()), nodes[other].name);
    button.disabled = !nodeShown[other];
    return make("li", {}, button);
  });
  if (list.length > LINKS_SHOWN) rows.push(make("li", { class: "quiet" }, `and ${list.length - LINKS_SHOWN} more`));
  return [make("h3", {}, `${title} (${list.length})`), make("ul", { class: "links" }, ...rows)];
}

function drawPreview(i) {
  const panel = part("preview");
  panel.hidden = i < 0;
  if (i < 0) return panel.replaceChildren();
  const node = nodes[i];
  const chips = make("div", { class: "chips" });
  if (node.layer) chips.append(make("span", {}, dot(colourOf(node.layer, "layer")), node.layer));
  if (node.bucket) chips.append(make("span", {}, node.bucket));
  chips.append(...node.tags.map((tag) => make("span", {}, `#${tag}`)));
  panel.replaceChildren(
    make("button", { class: "close", type: "button", "aria-label": "Close", onclick: () => select(-1) }, "×"),
    make("h2", { dir: "auto" }, node.name),
    make("code", {}, node.missing ? "there is no such note" : node.path),
    ...(chips.children.length ? [chips] : []),
    ...(node.description ? [make("p", { dir: "auto" }, node.description)] : []),
    ...(node.text ? [make("pre", { dir: "auto" }, node.text)] : []),
    ...linkList("Links to", out[i], "target", "→"),
    ...linkList("Linked from", into[i], "source", "←"),
  );
  panel.scrollTop = 0;
}
