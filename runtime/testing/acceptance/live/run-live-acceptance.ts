/** Tries the readers and the connection test of a connector at the real target system, where it only reads. */
import { didYouMean } from "../../../../schemas/naming/nearest.js";
import type { ConnectorRegistration, RegisteredObject } from "../../../registration/registration.js";
import { seenConnection } from "../../fake-connection.js";
import { listedObjects } from "../../routes.js";
import type {
  AcceptanceFinding,
  AcceptanceResult,
  AcceptanceSubject,
  AcceptanceTried,
  FlawCode,
} from "../acceptance-options.js";
import { Flaw, flawOf } from "../flaw.js";
import { observeNothing, seenBy } from "../observed-run.js";
import { fixedMembers } from "../reading.js";
import { LIVE_SCENARIOS, type LiveScenarioName } from "../scenario-names.js";
import { expectSecrecy } from "../secrecy.js";
import { servicesSwitchedOff } from "../settings.js";
import type { LiveAcceptanceOptions } from "./live-options.js";
import {
  casesOf,
  type LiveCase,
  type LiveSubject,
  NotTried,
  readEverything,
  type WholeRead,
} from "./live-scenarios.js";
import { type LiveSystem, openLiveSystem } from "./live-system.js";
import type { Strike } from "./struck-calls.js";

const RECORDS = 2_000;
const STUCK_SECONDS = 60;
const UNREFUSABLE =
  'Nothing was tried: the API client has no member "http", so that nothing could keep it from changing the target system.';

/**
 * Tries the part of the acceptance suite that only reads, at a real target system. Each data object is read once or a few
 * times; most is tried on the answers that came then, and what goes wrong goes wrong on this machine. No action is performed,
 * and a call that could change something is refused: every method but GET and HEAD, unless a declared list is asked for by
 * POST. The cache is in memory.
 * @throws TypeError for a name that the connector or the suite does not have; StartError or ConnectionError if the connector
 * does not start with these settings.
 * @example
 * const { findings, notes } = await runLiveAcceptance(registration, {
 *   connection: { DefinitionKey: "apiKeyAuth", Configuration: '{"apiKey":"…"}' },
 *   settings: { registrationConfiguration: {}, services: {} },
 * });
 */
export async function runLiveAcceptance<Client>(
  given: ConnectorRegistration<Client>,
  options: LiveAcceptanceOptions,
): Promise<AcceptanceResult> {
  const registration = given as ConnectorRegistration;
  const { connection, settings, seed = 1, host = {}, lists = {}, signal } = options;
  const scenarios = chosenNames(
    options.scenarios,
    Object.keys(LIVE_SCENARIOS),
    (name) => `scenario "${name}"`,
  );
  const all = registration.modules.flatMap(({ dataObjects }) => dataObjects);
  const names = chosenNames(
    options.objects,
    all.map(({ name }) => name),
    (name) => `data object "${name}"`,
  );
  const seen = await seenConnection(registration, connection, settings.registrationConfiguration);
  if (seen === undefined) return { seed, findings: [], tried: [], notes: [UNREFUSABLE] };
  const system = openLiveSystem({
    ...{ registration, connection, settings, host, seen, lists, signal },
    sync: ({ dataPath }) => options.sync?.[dataPath] ?? {},
    stuckSeconds: options.stuckSeconds ?? STUCK_SECONDS,
  });
  const suite = createSuite(registration, system, options);
  const isChosen = (name: LiveScenarioName) => scenarios.includes(name) && signal?.aborted !== true;
  if (isChosen("connection")) await tryConnection(suite, seen.strange);
  if (isChosen("settings"))
    await suite.attempt("settings", {}, async () => {
      const [on] = system.switchedOn(servicesSwitchedOff(registration, settings));
      if (on !== undefined)
        throw new Flaw("acceptance-switch-ignored", `${on} is switched off, and would be read`);
    });
  const fixed = (object: RegisteredObject) => fixedMembers(listedObjects(registration, lists), object.record);
  for (const object of all.filter(({ name }) => names.includes(name)))
    if (signal?.aborted !== true) await tryObject(suite, object, { fixed: fixed(object), isChosen });
  return suite.result();
}

function chosenNames(
  chosen: readonly string[] | undefined,
  known: readonly string[],
  words: (name: string) => string,
): readonly string[] {
  if (chosen === undefined || chosen.length === 0) return known;
  for (const name of chosen)
    if (!known.includes(name))
      throw new TypeError(
        `There is no ${words(name)} at the real target system: there are ${known.join(", ")}.${didYouMean(name, known)}`,
      );
  return chosen;
}

/** Who tries something, and what came of it. */
interface Suite {
  readonly system: LiveSystem;
  readonly options: LiveAcceptanceOptions;
  readonly note: (text: string) => void;
  /** Tries a scenario on a part, as one or several cases. */
  attempt(
    scenario: LiveScenarioName,
    subject: AcceptanceSubject,
    ...cases: readonly (() => Promise<void>)[]
  ): Promise<boolean>;
  result(): AcceptanceResult;
}

type Found = Omit<AcceptanceFinding, "object" | "action">;

function createSuite(
  registration: ConnectorRegistration,
  system: LiveSystem,
  options: LiveAcceptanceOptions,
): Suite {
  const { seed = 1, onTried, onTrying, signal } = options;
  const findings: AcceptanceFinding[] = [];
  const tried: AcceptanceTried[] = [];
  const notes = new Set<string>();
  const { observe = observeNothing } = options.surroundings ?? {};

  /** What was found wrong with one case; undefined for nothing. */
  async function flawIn(run: () => Promise<void>): Promise<Flaw | undefined> {
    return flawOf(async () => {
      const seen = await seenBy(run, observe);
      expectSecrecy(system, registration, seen);
    });
  }

  return {
    ...{ system, options, note: (text) => void notes.add(text) },
    async attempt(scenario, subject, ...cases) {
      const found = new Map<FlawCode, Found>();
      onTrying?.({ scenario, ...subject });
      try {
        for (const run of cases) {
          if (signal?.aborted === true || found.has("acceptance-endless")) break;
          const flaw = await flawIn(run);
          if (flaw !== undefined && !found.has(flaw.code))
            found.set(flaw.code, findingOf(flaw, { scenario, ...subject }));
        }
      } catch (error) {
        if (!(error instanceof NotTried)) throw error;
        notes.add(error.message);
        return false;
      }
      findings.push(...[...found.values()].map((each) => ({ ...each, ...subject })));
      const facts = { scenario, isPassed: found.size === 0, ...subject };
      tried.push(facts);
      onTried?.(facts);
      return found.size === 0;
    },
    result: () => ({ seed, findings, tried, notes: [...notes] }),
  };
}

function findingOf(
  { code, found, cause, how }: Flaw,
  { scenario, object }: AcceptanceSubject & { readonly scenario: LiveScenarioName },
): Found {
  return {
    ...{ code, scenario },
    message: `${object ?? `${scenario.charAt(0).toUpperCase()}${scenario.slice(1)}`}: ${found}.`,
    seen: `Seen at the real target system${how === undefined ? "" : `, ${how}`}, by scenario ${scenario}.`,
    ...(cause !== undefined && { error: cause }),
  };
}

async function tryConnection(suite: Suite, strange: LiveAcceptanceOptions["connection"] | undefined) {
  const { system, note } = suite;
  const right = async () => {
    const { success, message } = await system.test();
    if (!success)
      throw new Flaw(
        "acceptance-connection-refused",
        `the connection test refuses right credentials: ${message}`,
      );
  };
  const wrong = async () => {
    if (strange === undefined || (system.credentials.length === 0 && !system.hasTokens))
      return note("Wrong credentials were not tried: the connection has no secret that its calls bring.");
    const { success } = await system.test(strange);
    if (success)
      throw new Flaw("acceptance-connection-accepted", "the connection test succeeds with wrong credentials");
  };
  const struck = (name: Strike["name"]) => async () => {
    const { success } = await system.test(undefined, { name, at: 0, isLasting: true });
    if (success)
      throw new Flaw(
        "acceptance-connection-accepted",
        `the connection test succeeds although every call of it meets ${name}`,
      );
  };
  const strikes = (["serverError", "forbidden", "resetBeforeAnswer"] as const).map(struck);
  await suite.attempt("connection", {}, right, wrong, ...strikes);
}

interface ObjectTrial {
  readonly fixed: ReadonlySet<string>;
  readonly isChosen: (name: LiveScenarioName) => boolean;
}

const OF_OBJECTS = ["again", "stopped", "faults", "rate", "changes", "unfit", "elsewhere"] as const;

async function tryObject(
  suite: Suite,
  object: RegisteredObject,
  { fixed, isChosen }: ObjectTrial,
): Promise<void> {
  const { system, note, options } = suite;
  const { seed = 1, records = RECORDS } = options;
  let whole: WholeRead | undefined;
  const learn = async () => {
    whole = await readEverything(system, object, records);
    return whole;
  };
  const subject = { object: object.name };
  const isRead = await suite.attempt("whole", subject, async () => void (await learn()));
  if (!isRead || whole === undefined) return;
  const { rejected } = (whole as WholeRead).result;
  if (rejected > 0)
    note(
      `${object.name}: ${rejected} of ${(whole as WholeRead).result.read} records do not fit the schema, and were kept aside: connectorcli read shows them.`,
    );
  const liveSubject = (now: WholeRead): LiveSubject => ({ system, object, whole: now, seed, fixed, note });
  for (const name of OF_OBJECTS) {
    if (!isChosen(name)) continue;
    const cases = casesOf(name, liveSubject(whole as WholeRead));
    if (cases.length > 0) await suite.attempt(name, subject, ...cases.map((one) => confirmed(one)));
  }

  /**
   * Tries a case, and tries it again on new answers where something is found: what was changed in the target system
   * meanwhile is not seen twice.
   */
  function confirmed({ how, isAsking = false, isSure = false, run }: LiveCase): () => Promise<void> {
    const once = () => flawOf(async () => run(liveSubject(whole ?? (await learn()))));
    const anew = async () => {
      system.forget();
      await learn();
    };
    return async () => {
      const flaw = await once();
      if (isAsking || flaw !== undefined) await anew();
      if (flaw === undefined) return;
      const again = isSure ? flaw : await once();
      if (isAsking) await anew();
      if (again?.code === flaw.code) throw again.seenWhen(how);
    };
  }
}
