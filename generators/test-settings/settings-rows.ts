/** The settings as a list for their author: what each is called, what it may be, whether it is filled in. No values. */
import { isJsonArray, isJsonObject, type JsonTree, memberOf } from "../../schemas/json.js";
import { keywordOf } from "../../schemas/model/schema-model.js";
import { SETTINGS_ROOT } from "./merge-settings.js";
import { isAsked, type SettingsMembers, type SettingsNode, type SettingsValue } from "./settings-shape.js";

export interface SettingsRow {
  /** Names joined by dots. A connection is named by its definition key. */
  readonly name: string;
  /** The type, the allowed values and the limits, in words. */
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether no access token can be requested without this standard member of OAuth 2. */
  readonly isForTokens: boolean;
  readonly isSensitive: boolean;
  readonly isFilled: boolean;
}

/** One row for each setting, in the order of the file. @param settings The whole file. */
export function settingsRows(shape: SettingsMembers, settings: JsonTree): readonly SettingsRow[] {
  return rowsOf(shape, memberOf(settings, SETTINGS_ROOT), []);
}

function rowsOf(
  node: SettingsNode,
  tree: JsonTree | undefined,
  path: readonly string[],
): readonly SettingsRow[] {
  switch (node.kind) {
    case "members":
      return node.members.flatMap(([name, inner]) => rowsOf(inner, memberOf(tree, name), [...path, name]));
    case "connections":
      return node.entries.flatMap(([key, inner]) =>
        rowsOf(inner, configurationIn(tree, key), [...path, key]),
      );
    case "value":
      if (!isAsked(node)) return [];
      return [
        {
          name: path.join("."),
          type: typeWords(node),
          isRequired: node.required,
          isForTokens: node.isForTokens === true,
          isSensitive: node.isSensitive,
          isFilled: isFilled(tree),
        },
      ];
    default:
      return node satisfies never;
  }
}

/** The configuration of the first entry with this definition key. */
export function configurationIn(connections: JsonTree | undefined, key: string): JsonTree | undefined {
  const list = isJsonArray(connections) ? connections : [];
  return memberOf(
    list.find((entry) => memberOf(entry, "definitionKey") === key),
    "configuration",
  );
}

/** Whether an author has filled in a value. An empty string, list or object, and null, count as empty. */
export function isFilled(tree: JsonTree | undefined): boolean {
  if (tree === undefined || tree === null || tree === "") return false;
  if (isJsonArray(tree)) return tree.length > 0;
  return !isJsonObject(tree) || tree.members.length > 0;
}

const LIMITS: Readonly<Record<string, string>> = {
  format: "format",
  minLength: "at least characters:",
  maxLength: "at most characters:",
  pattern: "pattern",
  minimum: "at least",
  maximum: "at most",
};

/** `text, format uri`, `"header" or "body"`, `1 (Production) or 2 (Test)`: what the value may be. */
export function typeWords({ schema, options }: Pick<SettingsValue, "schema" | "options">): string {
  if (options.length > 0) return options.map(({ label, value }) => `${value} (${label})`).join(" or ");
  switch (schema.kind) {
    case "enum":
      return schema.members.map((member) => JSON.stringify(member)).join(" or ") || "none";
    case "string":
      return ["text", ...limitsOf(schema)].join(", ");
    case "integer":
      return ["whole number", ...limitsOf(schema)].join(", ");
    case "number":
      return ["number", ...limitsOf(schema)].join(", ");
    case "boolean":
      return "true or false";
    case "array":
      return `list of: ${typeWords({ schema: schema.items, options: [] })}`;
    case "dictionary":
    case "object":
    case "reference":
      return "object";
    case "any":
    case "verbatim":
      return "any value";
    default:
      return schema satisfies never;
  }
}

function limitsOf(schema: SettingsValue["schema"]): readonly string[] {
  return Object.entries(LIMITS).flatMap(([keyword, words]) => {
    const value = keywordOf(schema, keyword);
    return typeof value === "string" || typeof value === "number" ? [`${words} ${value}`] : [];
  });
}
