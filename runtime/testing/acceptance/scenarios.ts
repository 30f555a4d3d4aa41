/** The scenarios of the acceptance suite: the cases that each of them tries. */
import { testConnection } from "../../host/connection-test.js";
import type { RegisteredObject } from "../../registration/registration.js";
import type { FaultName } from "../fault-names.js";
import { isDeclaredHandler, listedObjects } from "../routes.js";
import { type ActionSubject, performAndRead, performTwice, performWithFault } from "./acting.js";
import type { Subject, Try } from "./cases.js";
import { Flaw } from "./flaw.js";
import {
  followChanges,
  readAgain,
  readOnlyChanges,
  readUnderRate,
  readUnfit,
  readWhole,
  readWithFault,
  readWithShift,
  stopAnywhere,
  touchAll,
} from "./reading.js";
import type { ScenarioName } from "./scenario-names.js";
import type { World } from "./world.js";

/** What is tried with a part of a connector. */
export type Scenario = ConnectionScenario | ObjectScenario | ActionScenario;

interface ScenarioFacts<Tried extends Subject> {
  readonly name: ScenarioName;
  /** Whether nothing else is tried with an object that it finds something in. */
  readonly isBasis?: boolean;
  /** Why it can't be tried; undefined if it can. */
  readonly hindrance?: (subject: Subject) => string | undefined;
  readonly run: (subject: Tried, attempt: Try) => Promise<void>;
}

interface ConnectionScenario extends ScenarioFacts<Subject> {
  readonly of: "connection";
}

interface ObjectScenario extends ScenarioFacts<Subject & { readonly object: RegisteredObject }> {
  readonly of: "object";
}

interface ActionScenario extends ScenarioFacts<Subject & ActionSubject> {
  readonly of: "action";
}

/** Where an answer says something else than the truth, whatever the request is. */
const FAULTS: readonly FaultName[] = [
  "serverError",
  "badGateway",
  "unavailable",
  "gatewayTimeout",
  "tooManyRequestsAnyTime",
  "unauthorized",
  "forbidden",
  "notFound",
  "resetBeforeAnswer",
  "resetInBody",
  "truncatedJson",
  "htmlWithSuccess",
  "emptyBody",
  "nullBody",
  "errorWithSuccess",
  "redirectElsewhere",
  "redirectToItself",
  "duplicate",
  "emptyPage",
  "cursorRepeats",
  "listEndsEarly",
  "totalTooHigh",
  "byteOrderMark",
  "textType",
  "unknownMember",
];

/** Where it would not be the reader's fault. */
const ONCE_ONLY: ReadonlySet<FaultName> = new Set([
  "duplicate",
  "emptyPage",
  "listEndsEarly",
  "unknownMember",
]);

const MOST_POSITIONS = 6;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "connection",
    of: "connection",
    run: async (subject, attempt) => {
      await attempt({ run: (world) => testRight(world, subject) });
      await attempt({ how: "with other secrets", run: (world) => testWrong(world, subject) });
      for (const name of ["serverError", "forbidden", "resetBeforeAnswer"] as const)
        await attempt({
          how: `where every call meets ${name}`,
          run: (world) => testStruck(world, subject, name),
        });
    },
  },
  {
    name: "whole",
    of: "object",
    hindrance: listMissing,
    isBasis: true,
    run: async ({ object }, attempt) => {
      const run = async (world: World) => void (await readWhole(world, object));
      await attempt({ run });
      await attempt({ shape: { records: 0 }, run });
      await attempt({ shape: { records: 10, pageSize: 5 }, run });
      await attempt({ shape: { records: 60, pageSize: 1 }, run });
    },
  },
  {
    name: "again",
    of: "object",
    hindrance: listMissing,
    run: ({ object }, attempt) => attempt({ run: (world) => readAgain(world, object) }),
  },
  {
    name: "stopped",
    of: "object",
    hindrance: listMissing,
    run: async ({ object, seed }, attempt) => {
      await attempt({
        prepare: (world) => readWhole(world, object),
        run: async (world) => {
          const positions = Math.min(await callsOfRead(world, object, seed), MOST_POSITIONS);
          await stopAnywhere(world, object, { positions, seed });
        },
      });
    },
  },
  {
    name: "faults",
    of: "object",
    hindrance: listMissing,
    run: async ({ object, seed }, attempt) => {
      let calls = 1;
      const prepare = (world: World) => readWhole(world, object);
      await attempt({
        prepare,
        run: async (world) => {
          calls = await callsOfRead(world, object, seed);
        },
      });
      for (const [index, name] of FAULTS.entries()) {
        if (!(await isFair(name, object, attempt))) continue;
        const after = calls === 1 ? 0 : 1 + ((index + seed) % (calls - 1));
        const place = `${name} at call ${after + 1}`;
        const struck = { name, after, seed: seed + index * 2 + 10 };
        await attempt({
          ...{ prepare, how: place },
          run: (world) => readWithFault(world, object, { ...struck, isLasting: false }),
        });
        if (ONCE_ONLY.has(name)) continue;
        await attempt({
          ...{ prepare, how: `${place} and all behind it` },
          run: (world) => readWithFault(world, object, { ...struck, seed: struck.seed + 1, isLasting: true }),
        });
      }
    },
  },
  {
    name: "shift",
    of: "object",
    hindrance: listMissing,
    run: async ({ object, seed }, attempt) => {
      const prepare = (world: World) => readWhole(world, object);
      for (let after = 1; after <= 2; after++)
        await attempt({
          ...{ prepare, how: `a record deleted before call ${after + 1}` },
          run: (world) => readWithShift(world, object, { after, seed: seed + after }),
        });
    },
  },
  {
    name: "rate",
    of: "object",
    hindrance: listMissing,
    run: ({ object }, attempt) =>
      attempt({
        shape: { rate: { requests: 3, windowMs: 10_000 } },
        how: "3 calls in 10 seconds",
        run: (world) => readUnderRate(world, object),
      }),
  },
  {
    name: "changes",
    of: "object",
    hindrance: listMissing,
    run: async ({ object, seed }, attempt) => {
      const shape = { behindMs: 90_000 };
      const prepare = (world: World) => readWhole(world, object);
      await attempt({ shape, prepare, run: (world) => followChanges(world, object, { steps: 6, seed }) });
      await attempt({ prepare, run: (world) => readOnlyChanges(world, object) });
    },
  },
  {
    name: "unfit",
    of: "object",
    hindrance: listMissing,
    run: ({ object }, attempt) =>
      attempt({ prepare: (world) => readWhole(world, object), run: (world) => readUnfit(world, object) }),
  },
  {
    name: "performed",
    of: "action",
    hindrance: routeMissing,
    run: (subject, attempt) =>
      attempt({ run: (world) => performAndRead(world, subjectIn(world, subject), subject.seed) }),
  },
  {
    name: "twice",
    of: "action",
    hindrance: routeMissing,
    run: (subject, attempt) =>
      attempt({ run: (world) => performTwice(world, subjectIn(world, subject), subject.seed) }),
  },
  {
    name: "refused",
    of: "action",
    hindrance: routeMissing,
    run: async (subject, attempt) => {
      const { seed } = subject;
      for (const name of ["serverError", "unavailable", "forbidden", "unauthorized"] as const)
        await attempt({
          how: name,
          run: (world) => performWithFault(world, subjectIn(world, subject), { name, seed, hasActed: false }),
        });
      for (const name of ["resetInBody", "truncatedJson", "htmlWithSuccess"] as const)
        await attempt({
          how: name,
          run: (world) => performWithFault(world, subjectIn(world, subject), { name, seed, hasActed: true }),
        });
    },
  },
];

/** The started action of this world. */
function subjectIn({ actions }: World, { action, object }: ActionSubject): ActionSubject {
  const started = actions.find(
    ({ name, dataObject }) => name === action.name && dataObject === action.dataObject,
  );
  return { action: started ?? action, object };
}

/** How many calls a read makes in which everything has changed. */
async function callsOfRead(world: World, object: RegisteredObject, seed: number): Promise<number> {
  world.pass(3_600_000);
  touchAll(world, object, seed + 100);
  await readWhole(world, object);
  return world.calls.last.filter(({ purpose }) => purpose === "call").length;
}

/** Whether a reader can know better. */
async function isFair(name: FaultName, object: RegisteredObject, attempt: Try): Promise<boolean> {
  if (name !== "notFound" && name !== "listEndsEarly") return true;
  let isKnown = true;
  await attempt({
    prepare: (world) => readWhole(world, object),
    run: async ({ sources, calls }) => {
      const [source] = sources.filter(({ type }) => type === object.record);
      // What is not found below a parent may say that the parent has gone.
      const isBelow = new Set(calls.all.map(({ url }) => new URL(url).pathname)).size > 1;
      const hasTotal =
        source !== undefined &&
        "total" in source.declaration.pages &&
        source.declaration.pages.total !== undefined;
      isKnown = name === "notFound" ? !isBelow : hasTotal;
    },
  });
  return isKnown;
}

async function testRight(world: World, { registration }: Subject): Promise<void> {
  const { success, message } = await test(world, registration, world.fake.connection);
  if (!success)
    throw new Flaw(
      "acceptance-connection-refused",
      `the connection test refuses right credentials: ${message}`,
    );
}

async function testWrong(world: World, { registration }: Subject): Promise<void> {
  if (world.strange === undefined || (world.credentials.length === 0 && !world.hasTokens)) return;
  const { success } = await test(world, registration, world.strange);
  if (success)
    throw new Flaw("acceptance-connection-accepted", "the connection test succeeds with wrong credentials");
}

async function testStruck(world: World, { registration }: Subject, name: FaultName): Promise<void> {
  world.strike({ name, from: 1 });
  const { success } = await test(world, registration, world.fake.connection);
  world.fake.calm();
  if (success)
    throw new Flaw(
      "acceptance-connection-accepted",
      `the connection test succeeds although no call of it does`,
    );
}

async function test(
  world: World,
  registration: Subject["registration"],
  container: World["fake"]["connection"],
) {
  const { registrationConfiguration } = world.fake.settings;
  const result = await testConnection(registration, container, {
    registrationConfiguration,
    log: world.connector.log,
    transport: (next) => world.calls.transport(world.fake.transport(next)),
  });
  world.said.push(result.message);
  return result;
}

/** Without a list nobody knows what should be read. */
function listMissing({ registration, fake: { lists = {}, routes }, object }: Subject): string | undefined {
  const { sources } = listedObjects(registration, lists);
  if (object === undefined || sources.some(({ type }) => type === object.record)) return undefined;
  const { name } = object;
  return routes === undefined
    ? `${name} was not tried: its reader is code. Say in fake.ts how its list is asked for: lists: { ${name}: { list: "GET /…", … } }.`
    : undefined;
}

function routeMissing({ fake: { routes }, action }: Subject): string | undefined {
  if (action === undefined || isDeclaredHandler(action.handler) || routes !== undefined) return undefined;
  return `${action.name} of ${action.dataObject} was not tried: its handler is code. Answer its calls in fake.ts: routes: { "POST /…": … }.`;
}
