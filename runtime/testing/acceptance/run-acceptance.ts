/** Tries a connector against a fake target system at which everything goes wrong: which scenarios it stands, and which not. */
import { didYouMean } from "../../../schemas/naming/nearest.js";
import type { RecordType } from "../../records/record-type.js";
import type { ConnectorRegistration } from "../../registration/registration.js";
import type { FakeOptions } from "../fake-options.js";
import { type GenerateValue, loadGenerator, rememberedValues } from "../fake-records.js";
import { parentSources } from "../held-objects.js";
import { listedObjects } from "../routes.js";
import type {
  AcceptanceFinding,
  AcceptanceOptions,
  AcceptanceResult,
  AcceptanceTried,
  FlawCode,
} from "./acceptance-options.js";
import type { Case, Subject, Try } from "./cases.js";
import { Flaw, flawOf } from "./flaw.js";
import { observeNothing, seenBy } from "./observed-run.js";
import { oddKeys } from "./odd-keys.js";
import { actionName, type Sample, sampleOf } from "./sample.js";
import { SCENARIOS, type Scenario } from "./scenarios.js";
import { expectSecrecy } from "./secrecy.js";
import { openWorld, type World, type WorldOptions } from "./world.js";

const RECORDS = 12;
const PAGE_SIZE = 5;
const PARENTS = 2;
const OTHERS = 4;
/** Longer than the hour that most scenarios let pass: a token is used for a few reads, and for some it is renewed. */
const TOKEN_LIFE_SECONDS = 4 * 3_600;
const SMALLER = [1, 2, 3, 4, 6, 8, 11];

/**
 * Tries what a connector does where a target system does everything that target systems do: pages that move, answers that
 * break off, limits, wrong credentials. Nothing leaves the machine, and time that is only waited for passes at once.
 * @throws TypeError for a name that the connector or the suite does not have.
 * @example
 * const { findings } = await runAcceptance(registration, { seed: 7 });
 * for (const { message, seen } of findings) console.error(message, seen);
 */
export async function runAcceptance<Client>(
  given: ConnectorRegistration<Client>,
  options: AcceptanceOptions = {},
): Promise<AcceptanceResult> {
  const registration = given as ConnectorRegistration;
  const { seed = 1 } = options;
  const scenarios = chosenScenarios(options.scenarios);
  const findings: AcceptanceFinding[] = [];
  const tried: AcceptanceTried[] = [];
  const notes: string[] = [];
  const generate = rememberedValues(await loadGenerator());
  const running: Running = { options, generate, notes };
  // Who does not read well does nothing else well: one finding says it.
  const flawed = new Set<string>();
  const sample = sampleFor(registration, options);
  notes.push(...sampleNotes(sample));
  for (const scenario of scenarios)
    for (const subject of subjectsOf(registration, scenario, options).filter(isSampled(scenario, sample))) {
      const { object: { name: object } = {}, action: { name: action } = {} } = subject;
      if (options.signal?.aborted === true || (object !== undefined && flawed.has(object))) continue;
      options.onTrying?.({ scenario: scenario.name, object, action });
      const found = await tryScenario(scenario, subject, running);
      if (found === undefined) continue;
      findings.push(...found.map((each) => ({ ...each, object, action })));
      const isHopeless = found.length > 0 && (scenario.isBasis === true || found.some(isEndless));
      if (isHopeless && object !== undefined) flawed.add(object);
      const facts = { scenario: scenario.name, isPassed: found.length === 0, object, action };
      tried.push(facts);
      options.onTried?.(facts);
    }
  return { seed, findings, tried, notes: [...new Set(notes)] };
}

function sampleFor(
  registration: ConnectorRegistration,
  { isSampled: mayBeSampled = true, objects = [], fake = {}, seed = 1 }: AcceptanceOptions,
): Sample | undefined {
  return mayBeSampled && objects.length === 0
    ? sampleOf(registration, { lists: fake.lists, seed })
    : undefined;
}

function sampleNotes(sample: Sample | undefined): readonly string[] {
  if (sample === undefined) return [];
  const { objects, actions, of } = sample;
  return [
    `Of ${of.objects} data objects and ${of.actions} actions, ${objects.size} and ${actions.size} were tried with every scenario, two of each form in which they are declared, and the others with whole and performed. Another seed takes others, --object one with every scenario, --all all of them.`,
  ];
}

function isSampled({ isForAll, of }: Scenario, sample: Sample | undefined): (subject: Subject) => boolean {
  if (sample === undefined || isForAll === true || of === "connection" || of === "settings")
    return () => true;
  return ({ object, action }) =>
    action === undefined
      ? object === undefined || sample.objects.has(object.name)
      : sample.actions.has(actionName(action));
}

/** What was found; undefined if it can't be tried, and a note says why. */
async function tryScenario(
  scenario: Scenario,
  subject: Subject,
  running: Running,
): Promise<readonly Found[] | undefined> {
  const hindrance = scenario.hindrance?.(subject);
  if (hindrance === undefined) return runScenario(scenario, subject, running);
  running.notes.push(hindrance);
  return undefined;
}

function chosenScenarios(names: readonly string[] | undefined): readonly Scenario[] {
  if (names === undefined || names.length === 0) return SCENARIOS;
  const known = SCENARIOS.map(({ name }) => name as string);
  for (const name of names)
    if (!known.includes(name))
      throw new TypeError(
        `There is no scenario "${name}": there are ${known.join(", ")}.${didYouMean(name, known)}`,
      );
  return SCENARIOS.filter(({ name }) => names.includes(name));
}

function subjectsOf(
  registration: ConnectorRegistration,
  { of }: Scenario,
  { objects: names, seed = 1, fake = {}, surroundings }: AcceptanceOptions,
): readonly Subject[] {
  const inTimeZone = surroundings?.inTimeZone ?? ((_, run) => run());
  const common: Subject = { registration, seed, fake, inTimeZone };
  const objects = registration.modules.flatMap(({ dataObjects }) => dataObjects);
  const known = objects.map(({ name }) => name);
  for (const name of names ?? [])
    if (!known.includes(name))
      throw new TypeError(`The connector has no data object "${name}".${didYouMean(name, known)}`);
  const isChosen = (name: string) => names === undefined || names.length === 0 || names.includes(name);
  if (of === "connection" || of === "settings") return [common];
  if (of === "object")
    return objects.filter(({ name }) => isChosen(name)).map((object) => ({ ...common, object }));
  return registration.modules.flatMap(({ actions, dataObjects }) =>
    actions
      .filter(({ dataObject }) => isChosen(dataObject))
      .flatMap((action) => {
        const object = dataObjects.find(({ name }) => name === action.dataObject);
        return object === undefined ? [] : [{ ...common, object, action: action as never }];
      }),
  );
}

const ENDLESS = "acceptance-endless";

function isEndless({ code }: Pick<Found, "code">): boolean {
  return code === ENDLESS;
}

interface Running {
  readonly options: AcceptanceOptions;
  /** Every world has the same records at first. */
  readonly generate: GenerateValue;
  readonly notes: string[];
}

type Found = Omit<AcceptanceFinding, "object" | "action">;

async function runScenario(
  scenario: Scenario,
  subject: Subject,
  running: Running,
): Promise<readonly Found[]> {
  const found = new Map<FlawCode, Found & { readonly others: string[] }>();
  let shared: { readonly key: string; readonly world: World } | undefined;
  const leave = async () => {
    await shared?.world.close();
    shared = undefined;
  };
  const attempt: Try = async (tried) => {
    if (running.options.signal?.aborted === true || found.has(ENDLESS)) return;
    const key = JSON.stringify([tried.shape, tried.prepare?.toString()]);
    if (shared?.key !== key) {
      await leave();
      shared = { key, world: await openPrepared(tried, subject, running) };
    }
    const { world } = shared;
    const flaw = await flawOf(() => checked(world, tried, { subject, running }));
    if (flaw === undefined) return;
    await leave();
    const known = found.get(flaw.code);
    if (known !== undefined) {
      if (tried.how !== undefined) known.others.push(tried.how);
      return;
    }
    // To wait for its end once is enough.
    const shortest = isEndless(flaw)
      ? { flaw, records: recordsOf(tried, running) }
      : await shorten(tried, flaw, { subject, running });
    found.set(flaw.code, { ...describe(scenario, shortest, { subject, tried, running }), others: [] });
  };
  try {
    await scenario.run(subject as never, attempt);
  } finally {
    await leave();
  }
  return [...found.values()].map(({ others, ...finding }) =>
    others.length === 0 ? finding : { ...finding, seen: `${finding.seen} Also ${others.join("; ")}.` },
  );
}

/** A new world in which the case can begin. What goes wrong until then is another scenario's to tell. */
async function openPrepared(
  tried: Case,
  subject: Subject,
  running: Running,
  records?: number,
): Promise<World> {
  const world = await openWorld(worldOptions(tried, { subject, running }, records));
  for (const note of world.fake.notes()) if (/let in/.test(note)) running.notes.push(note);
  await tried.prepare?.(world).catch((error: unknown) => {
    if (!(error instanceof Flaw)) throw error;
  });
  return world;
}

function worldOptions(tried: Case, { subject, running }: Tried, records?: number): WorldOptions {
  const { fake = {} } = running.options;
  const { registration, seed } = subject;
  const { pageSize = PAGE_SIZE, rate, behindMs, parents = PARENTS } = tried.shape ?? {};
  const { hasOddKeys, isMisleading } = tried.shape ?? {};
  const count = records ?? recordsOf(tried, running);
  const values = hasOddKeys === true ? oddKeys(registration, fake) : fake.values;
  return {
    ...{ registration, behindMs, isMisleading, generate: running.generate },
    stuckSeconds: running.options.stuckSeconds,
    fake: {
      tokenLifeSeconds: TOKEN_LIFE_SECONDS,
      ...fake,
      seed,
      values,
      maxPageSize: pageSize,
      rate,
      faults: [],
    },
    countOf: countsFor(subject, fake, { count, parents }),
  };
}

function recordsOf({ shape }: Case, { options }: Running): number {
  return shape?.records ?? options.records ?? RECORDS;
}

/** How many records an object has: few of all that is not tried. */
function countsFor(
  { registration, object }: Subject,
  { lists = {} }: FakeOptions,
  { count, parents }: { readonly count: number; readonly parents: number },
): (type: RecordType) => number {
  const { objects, typeOfReader } = listedObjects(registration, lists);
  const above = new Set<RecordType>();
  const climb = (type: RecordType): void => {
    const declaration = objects.find((each) => each.type === type)?.declaration;
    for (const { source } of parentSources(declaration)) {
      const parent = typeOfReader(source.reader);
      if (parent === undefined || above.has(parent)) continue;
      above.add(parent);
      climb(parent);
    }
  };
  if (object !== undefined) climb(object.record);
  return (type) => {
    if (type === object?.record) return count;
    return above.has(type) ? parents : OTHERS;
  };
}

async function checked(world: World, tried: Case, { subject, running }: Tried): Promise<void> {
  const { registration } = subject;
  const others: World[] = [];
  const another = async (own: Partial<WorldOptions> = {}) => {
    const other = await openWorld({ ...worldOptions(tried, { subject, running }), ...own });
    others.push(other);
    return other;
  };
  const { observe = observeNothing } = running.options.surroundings ?? {};
  const seen = await seenBy(
    () => tried.run(world, another).finally(() => Promise.all(others.map((each) => each.close()))),
    observe,
  );
  for (const each of [world, ...others]) expectSecrecy(each, registration, seen);
}

interface Tried {
  readonly subject: Subject;
  readonly running: Running;
}

interface Shortest {
  readonly flaw: Flaw;
  readonly records: number;
}

/** The same flaw with as few records as possible, in a world in which nothing else has happened. */
async function shorten(tried: Case, flaw: Flaw, { subject, running }: Tried): Promise<Shortest> {
  const records = recordsOf(tried, running);
  for (const fewer of [...SMALLER.filter((count) => count < records), records]) {
    const world = await openPrepared(tried, subject, running, fewer);
    const again = await flawOf(() => checked(world, tried, { subject, running })).finally(() =>
      world.close(),
    );
    if (again?.code === flaw.code) return { flaw: again, records: fewer };
  }
  return { flaw, records };
}

function describe(
  { name }: Scenario,
  { flaw, records }: Shortest,
  { subject, tried, running }: { readonly subject: Subject; readonly tried: Case; readonly running: Running },
): Found {
  const { object, action } = subject;
  const parts = [action?.name, object?.name].filter((part) => part !== undefined);
  const what = parts.length === 0 ? capitalized(name) : parts.join(" of ");
  const pageSize = tried.shape?.pageSize ?? PAGE_SIZE;
  const size =
    object === undefined ? "" : `with ${records} record${records === 1 ? "" : "s"} on pages of ${pageSize}`;
  const how = [size, tried.how].filter((part) => part !== undefined && part !== "").join(", ");
  const seed = running.options.seed ?? 1;
  return {
    code: flaw.code,
    scenario: name,
    message: `${what}: ${flaw.found}.`,
    seen: `Seen ${how === "" ? "" : `${how}, `}by scenario ${name} and seed ${seed}.`,
    ...(flaw.cause !== undefined && { error: flaw.cause }),
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
