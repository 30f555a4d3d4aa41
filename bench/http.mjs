/** The chain of handlers beside bare got: what authentication, retries and the response wrapper cost a call. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { got } from "got";
import { apiKeyHandler, createClientHelper, servicesOf } from "../dist/runtime/client/index.js";
import { median, medians, printTable, row } from "./timing.mjs";

const CALLS = 100;
const server = fork(fileURLToPath(new URL("http-server.mjs", import.meta.url)));
try {
  const [port] = await once(server, "message");
  const origin = `http://127.0.0.1:${port}`;
  printTable(
    "HTTP: the chain of handlers over bare got",
    [...(await measure(origin, 1)), ...(await measure(origin, 16))],
    `A GET of a kilobyte of JSON from a server in a process of its own, ${CALLS} calls a run, over connections that are kept alive. ` +
      "Bare got sends the same header and parses the JSON; the chain adds an API key, bounded retries, a bounded body, redirects without credentials and the response wrapper. Observed: with hooks. Ratios are of the CPU time of the calling process, for waiting is the same and depends on what else runs.",
  );
} finally {
  server.disconnect();
}

async function measure(origin, inFlight) {
  const get = {
    "bare got": bareGot(origin),
    chain: chained(origin),
    "chain, observed": chained(origin, { hooks: { onRequest() {}, onResponse() {} } }),
  };
  const names = Object.keys(get);
  const walls = Object.fromEntries(names.map((name) => [name, []]));
  const tasks = names.map((name) => [
    name,
    async () => {
      const [start, used] = [performance.now(), process.cpuUsage()];
      await calls(get[name], inFlight);
      const { user, system } = process.cpuUsage(used);
      walls[name].push(performance.now() - start);
      return (user + system) / 1_000;
    },
  ]);
  const times = await medians(Object.fromEntries(tasks), { rounds: 81, warmUp: 20 });
  const bare = "bare got";
  const cells = (name) => `${shown(times[name])} CPU, ${shown(median(walls[name]))} in all`;
  const rowOf = (name, limit) =>
    row(`${name}, ${inFlight} in flight`, cells(name), times[name] / times[bare], { of: "got", ...limit });
  return [
    [`${bare}, ${inFlight} in flight`, cells(bare), "", "", ""],
    rowOf("chain", { atMost: 1.1 }),
    rowOf("chain, observed"),
  ];
}

function bareGot(origin) {
  const agent = { http: new Agent({ keepAlive: true, maxSockets: 64 }) };
  const client = got.extend({
    agent,
    responseType: "json",
    headers: { "x-api-key": "key" },
    retry: { limit: 0 },
  });
  return async () => (await client.get(`${origin}/v2/projects?page=1`)).body;
}

function chained(origin, policy = {}) {
  class Connection {}
  const type = Object.assign(Connection, { from: () => new Connection() });
  const helper = createClientHelper({
    ...policy,
    definitions: { any: servicesOf(type, () => apiKeyHandler({ key: "key" })) },
    createClient: (http) => http.at(`${origin}/v2`),
  });
  const { client } = helper({ DefinitionKey: "any", Configuration: "{}" });
  return async () => (await client.get("projects", { query: { page: 1 } })).result;
}

/** So many calls, `inFlight` at a time. */
async function calls(call, inFlight) {
  let left = CALLS;
  const lane = async () => {
    while (left-- > 0) if ((await call()).items.length !== 20) throw new Error("a page is not whole");
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

function shown(milliseconds) {
  return `${Math.round((milliseconds / CALLS) * 1_000)} µs`;
}
