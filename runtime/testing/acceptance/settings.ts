/** Settings and switches: each of them changes what a connector asks for or keeps. */
import { isJsonObject } from "../../../schemas/json.js";
import { withValueAt } from "../../declared/ways.js";
import { toSerializedNames } from "../../records/name-mapping.js";
import type { RecordType } from "../../records/record-type.js";
import type { ConnectorRegistration } from "../../registration/registration.js";
import { type FakeRecord, type GenerateValue, schemasOf } from "../fake-records.js";
import type { FakeSettings } from "../fake-settings.js";
import { inputsFor } from "./acting.js";
import type { OpenAnother } from "./cases.js";
import { Flaw } from "./flaw.js";
import type { World } from "./world.js";

/** A property that a user of the connector sets. */
export interface Setting {
  /** Such as `projectStatus` or `app-1/cacheWriter/warehouseId`. */
  readonly name: string;
  /** Settings with several values of it, without it too, if it may be absent. */
  readonly variations: readonly FakeSettings[];
}

const MOST_VALUES = 4;

/** Every property of the configurations, but for the switches. */
export function settingsOf(
  { modules, configuration }: ConnectorRegistration,
  world: World,
): readonly Setting[] {
  const base = world.fake.settings;
  const own = leavesOf({
    type: configuration,
    value: base.registrationConfiguration as FakeRecord,
    generate: world.generate,
    flags: new Set(),
  }).map(({ name, values }) => ({
    name,
    variations: values.map((registrationConfiguration) => ({ ...base, registrationConfiguration })),
  }));
  const ofServices = modules.flatMap((module) =>
    (["cacheWriter", "actionProcessor"] as const).flatMap((service) => {
      const type = module[`${service}Configuration`];
      const value = base.services[module.id]?.[service] as FakeRecord;
      const flags = new Set([...flagsOf(module, type), ...platformsOwn(module, type)]);
      return leavesOf({ type, value, generate: world.generate, flags }).map(({ name, values }) => ({
        name: `${module.id}/${service}/${name}`,
        variations: values.map((changed) => withService(base, module.id, { [service]: changed })),
      }));
    }),
  );
  return [...own, ...ofServices];
}

type Services = FakeSettings["services"][string];

function withService(base: FakeSettings, id: string, changed: Partial<Services>): FakeSettings {
  const before = base.services[id] ?? { cacheWriter: {}, actionProcessor: {} };
  return { ...base, services: { ...base.services, [id]: { ...before, ...changed } } };
}

type Module = ConnectorRegistration["modules"][number];

/** Ways of the switches in a configuration, with serialized names. */
function flagsOf({ dataObjects, actions }: Module, type: RecordType): ReadonlySet<string> {
  const parts = [
    ...dataObjects.map(({ switchName, flagName = "uploadObject" }) => ({ switchName, flagName })),
    ...actions.map(({ switchName, flagName = "processQueuedEvent" }) => ({ switchName, flagName })),
  ];
  return new Set(parts.flatMap(({ switchName, flagName }) => waysOf(type, switchName, { [flagName]: true })));
}

/** What the platform writes into the part of an incremental data object for itself (§2.8). */
function platformsOwn({ dataObjects }: Module, type: RecordType): readonly string[] {
  const own = { enableModifiedSince: true, checkpoint: "" };
  return dataObjects.flatMap(({ switchName }) => waysOf(type, switchName, own));
}

/** Ways of the members of a part, with serialized names. */
function waysOf(type: RecordType, part: string, members: FakeRecord): readonly string[] {
  const named = toSerializedNames({ [part]: members }, type.names) as FakeRecord;
  return Object.entries(named).flatMap(([name, inner]) =>
    Object.keys(isJsonObject(inner) ? inner : {}).map((member) => `${name}.${member}`),
  );
}

interface Leaves {
  readonly type: RecordType;
  readonly value: FakeRecord;
  readonly generate: GenerateValue;
  readonly flags: ReadonlySet<string>;
}

/** Properties, those of a part of a service too, with the configurations that have another value of them. */
function leavesOf({ type, value, generate, flags }: Leaves) {
  const found: { readonly name: string; readonly values: readonly FakeRecord[] }[] = [];
  for (const name of Object.keys(propertiesIn(type.schema))) {
    const inner = schemasOf(type, name).flatMap((schema) => Object.entries(propertiesIn(schema)));
    const leaves =
      inner.length === 0
        ? [[name, schemasOf(type, name)] as const]
        : inner.map(([member, schema]) => [`${name}.${member}`, [schema]] as const);
    for (const [way, schemas] of leaves) {
      if (flags.has(way)) continue;
      const values = valuesOf(schemas, generate)
        .map(
          (each) => (each === ABSENT ? withoutAt(value, way) : withValueAt(value, way, each)) as FakeRecord,
        )
        .filter((each) => type.check(JSON.parse(JSON.stringify(each))));
      if (values.length > 1)
        found.push({ name: way.replace(".", "/"), values: values.slice(0, MOST_VALUES) });
    }
  }
  return found;
}

function propertiesIn(schema: unknown): FakeRecord {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? properties : {};
}

const ABSENT = Symbol("absent");

function valuesOf(schemas: readonly unknown[], generate: GenerateValue): readonly unknown[] {
  const members = schemas.flatMap((schema) => {
    const list = isJsonObject(schema) ? schema["enum"] : undefined;
    return Array.isArray(list) ? list : [];
  });
  if (members.length > 0) return [...members, ABSENT];
  const [first] = schemas;
  const made = [1, 2, 3].map((seed) => madeValue(first, generate, seed));
  return [true, false, ...new Set(made), "acme", "other", ABSENT];
}

function madeValue(schema: unknown, generate: GenerateValue, seed: number): unknown {
  try {
    return generate(schema, seed);
  } catch {
    return ABSENT;
  }
}

function withoutAt(value: FakeRecord, way: string): FakeRecord {
  const [name = "", ...rest] = way.split(".");
  const { [name]: inner, ...without } = value;
  return rest.length === 0 || !isJsonObject(inner)
    ? without
    : { ...value, [name]: withoutAt(inner, rest.join(".")) };
}

/** A setting is honoured by somebody: with another value something else is asked for, or kept. */
export async function expectHonoured(setting: Setting, another: OpenAnother): Promise<void> {
  const seen = new Set<string>();
  for (const settings of setting.variations) {
    const { registrationConfiguration } = settings;
    const world = await another({ settings, registrationConfiguration });
    seen.add(await everythingAsked(world));
    if (seen.size > 1) return;
  }
  throw new Flaw(
    "acceptance-setting-ignored",
    `${setting.name} changes nothing: with each of ${setting.variations.length} values the same is asked for and the same is kept`,
  );
}

const VOLATILE = new Set([
  "authorization",
  "idempotency-key",
  "content-length",
  "traceparent",
  "x-request-id",
]);
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** What all readers and handlers ask for, and what is in the cache then. */
async function everythingAsked(world: World): Promise<string> {
  const seen = new Set<string>();
  for (const object of world.objects) {
    await world.read(object);
    for (const key of (await world.cached(object)).keys()) seen.add(`${object.dataPath} ${key}`);
  }
  for (const action of world.actions) {
    const object = world.objects.find(({ dataPath }) => dataPath === action.dataPath);
    if (object === undefined) continue;
    const [input] = inputsFor(world, { action, object }, 1);
    await world.act(action, input);
  }
  for (const { method, url, headers, body } of world.calls.all) {
    const sent = Object.entries(headers).filter(([name]) => !VOLATILE.has(name));
    seen.add(
      JSON.stringify([method, url, sent, body]).replace(UUID, "uuid").replaceAll(world.fake.origin, ""),
    );
  }
  return [...seen].sort().join("\n");
}

/** What is switched off is not read, and what is switched on is. */
export async function expectSwitched(
  world: World,
  registration: ConnectorRegistration,
  another: OpenAnother,
): Promise<void> {
  const read = new Set((await world.readAll()).map(({ dataPath }) => dataPath));
  const unread = world.objects.find(({ dataPath }) => !read.has(dataPath));
  if (unread !== undefined)
    throw new Flaw("acceptance-switch-ignored", `${unread.name} is switched on, and is not read`);
  const services = servicesSwitchedOff(registration, world.fake.settings);
  const off = await another({ settings: { ...world.fake.settings, services } });
  const results = await off.readAll();
  if (results.length > 0)
    throw new Flaw("acceptance-switch-ignored", `${results[0]?.object} is switched off, and is read`);
}

/** The services with every data object switched off. */
export function servicesSwitchedOff(
  { modules }: ConnectorRegistration,
  { services }: FakeSettings,
): FakeSettings["services"] {
  return Object.fromEntries(
    modules.map((module) => {
      const on = services[module.id] as Services;
      const { cacheWriterConfiguration: type } = module;
      let configuration: unknown = on.cacheWriter;
      for (const way of flagsOf({ ...module, actions: [] }, type))
        configuration = withValueAt(configuration, way, false);
      return [module.id, { ...on, cacheWriter: configuration }];
    }),
  );
}
