// Where the notes are put: a force layout that runs beside the page. It gets {count, edges, groups}, and sends positions as
// they settle: Float32Array of x, y, x, y, … and whether these are the last. {pin, x, y} holds a note in a place.
"use strict";

const SEND_EVERY_MS = 80;
let simulation = null;

function start({ count, edges, groups }) {
  const links = [];
  const degree = new Float64Array(count);
  for (let i = 0; i < edges.length; i += 2) {
    links.push({ source: edges[i], target: edges[i + 1] });
    degree[edges[i]]++;
    degree[edges[i + 1]]++;
  }
  const nodes = Array.from({ length: count }, (_, i) => seed(i, count, groups[i]));
  const rounds = count < 500 ? 300 : count < 2000 ? 200 : 110;
  simulation = d3
    .forceSimulation(nodes)
    .stop()
    .alphaDecay(1 - Math.pow(0.001, 1 / rounds))
    .force("link", d3.forceLink(links).distance(34).strength((link) => 0.9 / Math.min(degree[link.source.index], degree[link.target.index])))
    .force("charge", d3.forceManyBody().strength((_, i) => -36 - 5 * Math.min(12, Math.sqrt(degree[i]))).theta(1).distanceMax(600))
    // what hangs on nothing stays near
    .force("x", d3.forceX().strength((_, i) => (degree[i] ? 0.035 : 0.09)))
    .force("y", d3.forceY().strength((_, i) => (degree[i] ? 0.045 : 0.11)));
  if (count < 1500) simulation.force("collide", d3.forceCollide((_, i) => 5 + 1.7 * Math.sqrt(degree[i])));
  let left = rounds;
  (function run() {
    const until = performance.now() + SEND_EVERY_MS;
    do {
      simulation.tick();
      left--;
    } while (left > 0 && performance.now() < until);
    send(nodes, left <= 0);
    if (left > 0) setTimeout(run, 0);
  })();
}

// notes of a group begin near each other; a sunflower, so that no two begin at the same place
function seed(i, count, group) {
  const radius = 9 * Math.sqrt(i + 0.5);
  const angle = i * Math.PI * (3 - Math.sqrt(5));
  const away = 6 * Math.sqrt(count);
  return { x: radius * Math.cos(angle) * 0.6 + away * Math.cos(group * 2.4), y: radius * Math.sin(angle) * 0.6 + away * Math.sin(group * 2.4) };
}

function send(nodes, last) {
  const places = new Float32Array(nodes.length * 2);
  nodes.forEach((node, i) => {
    places[2 * i] = node.x;
    places[2 * i + 1] = node.y;
  });
  postMessage({ places, last }, [places.buffer]);
}

onmessage = ({ data }) => {
  if (data.edges) start(data);
  else if (simulation) {
    const node = simulation.nodes()[data.pin];
    node.fx = node.x = data.x;
    node.fy = node.y = data.y;
  }
};
