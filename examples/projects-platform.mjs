/** The target system of the example: the projects platform, small, in memory, on a loopback address. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

const MOST_TIMESHEETS_A_PAGE = 50;

/**
 * Starts a platform of so many projects; `token` is what it wants as `Authorization: Token api=<token>`.
 * Without `port` it takes any that is free.
 */
export async function startPlatform({ token, projects: count = 250, port = 0 }) {
  const projects = Array.from({ length: count }, (_, index) => project(index + 1));
  const platform = {
    token,
    projects,
    timesheets: projects.slice(0, 120).map((one, index) => timesheet(one.id, index)),
    /** Made by the idempotency key that they were asked for with. */
    created: new Map(),
    requests: 0,
    /** Answers so many calls with 503. */
    failures: 0,
  };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, body } = answer(platform, request, Buffer.concat(chunks).toString("utf8"));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(platform, { origin: `http://127.0.0.1:${server.address().port}`, close });
}

/** What happens on a platform in a day: renamed, gone, and given a status that nobody knew of; hours corrected. */
export function change({ projects, timesheets }) {
  projects[0].title = "Tunnel 1";
  projects.pop();
  projects.push(project(90_000, { status: "Lost" }));
  const changed_on = "2026-02-17T08:00:00Z";
  Object.assign(timesheets[0], { hours: 12, changed_on });
  Object.assign(timesheets[1], { deleted: true, changed_on });
}

/** A project as the platform has it. */
export function project(number, more = {}) {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    number: `P-${number}`,
    title: `Bridge ${number}`,
    status: "Active",
    budget: number * 1_000,
    managerEmail: `manager-${number}@secret.example`,
    created_on: "2026-02-03T04:05:06Z",
    ...more,
  };
}

/** What one worker did for a project in a week. */
export function timesheet(projectId, worker, more = {}) {
  const week = { project_id: projectId, week: "2026-W07", worker: worker + 1 };
  return { ...week, hours: 8, changed_on: "2026-02-16T08:00:00Z", ...more };
}

function answer(platform, { method, url, headers }, text) {
  platform.requests++;
  const { pathname, searchParams } = new URL(url, platform.origin);
  if (headers.authorization !== `Token api=${platform.token}`) return { status: 401, body: {} };
  if (platform.failures > 0) {
    platform.failures--;
    return { status: 503, body: {} };
  }
  if (method === "GET" && pathname === "/projects")
    return { status: 200, body: page(platform, searchParams) };
  if (method === "GET" && pathname === "/timesheets")
    return { status: 200, body: changes(platform, searchParams) };
  if (method === "POST" && pathname === "/projects")
    return create(platform, JSON.parse(text), headers["idempotency-key"]);
  if (method === "POST" && pathname === "/changes") {
    change(platform);
    return { status: 200, body: {} };
  }
  return { status: 404, body: {} };
}

function page({ projects }, query) {
  const size = Number(query.get("pageSize"));
  const first = (Number(query.get("page")) - 1) * size;
  const status = query.get("status");
  const wanted = status === null ? projects : projects.filter((project) => project.status === status);
  return wanted.slice(first, first + size);
}

function changes({ timesheets }, query) {
  const since = query.get("since") ?? "";
  const first = Number(query.get("after") ?? 0);
  const changed = timesheets.filter(({ changed_on }) => changed_on > since);
  const size = Math.min(Number(query.get("limit") ?? MOST_TIMESHEETS_A_PAGE), MOST_TIMESHEETS_A_PAGE);
  const items = changed.slice(first, first + size);
  const end = first + items.length;
  const until =
    timesheets
      .map(({ changed_on }) => changed_on)
      .sort()
      .at(-1) ?? since;
  return { items, next: end < changed.length ? String(end) : null, until };
}

function create({ projects, created }, input, key) {
  const before = created.get(key);
  if (before !== undefined) return { status: 201, body: before };
  if (projects.some(({ number }) => number === input.number))
    return { status: 409, body: { message: `There is a project ${input.number} already.` } };
  if (input.status === "Finished") return { status: 422, body: {} };
  const made = { ...input, id: randomUUID(), created_on: "2026-03-01T00:00:00Z" };
  projects.push(made);
  created.set(key, made);
  return { status: 201, body: made };
}
