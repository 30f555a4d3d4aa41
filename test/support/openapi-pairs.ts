/** One API as versions 2.0 and 3.0 of OpenAPI say it, made of a document of version 3. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json.js";

/** The document in both versions. What 2.0 has no words for is in neither. */
export interface DocumentPair {
  readonly old: JsonObject;
  readonly now: JsonObject;
}

type Members = Record<string, JsonValue>;

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Makes the pair. References of operations are followed; those of schemas stay. */
export function pairOf(document: JsonObject): DocumentPair {
  const components = objectOf(document["components"]);
  const schemes = securityPair(objectOf(components["securitySchemes"]));
  const paths = mapped(objectOf(document["paths"]), (item) => pathPair(objectOf(item), document, schemes));
  const common = { info: document["info"] ?? {}, ...securityOf(document, schemes) };
  const server = objectOf(first(document["servers"]));
  const url = String(server["url"] ?? "").includes("{") ? "https://api.test/v1" : String(server["url"] ?? "");
  const old: JsonObject = {
    swagger: "2.0",
    ...common,
    ...oldServer(url),
    paths: mapped(paths, ({ old: item }) => item),
    definitions: components["schemas"] ?? {},
    securityDefinitions: mapped(schemes, ({ old: scheme }) => scheme),
  };
  const now: JsonObject = {
    openapi: "3.0.3",
    ...common,
    ...(url !== "" && { servers: [{ url }] }),
    paths: mapped(paths, ({ now: item }) => item),
    components: {
      schemas: components["schemas"] ?? {},
      securitySchemes: mapped(schemes, ({ now: scheme }) => scheme),
    },
  };
  return { old: inOldWords(old), now };
}

/** Where references lead in 2.0, and how it says that a value may be null. */
function inOldWords(document: JsonObject): JsonObject {
  const text = JSON.stringify(document)
    // What leads nowhere in a document of version 3 must not lead somewhere here.
    .replaceAll("#/definitions/", "#/nowhere/")
    .replaceAll("#/components/schemas/", "#/definitions/")
    .replaceAll('"nullable":', '"x-nullable":');
  return JSON.parse(text);
}

function oldServer(url: string): Members {
  if (!URL.canParse(url)) return url === "" ? {} : { basePath: url };
  const { host, pathname, protocol } = new URL(url);
  return { host: url.includes("//") ? host : "", basePath: pathname, schemes: [protocol.slice(0, -1)] };
}

interface Pair {
  readonly old: JsonObject;
  readonly now: JsonObject;
}

type Pairs = Readonly<Record<string, Pair>>;

function securityPair(schemes: JsonObject): Pairs {
  const pairs: Record<string, Pair> = {};
  for (const [name, value] of Object.entries(schemes)) {
    const now = objectOf(value);
    if (now["type"] === "http" && String(now["scheme"]).toLowerCase() === "basic")
      pairs[name] = { old: { type: "basic" }, now: { type: "http", scheme: "basic" } };
    if (now["type"] === "apiKey" && now["in"] !== "cookie") pairs[name] = { old: now, now };
    const [flow] = Object.entries(objectOf(now["flows"]));
    if (now["type"] !== "oauth2" || flow === undefined) continue;
    const [kind, said] = flow;
    const old = { authorizationCode: "accessCode", clientCredentials: "application" }[kind] ?? kind;
    pairs[name] = {
      old: { type: "oauth2", flow: old, ...objectOf(said) },
      now: { type: "oauth2", flows: { [kind]: said } },
    };
  }
  return pairs;
}

/** Requirements of schemes that both versions have. */
function securityOf(holder: JsonObject, schemes: Pairs): Members {
  const { security } = holder;
  if (!isJsonArray(security)) return {};
  const known = security.filter((one) =>
    Object.keys(objectOf(one)).every((name) => Object.hasOwn(schemes, name)),
  );
  return security.length > 0 && known.length === 0 ? {} : { security: known };
}

function pathPair(item: JsonObject, document: JsonObject, schemes: Pairs): Pair {
  const shared = parameterPairs(item["parameters"], document);
  const operations = Object.fromEntries(
    METHODS.flatMap((method) =>
      isJsonObject(item[method]) ? [[method, operationPair(objectOf(item[method]), document, schemes)]] : [],
    ),
  );
  return {
    old: { parameters: shared.map(({ old }) => old), ...mapped(operations, ({ old }) => old) },
    now: { parameters: shared.map(({ now }) => now), ...mapped(operations, ({ now }) => now) },
  };
}

function operationPair(operation: JsonObject, document: JsonObject, schemes: Pairs): Pair {
  const kept = ["operationId", "tags", "summary", "description", "deprecated", "x-ms-pageable"];
  const common: Members = securityOf(operation, schemes);
  for (const name of kept) if (operation[name] !== undefined) common[name] = operation[name];
  const parameters = parameterPairs(operation["parameters"], document);
  const body = bodyPair(followed(operation["requestBody"], document));
  const responses = Object.entries(objectOf(operation["responses"]));
  const answers = responses.map(
    ([status, response]) => [status, answerPair(followed(response, document))] as const,
  );
  const types = answers.find(([status, { mediaType }]) => /^2/.test(status) && mediaType !== undefined);
  const mediaType = types?.[1].mediaType ?? "application/json";
  return {
    old: {
      ...common,
      produces: [mediaType],
      parameters: [...parameters.map(({ old }) => old), ...(body?.old ?? [])],
      ...(body !== undefined && { consumes: [body.mediaType] }),
      responses: Object.fromEntries(answers.map(([status, { old }]) => [status, old])),
    },
    now: {
      ...common,
      parameters: parameters.map(({ now }) => now),
      ...(body !== undefined && { requestBody: body.now }),
      responses: Object.fromEntries(answers.map(([status, { now }]) => [status, now(mediaType)])),
    },
  };
}

/** A parameter of 2.0 is its own schema, so its schema is no reference and no object. */
function parameterPairs(list: JsonValue | undefined, document: JsonObject): readonly Pair[] {
  return (isJsonArray(list) ? list : []).flatMap((item) => {
    const { schema, content, ...rest } = followed(item, document);
    if (rest["in"] === "cookie" || content !== undefined) return [];
    const own = followed(schema, document);
    if (own["properties"] !== undefined || own["allOf"] !== undefined || own["oneOf"] !== undefined)
      return [];
    const { description: _, ...plain } = own;
    return [{ old: { ...plain, ...rest }, now: { ...rest, schema: plain } }];
  });
}

function bodyPair(
  body: JsonObject,
): { readonly old: readonly JsonObject[]; readonly now: JsonObject; readonly mediaType: string } | undefined {
  const content = Object.entries(objectOf(body["content"]));
  const [mediaType, said] = content.find(([name]) => name.includes("json")) ?? content[0] ?? [];
  const { schema } = objectOf(said);
  if (mediaType === undefined || schema === undefined) return undefined;
  const now = { required: body["required"] === true, content: { [mediaType]: { schema } } };
  if (!mediaType.includes("form"))
    return { old: [{ in: "body", name: "body", required: now.required, schema }], now, mediaType };
  const { properties, required } = objectOf(schema);
  const isNeeded = (name: string) => isJsonArray(required) && required.includes(name);
  const members = Object.entries(objectOf(properties)).filter(
    ([, one]) => objectOf(one)["$ref"] === undefined,
  );
  if (members.length === 0) return undefined;
  const plain = { type: "object", properties: Object.fromEntries(members) };
  const needed = members.map(([name]) => name).filter(isNeeded);
  return {
    old: members.map(([name, one]) => ({ ...objectOf(one), in: "formData", name, required: isNeeded(name) })),
    now: {
      ...now,
      required: needed.length > 0,
      content: { [mediaType]: { schema: { ...plain, required: needed } } },
    },
    mediaType,
  };
}

function answerPair(answer: JsonObject): {
  readonly old: JsonObject;
  readonly now: (mediaType: string) => JsonObject;
  readonly mediaType: string | undefined;
} {
  const content = Object.entries(objectOf(answer["content"]));
  const [mediaType, said] = content.find(([name]) => name.includes("json")) ?? content[0] ?? [];
  const { schema } = objectOf(said);
  const headers = mapped(objectOf(answer["headers"]), (header) => {
    const { description = "" } = objectOf(header);
    return { old: { type: "string", description }, now: { description, schema: { type: "string" } } };
  });
  const common = { description: answer["description"] ?? "" };
  return {
    mediaType,
    old: { ...common, headers: mapped(headers, ({ old }) => old), ...(schema !== undefined && { schema }) },
    now: (type) => ({
      ...common,
      headers: mapped(headers, ({ now }) => now),
      ...(schema !== undefined && { content: { [type]: { schema } } }),
    }),
  };
}

/** What a reference leads to, or the value itself. */
function followed(value: JsonValue | undefined, document: JsonObject): JsonObject {
  const json = objectOf(value);
  const { $ref } = json;
  if (typeof $ref !== "string") return json;
  const steps = $ref
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  const target = steps.reduce<JsonValue | undefined>((part, step) => objectOf(part)[step], document);
  return target === undefined ? {} : followed(target, document);
}

function mapped<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function first(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) ? value[0] : undefined;
}
