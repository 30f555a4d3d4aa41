/** A plan as text: what would be made, what is undecided, what is left out. */
import { escapeControls } from "../../../schemas/diagnostics/diagnostic.js";
import type { At } from "../reading/api-description.js";
import type {
  Decision,
  ImportPlan,
  PlannedAuth,
  PlannedObject,
  PlannedPages,
  PlannedValue,
  SentAs,
} from "./plan.js";
import { isDecided } from "./plan.js";

/** The file and the line of a part. */
export type PlaceOf = (at: At) => { readonly file: string; readonly line: number };

/** The lines of a plan. */
export function planLines(plan: ImportPlan, placeOf: PlaceOf): readonly string[] {
  const decided = plan.objects.filter(isDecided);
  const undecided = plan.objects.filter((object) => !isDecided(object));
  return [
    ...connectionLines(plan, placeOf),
    "",
    `Data objects: ${decided.length}`,
    ...decided.flatMap((object) => objectLines(object, placeOf)),
    ...(undecided.length === 0 ? [] : ["", `Undecided: ${undecided.length}`]),
    ...undecided.flatMap((object) => objectLines(object, placeOf)),
    ...(plan.leftOut.length === 0 ? [] : ["", `Left out: ${plan.leftOut.length}`]),
    ...plan.leftOut.map(
      ({ operation, reason }) =>
        `  ${shown(operation.id)}: ${shown(reason)}${places([operation.at], placeOf)}`,
    ),
  ];
}

function connectionLines({ connections, address }: ImportPlan, placeOf: PlaceOf): readonly string[] {
  const { value } = address;
  const where = value.kind === "fixed" ? value.url : "entered by the user";
  return [
    line("address", where, address, placeOf).trimStart(),
    ...connections.map(({ name, auth }) =>
      line(`connection ${name}`, authWords(auth.value), auth, placeOf).trimStart(),
    ),
  ];
}

function authWords(auth: PlannedAuth): string {
  switch (auth.authType) {
    case "ApiKey":
      return `ApiKey in the ${auth.in === "query" ? "parameter" : "header"} ${auth.parameter}${auth.prefix === "" ? "" : ` after "${auth.prefix}"`}`;
    case "OAuth2CodeFlow":
    case "OAuth2ClientCredentials":
      return `${auth.authType}${auth.scopes.length === 0 ? "" : ` with ${auth.scopes.join(" ")}`}`;
    default:
      return auth.authType;
  }
}

function objectLines(object: PlannedObject, placeOf: PlaceOf): readonly string[] {
  const { items, key, pages, since, values, others, writes } = object;
  const writeWords = writes.map(({ name, operation }) => `${name} ${operation.id}`);
  return [
    `  ${object.name}: ${shown(object.list.id)}${places([object.list.at], placeOf)}`,
    line("items", items.value, items, placeOf),
    line("key", key.value.join(", "), key, placeOf),
    line("pages", pagesWords(pages.value), pages, placeOf),
    ...(since.value === undefined && since.state === "sure"
      ? [line("since", "", since, placeOf)]
      : [line("since", since.value === undefined ? "" : sentWords(since.value.send), since, placeOf)]),
    ...values.map((value) => line(valueName(value.value), sourceWords(value.value), value, placeOf)),
    ...(others.length === 0 ? [] : [`    also listed by ${others.map(({ id }) => shown(id)).join(", ")}`]),
    ...(writeWords.length === 0 ? [] : [`    writes: ${writeWords.map(shown).join(", ")}`]),
  ];
}

function line(
  name: string,
  value: string,
  { state, evidence, at }: Decision<unknown>,
  placeOf: PlaceOf,
): string {
  const mark = state === "ask" ? "? " : state === "middle" ? "~ " : "  ";
  const head = value === "" ? "" : `${shown(value)}: `;
  return `  ${mark}${shown(name)}: ${head}${shown(evidence)}${places(at, placeOf)}`;
}

function places(at: readonly At[], placeOf: PlaceOf): string {
  const found = at.filter((place) => place !== "").map(placeOf);
  if (found.length === 0) return "";
  const texts = found.map(({ file, line: number }, index) =>
    index > 0 && found[index - 1]?.file === file ? `:${number}` : `${file}:${number}`,
  );
  return ` (${[...new Set(texts)].join(", ")})`;
}

function pagesWords(pages: PlannedPages): string {
  const size =
    "size" in pages && pages.size !== undefined
      ? `, ${pages.size.value} a page by ${sentWords(pages.size.send)}`
      : "";
  switch (pages.kind) {
    case "one":
      return "one";
    case "page":
      return `page by ${sentWords(pages.send)} from ${pages.first}${pages.last === undefined ? "" : `, last by ${pages.last}`}${size}`;
    case "offset": {
      const end = pages.total === undefined ? pages.more : pages.total;
      return `offset by ${sentWords(pages.send)}${end === undefined ? "" : `, end by ${end}`}${size}`;
    }
    case "cursor": {
      const next = typeof pages.next === "string" ? pages.next : `the last record's ${pages.next.lastItem}`;
      return `cursor by ${sentWords(pages.send)} from ${next}${size}`;
    }
    case "link":
      return `link ${pages.next}${size}`;
    case "linkHeader":
      return `link header${size}`;
    default:
      return pages satisfies never;
  }
}

function sentWords(sent: SentAs): string {
  return typeof sent === "string" ? sent : `header ${sent.header}`;
}

function valueName({ name, in: place }: PlannedValue): string {
  return place === "path" ? `{${name}}` : place === "query" ? `?${name}` : `header ${name}`;
}

function sourceWords({ source }: PlannedValue): string {
  switch (source.kind) {
    case "value":
      return JSON.stringify(source.value);
    case "setting":
      return "a setting of the connection";
    case "parent":
      return `${source.object}.${source.property}`;
    default:
      return source satisfies never;
  }
}

/** One line, whatever a document holds. */
function shown(text: string): string {
  return escapeControls(text);
}
