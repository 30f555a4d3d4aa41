/** The scenarios of the acceptance suite: the cases that each of them tries. */
import { testConnection } from "../../host/connection-test.js";
import type { RegisteredObject } from "../../registration/registration.js";
import type { FakeOptions } from "../fake-options.js";
import type { FaultName } from "../fault-names.js";
import { parentSources } from "../held-objects.js";
import { isDeclaredHandler, listedObjects } from "../routes.js";
import {
  type ActionSubject,
  performAndRead,
  performTaken,
  performTwice,
  performWhenBusy,
  performWithFault,
} from "./acting.js";
import type { Subject, Try } from "./cases.js";
import { Flaw } from "./flaw.js";
import {
  type FaultCase,
  followChanges,
  followDeletes,
  readAgain,
  readBeside,
  readOnlyChanges,
  readUnderRate,
  readUnfit,
  readWhole,
  readWithFault,
  readWithShift,
  stopAnywhere,
  stopInPage,
  touchAll,
} from "./reading.js";
import type { ScenarioName } from "./scenario-names.js";
import { expectHonoured, expectSwitched, type Setting, settingsOf } from "./settings.js";
import type { World, WorldOptions } from "./world.js";

/** What is tried with a part of a connector. */
export type Scenario = ConnectionScenario | ObjectScenario | ActionScenario;

interface ScenarioFacts<Tried extends Subject> {
  readonly name: ScenarioName;
  /** Whether nothing else is tried with an object that it finds something in. */
  readonly isBasis?: boolean;
  /** Whether it is tried with all of a connector that is so large that only a sample is tried with the others. */
  readonly isForAll?: boolean;
  /** Why it can't be tried; undefined if it can. */
  readonly hindrance?: (subject: Subject) => string | undefined;
  readonly run: (subject: Tried, attempt: Try) => Promise<void>;
}

interface ConnectionScenario extends ScenarioFacts<Subject> {
  readonly of: "connection" | "settings";
}

interface ObjectScenario extends ScenarioFacts<Subject & { readonly object: RegisteredObject }> {
  readonly of: "object";
}

interface ActionScenario extends ScenarioFacts<Subject & ActionSubject> {
  readonly of: "action";
}

/** What goes wrong at one request; of those of a line, a reader makes the same of one as of the others: the seed chooses. */
const ONCE: readonly (readonly FaultName[])[] = [
  ["serverError", "badGateway", "unavailable", "gatewayTimeout"],
  ["forbidden"],
  ["notFound"],
  ["truncatedJson", "emptyBody"],
  ["htmlWithSuccess"],
  ["nullBody"],
  ["errorWithSuccess"],
  ["redirectToItself", "byteOrderMark", "textType", "unknownMember"],
  ["duplicate"],
  ["tokenEnds"],
  ["emptyPage"],
  ["listEndsEarly"],
];

/** What goes wrong at a request and at all behind it, so that no repetition helps. */
const LASTING: readonly (readonly FaultName[])[] = [
  ["serverError", "badGateway", "unavailable", "gatewayTimeout", "tooManyRequestsAnyTime"],
  ["unauthorized"],
  ["resetBeforeAnswer", "resetInBody"],
  ["cursorRepeats"],
  ["totalTooHigh"],
];

/** These change nothing on the last page. */
const NEXT_PAGE: ReadonlySet<FaultName> = new Set(["emptyPage", "listEndsEarly", "cursorRepeats"]);

/** What goes wrong before anything was read: the easiest to take for a list that is empty. */
const FIRST: readonly FaultName[] = ["forbidden", "forbidden", "notFound", "errorWithSuccess"];

/** What is not found at all: for a list that stands below nothing that is an error, such as of its address. */
const NEVER_FOUND = { name: "notFound", isLasting: true, isFirst: true } as const;

/**
 * What goes wrong for good at one list of several, such as that of a parent that the user may not see. What is not found
 * there may be gone, so 404 is none of them.
 */
const AT_ONE_LIST: readonly (readonly FaultName[])[] = [
  ["forbidden"],
  ["serverError", "unauthorized", "resetBeforeAnswer", "htmlWithSuccess", "errorWithSuccess"],
];

const MOST_POSITIONS = 4;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "connection",
    of: "connection",
    run: async (subject, attempt) => {
      await attempt({ run: (world) => testRight(world, subject) });
      await attempt({ how: "with other secrets", run: (world) => testWrong(world, subject) });
      await attempt({ how: "in another environment", run: (world) => testElsewhere(world, subject) });
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
    isForAll: true,
    run: async ({ object, fake, registration }, attempt) => {
      const run = async (world: World) => void (await readWhole(world, object));
      await attempt({ run });
      await attempt({ shape: { records: 0 }, run });
      await attempt({ shape: { records: 10, pageSize: 5 }, run });
      await attempt({ shape: { records: 30, pageSize: 1 }, run });
      await attempt({ shape: { hasOddKeys: true }, how: "keys with marks such as / and ? in them", run });
      if (isBelowOthers(object, fake, registration))
        await attempt({ shape: { records: 24, pageSize: 24, parents: 24 }, how: "24 parents", run });
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
      await attempt({
        prepare: (world) => readWhole(world, object),
        how: "stopped in the middle of a page",
        run: (world) => stopInPage(world, object, seed),
      });
    },
  },
  {
    name: "faults",
    of: "object",
    hindrance: listMissing,
    run: async ({ object, seed }, attempt) => {
      let own: readonly number[] = [0];
      let paths: readonly string[] = [];
      const prepare = (world: World) => readWhole(world, object);
      await attempt({
        prepare,
        run: async (world) => {
          const from = world.fake.nextNumber();
          const calls = await callsOfRead(world, object, seed);
          const asked = world.askedOf(object, from);
          own = asked.length > 0 ? asked : Array.from({ length: calls }, (_, index) => index);
          paths = world.pathsOf(object, from);
        },
      });
      const tried = new Set<string>();
      for (const { how, ...strike } of strikesOn({ own, paths }, seed)) {
        if (tried.has(how) || !(await isFair(strike.name, object, attempt))) continue;
        tried.add(how);
        await attempt({ prepare, how, run: (world) => readWithFault(world, object, strike) });
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
        shape: { rate: { requests: 2, windowMs: 10_000 } },
        how: "2 calls in 10 seconds",
        run: (world) => readUnderRate(world, object),
      }),
  },
  {
    name: "changes",
    of: "object",
    hindrance: listMissing,
    run: async ({ object, seed, inTimeZone }, attempt) => {
      const shape = { behindMs: 90_000 };
      const prepare = (world: World) => readWhole(world, object);
      for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
        await attempt({
          ...{ shape, prepare, how: `a clock that is 90 seconds behind, the time zone ${zone}` },
          run: (world) => inTimeZone(zone, () => followChanges(world, object, { steps: 6, seed })),
        });
      await attempt({ prepare, run: (world) => readOnlyChanges(world, object) });
      await attempt({ prepare, run: (world) => followDeletes(world, object) });
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
    name: "beside",
    of: "object",
    hindrance: listMissing,
    run: ({ object, seed }, attempt) =>
      attempt({
        how: "two tenants in one process",
        run: async (world, another) => readBeside(world, object, await another(otherTenant(world, seed))),
      }),
  },
  {
    name: "elsewhere",
    of: "object",
    hindrance: listMissing,
    run: ({ object }, attempt) =>
      attempt({
        shape: { isMisleading: true },
        how: "links that lead to another host",
        // Whether it follows them is its own affair; what it sends there is not.
        run: async (world) => {
          await world.read(object);
          world.strike({ name: "redirectElsewhere", at: [world.fake.nextNumber()] });
          await world.read(object);
        },
      }),
  },
  {
    name: "settings",
    of: "settings",
    run: async ({ registration, fake }, attempt) => {
      let settings: readonly Setting[] = [];
      await attempt({
        how: "every data object switched off",
        run: async (world, another) => {
          settings = settingsOf(registration, world);
          await expectSwitched(world, registration, another);
        },
      });
      for (const setting of settings)
        if (fake.unseenSettings?.includes(setting.name) !== true)
          await attempt({ how: setting.name, run: (_, another) => expectHonoured(setting, another) });
    },
  },
  {
    name: "performed",
    of: "action",
    isForAll: true,
    hindrance: routeMissing,
    run: async (subject, attempt) => {
      const run = (world: World) => performAndRead(world, subjectIn(world, subject), subject.seed);
      await attempt({ run });
      await attempt({ shape: { hasOddKeys: true }, how: "keys with marks such as / and ? in them", run });
    },
  },
  {
    name: "twice",
    of: "action",
    hindrance: routeMissing,
    run: (subject, attempt) =>
      attempt({ run: (world) => performTwice(world, subjectIn(world, subject), subject.seed) }),
  },
  {
    name: "busy",
    of: "action",
    hindrance: routeMissing,
    run: (subject, attempt) =>
      attempt({
        how: "503 at the first call",
        run: (world) => performWhenBusy(world, subjectIn(world, subject), subject.seed),
      }),
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
      await attempt({
        how: "a key that another record has",
        run: (world) => performTaken(world, subjectIn(world, subject), seed),
      });
      for (const name of ["resetInBody", "truncatedJson", "htmlWithSuccess"] as const)
        await attempt({
          how: name,
          run: (world) => performWithFault(world, subjectIn(world, subject), { name, seed, hasActed: true }),
        });
    },
  },
];

/** Another tenant of the same connector: other records, and other secrets if there are some. */
function otherTenant({ fake, strange }: World, seed: number): Partial<WorldOptions> {
  const own = JSON.parse(fake.connection.Configuration) as Readonly<Record<string, unknown>>;
  const others = strange === undefined ? {} : (JSON.parse(strange.Configuration) as typeof own);
  const properties = Object.fromEntries(
    Object.entries(others).filter(([name, value]) => own[name] !== value),
  );
  return { tenant: { seed: seed + 1, properties } };
}

function isBelowOthers(
  object: RegisteredObject,
  { lists = {} }: FakeOptions,
  registration: Subject["registration"],
): boolean {
  const listed = listedObjects(registration, lists).objects.find(({ type }) => type === object.record);
  return parentSources(listed?.declaration).length > 0;
}

/** The started action of this world. */
function subjectIn({ actions }: World, { action, object }: ActionSubject): ActionSubject {
  const started = actions.find(
    ({ name, dataObject }) => name === action.name && dataObject === action.dataObject,
  );
  return { action: started ?? action, object };
}

/** A fault that is tried, in words too. */
interface Strike extends FaultCase {
  readonly how: string;
  readonly seed: number;
}

interface ReadFacts {
  /** Which calls of a read ask for the list itself, counted from 0. */
  readonly own: readonly number[];
  /** Where its lists are asked for. */
  readonly paths: readonly string[];
}

/** The seed says which faults, and where. */
function strikesOn({ own, paths }: ReadFacts, seed: number): readonly Strike[] {
  const chosen = (groups: typeof ONCE) => groups.map((names) => names[seed % names.length] as FaultName);
  const passing = [
    ...chosen(ONCE).map((name) => ({ name, isLasting: false, isFirst: false })),
    ...FIRST.map((name) => ({ name, isLasting: false, isFirst: true })),
    ...chosen(LASTING).map((name) => ({ name, isLasting: true, isFirst: false })),
    NEVER_FOUND,
  ].map(({ name, isLasting, isFirst }, index) => {
    const places = placesFor(name, own);
    // Also what is asked for before the list itself, such as its parents.
    const first = index % 2 === 0 ? 0 : (own[0] ?? 0);
    const after = isFirst ? first : (places[(index + seed) % places.length] ?? 0);
    return {
      ...{ name, seed: seed + index + 10 },
      at: (number: number) => (isLasting ? { from: number + after } : { at: [number + after] }),
      how: `${name} at call ${after + 1}${isLasting ? " and all behind it" : ""}`,
    };
  });
  const atOneList = (paths.length < 2 ? [] : chosen(AT_ONE_LIST)).map((name, index) => {
    const path = paths[(seed + index) % paths.length];
    const how = `${name} at ${path}, whenever it is asked for`;
    return { name, seed: seed + index + 40, at: () => ({ path }), how };
  });
  return [...passing, ...atOneList];
}

/** Calls of a list at which a fault shows: not the first one, where there are others. */
function placesFor(name: FaultName, own: readonly number[]): readonly number[] {
  const behind = own.length > 1 ? own.slice(1) : own;
  return NEXT_PAGE.has(name) && own.length > 1 ? own.slice(0, -1) : behind;
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
      const asked = calls.all.filter(({ purpose }) => purpose === "call");
      const isBelow = new Set(asked.map(({ url }) => new URL(url).pathname)).size > 1;
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

/** The values of `connectionEnvironment` (§2.1). */
const ENVIRONMENTS = [1, 2, 3];

/** A connection of another environment is for its own address. */
async function testElsewhere(world: World, { registration }: Subject): Promise<void> {
  const { DefinitionKey, Configuration } = world.fake.connection;
  const type = registration.connections.find(({ key }) => key === DefinitionKey)?.properties;
  const properties = JSON.parse(Configuration) as Readonly<Record<string, unknown>>;
  const own = world.open(world.fake.connection).origin;
  if (!("connectionEnvironment" in properties) || own === undefined) return;
  for (const connectionEnvironment of ENVIRONMENTS) {
    const changed = { ...properties, connectionEnvironment };
    if (type?.check(changed) !== true) continue;
    const container = { DefinitionKey, Configuration: JSON.stringify(changed) };
    const meant = world.open(container).origin;
    if (meant === undefined || meant === own) continue;
    const before = world.calls.all.length;
    await test(world, registration, container);
    const calls = world.calls.all.slice(before).filter(({ purpose }) => purpose === "call");
    if (calls.some(({ url }) => new URL(url).origin === own))
      throw new Flaw(
        "acceptance-credentials-elsewhere",
        `the connection is for ${meant} in environment ${connectionEnvironment}, and its calls go to ${own}`,
      );
  }
}

async function test(
  world: World,
  registration: Subject["registration"],
  container: World["fake"]["connection"],
) {
  const { registrationConfiguration } = world.fake.settings;
  const result = await world.bounded((signal) =>
    testConnection(registration, container, {
      ...{ registrationConfiguration, signal },
      ...{ log: world.connector.log, clock: world.clock },
      transport: (next) => world.calls.transport(world.fake.transport(next)),
    }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new Flaw("acceptance-endless", "the connection test calls the target system again and again");
    }),
  );
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
