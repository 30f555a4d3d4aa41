/**
 * Records what a target system answers to a reader or a handler, so that it can be replayed without it.
 *
 * The answers are masked, and then the connector is run on the masked ones: the requests that it makes of them are those that
 * are kept. So no request holds a value of the real system, and whatever the connector computes of its answers fits.
 */
import { isJsonObject } from "../../../schemas/json.js";
import { credentialKind } from "../../../schemas/naming/credential-texts.js";
import type { SyncSettings } from "../../cache-writer/sync-options.js";
import type { AnyListDeclaration } from "../../declared/declaration.js";
import { createSecretRedaction } from "../../log/redaction.js";
import { sensitiveValues } from "../../records/masking.js";
import type { RecordType } from "../../records/record-type.js";
import { serializedForm } from "../../records/serialized-form.js";
import type { ClientHost, ConnectionContainer } from "../../registration/connection-contracts.js";
import type { StopSignal } from "../../registration/contracts.js";
import type { Transport } from "../../registration/http-messages.js";
import type { ConnectorRegistration } from "../../registration/registration.js";
import { jsonIn, safeGet } from "../../untrusted.js";
import { loadGenerator } from "../fake-records.js";
import type { FakeSettings } from "../fake-settings.js";
import { listedObjects, pathPattern } from "../routes.js";
import {
  answerOf,
  createRecorder,
  pathForm,
  plainRequest,
  requestDifferences,
  type SeenExchange,
  sameRequest,
  UnknownRequestError,
} from "./exchanges.js";
import { withFixedTime } from "./fixed-time.js";
import { createMask, type KnownList, type Mask, type MaskedAnswer, type WholeAnswer } from "./mask.js";
import {
  type RecordedExchange,
  type RecordedRequest,
  type RecordedResponse,
  type RecordedSubject,
  type Recording,
  RecordingError,
} from "./recording.js";
import { differencesOf, replayOnce, runOf } from "./replay.js";
import { createStandIns, StandInError, type StandIns } from "./stand-ins.js";
import { runSubject, type SubjectResult } from "./subject-run.js";

/** What is recorded, and with what. */
export interface RecordOptions {
  /** Data path of the data object that is read, or whose action is performed. */
  readonly object: string;
  /** An action of it by its part of the address, with its input; absent to record its reader. */
  readonly action?: { readonly urlPart: string; readonly input: unknown } | undefined;
  /** The connection that is called with. */
  readonly connection: ConnectionContainer;
  /** The configurations that the connector is started with. */
  readonly settings: FakeSettings;
  /**
   * From what stand-ins are made: a text that is nobody else's, such as 32 random bytes in base64. The same key gives the
   * same stand-ins.
   */
  readonly key: string;
  /**
   * The most records that are read; null for all.
   * @default 100
   */
  readonly limit?: number | null | undefined;
  /**
   * Names of members and headers that hold nothing personal although no schema has them: their values stay.
   * @default none
   */
  readonly keep?: readonly string[] | undefined;
  /**
   * Further secrets, which must not stand in the recording: those of the connection and of the settings are known.
   * @default none
   */
  readonly secrets?: readonly string[] | undefined;
  /** What the host does for the client: where calls go, proxies, changed refresh tokens. */
  readonly host?:
    | Pick<ClientHost, "transport" | "environment" | "saveProperties" | "lockProperties">
    | undefined;
  /** How the cache is written. */
  readonly sync?: SyncSettings | undefined;
  /** Ends the recording; nothing is kept then. */
  readonly signal?: StopSignal | undefined;
}

/** Nothing was recorded. The message says why, without any value that was read. */
export class RecordingRefusedError extends Error {
  override readonly name = "RecordingRefusedError";

  constructor(
    message: string,
    /** What to do about it. */
    readonly advice: string,
  ) {
    super(message);
  }
}

const LIMIT = 100;
const MAX_BYTES = 20_000_000;

/**
 * Reads a data object or performs an action once, and gives what was asked and answered, masked. The result was replayed:
 * the connector makes of it what it made of the real answers.
 * @throws RecordingRefusedError if the run failed, if the masked answers are read otherwise, or if a secret is left in them.
 * @example
 * const fake = await startFake(registration, { records: 20 });
 * const recording = await record(registration, {
 *   object: "projects-api/app/1/project",
 *   connection: fake.connection,
 *   settings: fake.settings,
 *   host: { transport: fake.transport },
 *   key: "a text that only this machine knows",
 * });
 */
export async function record<Client>(
  registration: ConnectorRegistration<Client>,
  options: RecordOptions,
): Promise<Recording> {
  const connector = registration as ConnectorRegistration;
  const seen = await seeAnswers(connector, options).catch((error: unknown) => {
    if (!(error instanceof RecordingError)) throw error;
    throw new RecordingRefusedError(error.message, "Make the client with createClientHelper.");
  });
  const { recording, sensitive } = await maskedRecording(connector, {
    options,
    seen,
    keep: new Set(options.keep),
  });
  refuseSecrets(recording, {
    secrets: [...secretsOf(connector, options), ...(options.secrets ?? [])],
    sensitive,
  });
  return recording;
}

/** What was seen while the real system was asked. */
interface Seen {
  readonly result: SubjectResult;
  readonly exchanges: readonly SeenExchange[];
  /** Write-only values of the records that were read. */
  readonly sensitive: readonly string[];
  readonly startMs: number;
  readonly seed: number;
}

/** @throws RecordingRefusedError if the run failed. */
async function seeAnswers(registration: ConnectorRegistration, options: RecordOptions): Promise<Seen> {
  const { host = {}, settings, connection, sync } = options;
  const recorder = createRecorder(MAX_BYTES);
  const { transport: inner } = host;
  const transport: Transport = (next) => recorder.transport(inner === undefined ? next : inner(next));
  const [startMs, seed] = [Math.floor(Date.now() / 1_000) * 1_000, Math.floor(Math.random() * 2 ** 31)];
  const sensitive = new Set<string>();
  const type = recordTypeOf(registration, options.object);
  const result = await withFixedTime({ startMs, seed, isReplay: false }, (clock) =>
    runSubject({
      ...{ registration, connection, settings, clock, sync },
      subject: subjectOf(options),
      limit: limitOf(options),
      host: { ...host, transport },
      signal: options.signal ?? new AbortController().signal,
      begin: recorder.begin,
      isRepeated: false,
      onRecord: (item) => {
        for (const value of writeOnlyValues(type, item)) sensitive.add(value);
      },
    }),
  );
  const failed = result.runs.find(({ outcome }) => outcome !== "succeeded" && outcome !== "failed");
  const isFailedRead =
    options.action === undefined && result.runs.some(({ outcome }) => outcome !== "succeeded");
  if (failed !== undefined || isFailedRead)
    throw new RecordingRefusedError(
      `the run did not succeed: ${result.messages.join("; ")}`,
      "Mend what it says, and record again.",
    );
  return { result, exchanges: recorder.exchanges, sensitive: [...sensitive], startMs, seed };
}

function writeOnlyValues(type: RecordType, item: unknown): readonly string[] {
  try {
    return sensitiveValues(serializedForm(type, item), type.schema);
  } catch {
    // What throws when it is read is rejected by the run.
    return [];
  }
}

function subjectOf({ object, action }: RecordOptions): RecordedSubject {
  return action === undefined ? { object } : { object, action: action.urlPart, input: action.input };
}

function limitOf({ limit = LIMIT, action }: RecordOptions): number | null {
  return action === undefined ? limit : null;
}

function recordTypeOf({ modules }: ConnectorRegistration, object: string): RecordType {
  const found = modules.flatMap(({ dataObjects }) => dataObjects).find(({ dataPath }) => dataPath === object);
  if (found === undefined) throw new RangeError(`The connector has no data object ${object}.`);
  return found.record;
}

interface Masking {
  readonly options: RecordOptions;
  readonly seen: Seen;
  readonly keep: ReadonlySet<string>;
}

/** @throws RecordingRefusedError if the connector reads the masked answers otherwise. */
async function maskedRecording(registration: ConnectorRegistration, masking: Masking): Promise<Tried> {
  const tried = await tryMasked(registration, masking);
  if (tried.differences.length === 0) return tried;
  const deciding = await decidingNames(registration, masking, tried.unknownNames);
  const names = deciding.map((name) => JSON.stringify(name)).join(", ");
  throw new RecordingRefusedError(
    `the masked answers are read otherwise than the real ones: ${tried.differences.join("; ")}`,
    deciding.length === 0
      ? "Its code decides by values that are replaced. Declare them in the schema of the data object, if they may be kept."
      : `Its code decides by ${names}, which no schema describes. If they hold nothing personal, keep them: "connectorcli": { "recordings": { "keep": [${names}] } } in package.json.`,
  );
}

interface Tried {
  readonly recording: Recording;
  /** How the connector reads the masked answers otherwise than the real ones. */
  readonly differences: readonly string[];
  readonly unknownNames: readonly string[];
  /** Write-only values that were replaced, and stand for no other. */
  readonly sensitive: readonly string[];
}

async function tryMasked(
  registration: ConnectorRegistration,
  { options, seen, keep }: Masking,
): Promise<Tried> {
  const { startMs, seed, exchanges } = seen;
  const standIns = createStandIns(options.key, await loadGenerator());
  const mask = await createMask({
    standIns,
    keep: withDeclaredNames(registration, keep),
    ...knownAnswers(registration, options),
  });
  const parts = partsOf(registration, options);
  for (const { value, type, hidden } of parts) mask.noteValue(value, type, hidden);
  for (const value of seen.sensitive) standIns.note(value, { kind: "sensitive", schemas: [] });
  const answers = exchanges.flatMap((exchange) =>
    exchange.response === undefined ? [] : [{ exchange, answer: wholeAnswer(exchange) }],
  );
  for (const { answer } of answers) mask.noteAnswer(answer);
  try {
    const masked = answers.map(({ exchange, answer }) => ({ exchange, answer: mask.answer(answer) }));
    const draft: Recording = {
      ...maskedParts(options, mask, parts),
      ...{ time: new Date(startMs).toISOString(), seed, limit: limitOf(options) },
      runs: [],
      exchanges: [],
    };
    const kept = await requestsOfMasked(registration, { draft, masked, options, standIns });
    const recording = { ...draft, exchanges: kept.exchanges };
    const replayed = await replayOnce(registration, recording, { sync: options.sync });
    const differences = [
      ...kept.unexplained,
      ...differencesOf(withoutDigests(seen.result.runs), withoutDigests(replayed.runs)),
      ...replayed.problems,
    ];
    return {
      recording: { ...recording, runs: replayed.runs },
      differences: [...new Set(differences)],
      unknownNames: [...mask.unknownNames],
      sensitive: standIns.sensitive(),
    };
  } catch (error) {
    if (!(error instanceof StandInError)) throw error;
    throw new RecordingRefusedError(
      `a value can't be replaced: ${error.message}`,
      "Loosen the pattern or the bounds of the write-only property that it belongs to.",
    );
  }
}

/** Digests differ wherever a value was replaced, and so do results. */
function withoutDigests(runs: Recording["runs"]): Recording["runs"] {
  return runs.map(({ run, outcome, counts, rejected, changes }) => ({
    ...{ run, outcome },
    ...(counts && { counts }),
    ...(rejected && { rejected }),
    ...(changes && { changes: changes.map((change) => change.split(" ").slice(0, 2).join(" ")) }),
  }));
}

/** The fewest names of members that have to be kept for the connector to read the masked answers as the real ones. */
async function decidingNames(
  registration: ConnectorRegistration,
  masking: Masking,
  names: readonly string[],
): Promise<readonly string[]> {
  const isRead = async (kept: readonly string[]) => {
    const { differences } = await tryMasked(registration, {
      ...masking,
      keep: new Set([...masking.keep, ...kept]),
    });
    return differences.length === 0;
  };
  if (names.length > MAX_TRIED_NAMES || !(await isRead(names))) return [];
  let needed = names;
  for (const name of names) {
    const others = needed.filter((other) => other !== name);
    if (await isRead(others)) needed = others;
  }
  return needed;
}

const MAX_TRIED_NAMES = 200;

interface Part {
  /** Where it stands in the recording. */
  readonly way: readonly string[];
  readonly value: unknown;
  readonly type: RecordType;
  readonly hidden?: "credential";
}

/** What a recording holds beside the answers. */
function partsOf(
  registration: ConnectorRegistration,
  { connection, settings, action, object }: RecordOptions,
): readonly Part[] {
  const definition = registration.connections.find(({ key }) => key === connection.DefinitionKey);
  const input = action && actionIn(registration, object, action.urlPart)?.input;
  const services = registration.modules.flatMap((module): readonly Part[] => {
    const own = safeGet(settings.services, module.id);
    const types = {
      cacheWriter: module.cacheWriterConfiguration,
      actionProcessor: module.actionProcessorConfiguration,
    };
    return Object.entries(types).map(([name, type]) => ({
      ...{ way: ["settings", "services", module.id, name], type },
      value: safeGet(own, name),
    }));
  });
  const { registrationConfiguration: configuration } = settings;
  const parts: readonly (Part | undefined)[] = [
    definition && {
      ...{ way: ["connection", "properties"], type: definition.properties, hidden: "credential" },
      value: JSON.parse(connection.Configuration) as unknown,
    },
    {
      way: ["settings", "registrationConfiguration"],
      value: configuration,
      type: registration.configuration,
    },
    ...services,
    input && { way: ["subject", "input"], value: action.input, type: input },
  ];
  return parts.filter((part) => part !== undefined);
}

function actionIn({ modules }: ConnectorRegistration, object: string, urlPart: string) {
  const module = modules.find(({ dataObjects }) => dataObjects.some(({ dataPath }) => dataPath === object));
  const name = module?.dataObjects.find(({ dataPath }) => dataPath === object)?.name;
  return module?.actions.find((action) => action.dataObject === name && action.urlPart === urlPart);
}

function maskedParts(
  options: RecordOptions,
  mask: Mask,
  parts: readonly Part[],
): Pick<Recording, "subject" | "connection" | "settings"> {
  const bare = {
    subject: subjectOf(options),
    connection: { DefinitionKey: options.connection.DefinitionKey, properties: {} },
    settings: { registrationConfiguration: {}, services: {} },
  };
  return parts.reduce(
    (made, { way, value, type }) => withMember(made, way, mask.value(value, type)) as typeof bare,
    bare,
  );
}

/** A copy with `value` at `way`. */
function withMember(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const members = isJsonObject(whole) ? whole : {};
  return { ...members, [name]: withMember(members[name], rest, value) };
}

/** The lists that are declared, and what else answers may hold. */
function knownAnswers(
  registration: ConnectorRegistration,
  { object, action }: RecordOptions,
): { readonly lists: readonly KnownList[]; readonly types: readonly RecordType[] } {
  const { sources } = listedObjects(registration, {});
  const lists = sources.map(({ declaration, type }): KnownList => {
    const [method = "GET", template = ""] = declaration.list.split(/ (.*)/s);
    const { items, record: way, each } = declaration;
    return {
      method,
      path: pathPattern(template),
      items,
      record: way,
      type: each === undefined ? type : undefined,
    };
  });
  const own = action === undefined ? undefined : actionIn(registration, object, action.urlPart);
  const types = [
    recordTypeOf(registration, object),
    ...sources.map(({ type }) => type),
    ...(own === undefined ? [] : [own.output, own.failure]),
  ];
  return { lists, types: [...new Set(types)] };
}

/** Members that a declaration itself decides by: how many there are, whether there are more, whether a job is done. */
function withDeclaredNames(
  registration: ConnectorRegistration,
  keep: ReadonlySet<string>,
): ReadonlySet<string> {
  const { sources } = listedObjects(registration, {});
  return new Set([
    ...keep,
    ...sources
      .flatMap(({ declaration, deletedWhen }) => [...waysOf(declaration), deletedWhen?.property])
      .flatMap(lastName),
  ]);
}

function waysOf({ pages, refused }: AnyListDeclaration): readonly unknown[] {
  const members = ["total", "last", "more"].map((name) => safeGet(pages, name));
  const poll = safeGet(pages, "poll");
  return [...members, safeGet(poll, "state"), safeGet(poll, "total"), refused?.at];
}

/** The name of a header, or of the member that a way leads to. */
function lastName(way: unknown): readonly string[] {
  const name = isJsonObject(way) ? way["header"] : way;
  return typeof name === "string" ? [name.split(".").at(-1) ?? name, name.toLowerCase()] : [];
}

function wholeAnswer({ request, response }: SeenExchange): WholeAnswer {
  const { purpose, method, url } = request;
  return {
    purpose,
    method,
    url,
    status: response?.status ?? 0,
    headers: response?.headers ?? {},
    text: response?.text ?? "",
  };
}

interface MaskedExchange {
  readonly exchange: SeenExchange;
  readonly answer: MaskedAnswer;
}

interface Learning {
  readonly draft: Recording;
  readonly masked: readonly MaskedExchange[];
  readonly options: RecordOptions;
  readonly standIns: StandIns;
}

/** The requests that the connector makes of masked answers, each with the answer to the request that it stands for. */
async function requestsOfMasked(
  registration: ConnectorRegistration,
  { draft, masked, options, standIns }: Learning,
): Promise<{ readonly exchanges: readonly RecordedExchange[]; readonly unexplained: readonly string[] }> {
  let left: MaskedExchange[] = [];
  const found = new Map<MaskedExchange, RecordedRequest>();
  const unexplained: string[] = [];
  const transport: Transport = () => async (request) => {
    const asked = plainRequest(request);
    const costs = left.map((each) => ({ each, cost: costOf(each, asked, standIns) }));
    const [best] = costs.sort((a, b) => a.cost - b.cost);
    if (best === undefined || best.cost >= TOO_DIFFERENT) {
      unexplained.push(`${asked.method} ${pathForm(asked.url)} is asked for in addition`);
      throw new UnknownRequestError("not recorded");
    }
    left = left.filter((each) => each !== best.each);
    found.set(best.each, asked);
    return answerOf(recordedResponse(best.each), request);
  };
  await withFixedTime({ startMs: Date.parse(draft.time), seed: draft.seed, isReplay: true }, (clock) =>
    runSubject({
      ...runOf(registration, draft, options.sync),
      clock,
      host: { transport },
      begin: (run) => {
        left = masked.filter(({ exchange }) => exchange.run === run);
      },
      end: () => {
        for (const { exchange } of left)
          unexplained.push(`${exchange.request.method} ${pathForm(exchange.request.url)} is not asked for`);
      },
      isRepeated: false,
    }),
  );
  const exchanges = masked.flatMap((each) => {
    const request = found.get(each);
    return request === undefined
      ? []
      : [{ run: each.exchange.run, request, response: recordedResponse(each) }];
  });
  return { exchanges, unexplained };
}

function recordedResponse({ exchange: { response }, answer }: MaskedExchange): RecordedResponse {
  return {
    status: response?.status ?? 0,
    ...answer,
    ...(response?.error !== undefined && { error: response.error }),
  };
}

/** From here on two requests are not for the same. */
const TOO_DIFFERENT = 50;
const MAX_BODY_COST = 30;

/** How far a request of the connector on masked answers is from one that it made of the real answers. */
function costOf({ exchange }: MaskedExchange, asked: RecordedRequest, standIns: StandIns): number {
  const before = plainRequest(exchange.request);
  if (sameRequest(before, asked)) return 0;
  let bodyCost = 0;
  let cost = 0;
  for (const { place, recorded, asked: after } of requestDifferences(before, asked)) {
    if (recorded !== undefined && String(standIns.of(plainText(recorded))) === String(plainText(after ?? "")))
      continue;
    if (/^body/.test(place)) bodyCost++;
    else if (/^(?:method|purpose|length)/.test(place)) cost += TOO_DIFFERENT;
    else if (/^segment/.test(place)) cost += 10;
    else cost += recorded === undefined || after === undefined ? 20 : 3;
  }
  return cost + Math.min(bodyCost, MAX_BODY_COST);
}

/** A segment of a path, a parameter or a scalar of JSON as the value that it is. */
function plainText(text: string): string {
  try {
    return /^"/.test(text) ? String(JSON.parse(text)) : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Values of the connection and of all settings that are write-only, and the input of an action. */
function secretsOf(registration: ConnectorRegistration, options: RecordOptions): readonly string[] {
  return partsOf(registration, options)
    .filter(({ way }) => way[0] !== "subject")
    .flatMap(({ value, type }) => sensitiveValues(value, type.schema));
}

interface Canaries {
  /** Credentials: not even a part of a text may be one. */
  readonly secrets: readonly string[];
  /** Write-only values. */
  readonly sensitive: readonly string[];
}

/** A shorter text stands in others by chance; characters. */
const MIN_PART_LENGTH = 8;
const MIN_WHOLE_LENGTH = 4;

/** @throws RecordingRefusedError if anything is left that must not be kept. It names the place. */
function refuseSecrets(recording: Recording, { secrets, sensitive }: Canaries): void {
  const [credentials, values] = [secrets, sensitive].map((texts) =>
    createSecretRedaction(texts.filter((text) => text.length >= MIN_PART_LENGTH)),
  );
  const whole = new Set([...secrets, ...sensitive].filter((text) => text.length >= MIN_WHOLE_LENGTH));
  for (const { place, text: found } of textsIn(recording)) {
    const text = found.replace(STAND_IN, "");
    const kind =
      credentials?.text(text) !== text
        ? "a secret of the settings"
        : values?.text(text) !== text || whole.has(text)
          ? "a write-only value"
          : credentialKind(text);
    if (kind === undefined) continue;
    throw new RecordingRefusedError(
      `${kind} would stand in it: ${place}`,
      "Declare the property that holds it with writeOnly: true, or leave the member out of what is kept.",
    );
  }
}

const STAND_IN = /stand-in-[\da-f]{16}/g;

interface PlacedText {
  readonly place: string;
  readonly text: string;
}

/** Every text and number of a recording, names of members too, and where it stands. */
function* textsIn({ exchanges, connection, settings, subject, runs }: Recording): Generator<PlacedText> {
  yield* scalarsIn(connection.properties, "connection");
  yield* scalarsIn(settings, "settings");
  yield* scalarsIn(subject.input, "input");
  yield* scalarsIn(runs, "runs");
  for (const [index, { request, response }] of exchanges.entries()) {
    const name = `answer ${index + 1}`;
    yield* scalarsIn({ ...request, url: decodedAddress(request.url) }, `request ${index + 1}`);
    yield* scalarsIn(response.headers, `${name}, headers`);
    yield* scalarsIn(jsonIn(response.text)?.value ?? response.text, name);
  }
}

function* scalarsIn(value: unknown, place: string): Generator<PlacedText> {
  if (typeof value === "string" || typeof value === "number") yield { place, text: String(value) };
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { place: `${place}, the name of a member`, text: name };
    yield* scalarsIn(member, `${place}/${name}`);
  }
}

function decodedAddress(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
