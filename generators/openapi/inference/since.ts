/** Whether a list can be asked for what has changed. */
import type { SentAs } from "../../../schemas/authoring/openapi-import.js";
import type { ApiOperation, ApiParameter, ApiSchema, At } from "../reading/api-description.js";
import { isTextOrNumber } from "../reading/shapes.js";
import { sentName } from "./list-parameters.js";
import type { Decision, PlannedSince } from "./plan.js";
import type { Survey } from "./survey.js";
import { nameSet, plainName, quoted } from "./words.js";

const VERBS = [
  "updated",
  "modified",
  "changed",
  "lastupdated",
  "lastmodified",
  "lastchanged",
  "lastupdate",
  "update",
  "edited",
];
const BEFORE = ["", "at", "on", "date", "time", "datetime", "timestamp", "utc", "dateutc"];
const BOUNDS = ["since", "after", "from", "gte", "gt", "min", "start", "ge"];

/** `updated_since`, `updatedAt[gte]`, `modified_date_from`, `min_updated_at`. */
const ASKING: ReadonlySet<string> = new Set(
  VERBS.flatMap((verb) =>
    BOUNDS.flatMap((bound) => [
      ...BEFORE.map((middle) => `${verb}${middle}${bound}`),
      ...BEFORE.map((end) => `${bound}${verb}${end}`),
    ]),
  ),
);

const CHANGED_AT = nameSet(
  `updatedat lastupdated lastupdatedat modifiedat lastmodifiedat modified lastmodified changedat lastchanged updated
  datemodified dateupdated lastmodifieddate lastupdateddate updatedon modifiedon updateddate modifieddate updatedutc
  updateddateutc updatetime modificationtime lastupdatetime updatedtime modifiedtime modificationdate lastmodifiedtime
  lastchangedat lastchangeddate updateddatetime lastmodifieddatetime modifieddatetime lastupdateddatetime datelastupdated
  updatedtimestamp lastmodifiedon lastupdate updatedateutc`,
);

/** A parameter that asks for changes. */
interface Asking {
  readonly send: SentAs;
  readonly schema: ApiSchema;
  readonly description: string;
  readonly at: At;
}

/** How the list asks for changes; the value is undefined if it does not. */
export function decideSince(
  list: ApiOperation,
  record: ApiSchema,
  survey: Survey,
): Decision<PlannedSince | undefined> {
  const property = [...survey.shapes.of(record).properties.values()].find(
    ({ name, schema }) => CHANGED_AT.has(plainName(name)) && isTextOrNumber(survey.shapes.of(schema)),
  );
  const asking = list.parameters.flatMap((parameter) => askingIn(parameter, survey))[0];
  const at = property === undefined ? [list.at] : [property.schema.at];
  if (asking === undefined) {
    const would = property === undefined ? "" : `; ${quoted(property.name)} would be the property`;
    const evidence = `nothing in the document asks for changes${would}`;
    return { state: "sure", value: undefined, evidence, at };
  }
  const name = quoted(sentName(asking.send));
  const format = formatOf(asking, survey);
  if (format === undefined) {
    const evidence = `${name} asks for changes, but the document does not say how it writes a time`;
    return { state: "middle", value: undefined, evidence, at: [asking.at] };
  }
  const value = { send: asking.send, format };
  if (property === undefined)
    return {
      state: "middle",
      value,
      evidence: `${name} asks for changes; no property says when a record was changed, so the time of the answer counts`,
      at: [asking.at],
    };
  return {
    state: "sure",
    value: { property: property.name, ...value },
    evidence: `${name} asks for changes, and ${quoted(property.name)} tells when a record was changed`,
    at: [asking.at, property.schema.at],
  };
}

function askingIn(parameter: ApiParameter, survey: Survey): readonly Asking[] {
  const { name, schema, description, in: place, at } = parameter;
  const plain = plainName(name);
  if (place === "header")
    return plain === "ifmodifiedsince" ? [{ send: { header: name }, schema, description, at }] : [];
  if (place !== "query") return [];
  const shape = survey.shapes.of(schema);
  // A filter of several members is sent as `filter[updated_since]`.
  const inner = [...shape.properties.values()]
    .filter((property) => ASKING.has(plainName(property.name)))
    .map((property) => ({
      send: `${name}[${property.name}]`,
      schema: property.schema,
      description: property.schema.description,
      at: property.schema.at,
    }));
  if (inner.length > 0 || !isTextOrNumber(shape)) return inner;
  const isAsking =
    ASKING.has(plain) || (plain === "since" && /\b(?:updated|modified|changed)\b/i.test(description));
  return isAsking ? [{ send: name, schema, description, at }] : [];
}

/** How the parameter writes a time; undefined if the document does not say. */
function formatOf({ schema, description, send }: Asking, survey: Survey): PlannedSince["format"] | undefined {
  const shape = survey.shapes.of(schema);
  const words = `${description} ${shape.description}`;
  if (shape.format === "date-time") return "iso";
  if (shape.format === "date") return "date";
  if (/\b(?:milliseconds|millis|epoch ?ms)\b/i.test(words)) return "epochMs";
  if (/\b(?:unix|epoch|seconds since)\b/i.test(words)) return "epochSeconds";
  if (shape.types.includes("integer") || shape.types.includes("number")) return undefined;
  if (/\b(?:iso[- ]?8601|rfc[- ]?3339)\b|\bYYYY-MM-DDT/i.test(words)) return "iso";
  const examples = shape.parts.map(({ example }) => example);
  if (examples.some((example) => typeof example === "string" && /^\d{4}-\d\d-\d\dT/.test(example)))
    return "iso";
  if (examples.some((example) => typeof example === "string" && /^\d{4}-\d\d-\d\d$/.test(example)))
    return "date";
  return typeof send === "string" ? undefined : "httpDate";
}
