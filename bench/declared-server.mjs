/**
 * The target of bench/declared.mjs, in a process of its own: a list by cursor, and lists of parents. A message says what it
 * has, and how it answers; it answers each with its port, and with what was asked since the last one.
 */
import { createServer } from "node:http";
import { itemOf } from "../dist/test/support/fake-target.js";

const STATE = { changed: false, deleted: false };

let target = {};
const pages = new Map();
let seen = newCount();

function newCount() {
  return { calls: 0, refused: 0, first: undefined, last: undefined };
}

/** A page of the list as a text. Those of a short list are kept, so that the target costs little where it shares the machine. */
function pageOf(page) {
  const { total, pageSize } = target;
  const known = pages.get(page);
  if (known !== undefined) return known;
  const length = Math.min(pageSize, total - page * pageSize);
  const items = Array.from({ length }, (_, index) => itemOf(page * pageSize + index, STATE));
  const text = JSON.stringify({ items, next: (page + 1) * pageSize < total ? page + 1 : null });
  if (total <= 100_000) pages.set(page, text);
  return text;
}

function bodyOf(url) {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const [, list, parent] = pathname.split("/");
  if (list === "items") return pageOf(Number(searchParams.get("after") ?? 0));
  const { children, parents } = target;
  const [start, length] = list === "parents" ? [0, parents] : [Number(parent) * children, children];
  const items = Array.from({ length }, (_, index) =>
    list === "parents" ? { ...itemOf(index, STATE), id: index } : itemOf(start + index, STATE),
  );
  return JSON.stringify({ items, next: null });
}

const times = [];

/** Whether the target refuses a call: so many may come in any second. */
function isTooMuch(now) {
  const { limit = Number.POSITIVE_INFINITY } = target;
  while (times.length > 0 && times[0] <= now - 1_000) times.shift();
  if (times.length >= limit) return true;
  times.push(now);
  return false;
}

const server = createServer((request, response) => {
  const now = performance.now();
  seen.calls++;
  seen.first ??= now;
  seen.last = now;
  const isRefused = isTooMuch(now);
  if (isRefused) seen.refused++;
  const body = isRefused ? "{}" : bodyOf(request.url);
  const answer = () => {
    const headers = { "content-type": "application/json", ...(isRefused ? { "retry-after": "1" } : {}) };
    response.writeHead(isRefused ? 429 : 200, headers);
    response.end(body);
  };
  if (target.latencyMs > 0) setTimeout(answer, target.latencyMs);
  else answer();
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
process.on("message", (message) => {
  if (message.total !== target.total || message.pageSize !== target.pageSize) pages.clear();
  target = message;
  times.length = 0;
  const tell = () => {
    process.send({ port: server.address().port, seen });
    seen = newCount();
  };
  if (server.listening) tell();
  else server.once("listening", tell);
});
process.once("disconnect", () => process.exit());
