/** What a test waits for before its target system answers: a fake of ten data objects, in a process of its own. */
import { availableParallelism } from "node:os";
import { startFake } from "../dist/bundled/testing.js";
import { AUTH_TYPES, readerOf, registrationOf, typeOf } from "../dist/test/support/faked-connector.js";
import { medians, ms, printTable, row } from "./timing.mjs";

const OBJECTS = 10;
const MEMBERS = 20;
const LIMIT_MS = 300;

const readers = Object.fromEntries(
  Array.from({ length: OBJECTS }, (_, index) => {
    const members = Array.from({ length: MEMBERS }, (__, member) => [`member${member}`, { type: "string" }]);
    const type = typeOf(`Thing${index}`, { id: { type: "integer" }, ...Object.fromEntries(members) });
    const pages = { kind: "cursor", send: "after", next: "next" };
    return [`Thing${index}`, readerOf(type, { list: `GET /things${index}`, items: "data", pages })];
  }),
);

const tasks = Object.fromEntries(
  [
    ["a key in the query", "ApiKey"],
    ["OAuth 2 with a provider", "OAuth2ClientCredentials"],
  ].map(([name, auth]) => {
    const registration = registrationOf({ readers, auth: AUTH_TYPES[auth] });
    return [name, () => started(registration)];
  }),
);

async function started(registration) {
  const start = performance.now();
  const fake = await startFake(registration);
  const time = performance.now() - start;
  await fake.close();
  return time;
}

const times = await medians(tasks, { rounds: 9, warmUp: 0 });
printTable(
  `Start of a fake target system, ${OBJECTS} data objects of ${MEMBERS + 1} members, ${availableParallelism()} cores`,
  Object.entries(times).map(([name, time]) =>
    row(name, ms(time), time / LIMIT_MS, { of: `of ${LIMIT_MS} ms`, atMost: 1 }),
  ),
  "From the call of `startFake` to a server that answers; records are made when a list is first asked for.",
);
