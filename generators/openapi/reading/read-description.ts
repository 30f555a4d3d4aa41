/** Reads OpenAPI 2.0, 3.0 and 3.1. What is wrong in a document is a finding, and the rest is read as far as it goes. */
import { posix } from "node:path";
import { type Diagnostic, diagnostic, hasErrors } from "../../../schemas/diagnostics/diagnostic.js";
import {
  fragmentSteps,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
  pointerSteps,
} from "../../../schemas/json.js";
import type {
  ApiAnswer,
  ApiBody,
  ApiDescription,
  ApiHeader,
  ApiOperation,
  ApiParameter,
  ApiSchema,
  ApiServer,
  At,
  OAuthFlow,
  ParameterPlace,
  SecurityRequirement,
  SecurityScheme,
} from "./api-description.js";
import { METHODS } from "./api-description.js";
import { Citations } from "./citations.js";
import { type DocumentText, readDocumentText } from "./document-text.js";
import { applyOverlays, type OverlayFile } from "./overlays.js";
import { pagePartOf, readSchema } from "./read-schema.js";

/** The files of a document. */
export interface DocumentFiles {
  /** Name of the document itself, without folders. */
  readonly main: string;
  /**
   * The text of a file, by its path from the folder of the document, with `/`; undefined if there is none. It is never
   * asked for what lies outside of that folder.
   */
  text(path: string): string | undefined;
  /** What is changed in the document before it is read, in this order. */
  readonly overlays?: readonly OverlayFile[];
}

/** What was read. */
export interface ReadDescription {
  /** Undefined if the document can't be read at all. */
  readonly description: ApiDescription | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The file of a part, from the folder of the document, and its line, counted from 1. */
  placeOf(at: At): { readonly file: string; readonly line: number };
  /** What a later import recognizes the parts by. */
  readonly citations: Citations;
}

/** Reads the document of `files`. */
export function readDescription(files: DocumentFiles): ReadDescription {
  const reader = new DescriptionReader(files);
  const description = reader.read();
  return {
    description: hasErrors(reader.diagnostics) ? undefined : description,
    diagnostics: reader.diagnostics,
    placeOf: (at) => reader.placeOf(at),
    citations: reader.citations(),
  };
}

/** A value of the document, and where it stands. */
interface Part {
  readonly value: JsonValue;
  readonly at: At;
}

/** More of one kind say nothing new. */
const MOST_FINDINGS = 200;
/** References that lead to references. */
const LONGEST_CHAIN = 30;

class DescriptionReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #files: DocumentFiles;
  readonly #texts = new Map<string, DocumentText | undefined>();
  readonly #schemas = new Map<string, ApiSchema>();
  /** Schemas that references lead to, and that are still to be read. */
  readonly #waiting = new Map<string, Part>();
  readonly #dangling = new Set<string>();
  #isOld = false;

  constructor(files: DocumentFiles) {
    this.#files = files;
  }

  read(): ApiDescription | undefined {
    const { main } = this.#files;
    const text = this.#overlaid(this.#textOf(main));
    if (text === undefined) {
      if (this.diagnostics.length === 0)
        this.#report("file-missing", `${main}#`, { path: main, reason: "there is no such file" });
      return undefined;
    }
    const root: Part = { value: text.value, at: `${main}#` };
    const stated = textOf(member(root, "swagger")) || textOf(member(root, "openapi"));
    if (!/^(?:2\.0|3\.[01](?:\..*)?)$/.test(stated)) {
      this.#report("openapi-version", root.at, { version: stated === "" ? "none" : stated });
      return undefined;
    }
    this.#isOld = stated === "2.0";
    return this.#description(root);
  }

  /** Of the files that were read; a reference to another one leads nowhere. */
  citations(): Citations {
    return new Citations({
      main: this.#files.main,
      valueOf: (file) => this.#texts.get(file)?.value,
      target: (reference, at) => {
        const { file, steps } = targetOf(reference, at);
        const text = file === undefined ? undefined : this.#texts.get(file);
        return text && partAt({ value: text.value, at: `${file}#` }, steps);
      },
    });
  }

  placeOf(at: At) {
    const hash = at.indexOf("#");
    const file = hash === -1 ? at : at.slice(0, hash);
    return this.#texts.get(file)?.placeOf(pointerSteps(at.slice(hash + 1))) ?? { file, line: 1 };
  }

  #description(root: Part): ApiDescription {
    const info = member(root, "info");
    const operations = membersOf(member(root, "paths")).flatMap(([path, item]) =>
      path.startsWith("/") ? this.#operations(path, this.#target(item), root) : [],
    );
    this.#readWaiting();
    const security = member(root, "security");
    return Object.freeze({
      title: textOf(member(info, "title")),
      version: textOf(member(info, "version")),
      description: textOf(member(info, "description")),
      operations: Object.freeze(operations),
      schemas: this.#schemas,
      servers: this.#isOld ? oldServers(root) : this.#servers(member(root, "servers")),
      schemes: this.#schemes(root),
      security: security === undefined ? undefined : requirements(security),
    });
  }

  /** Every schema that a reference leads to is read once; it may bring others. */
  #readWaiting(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const [name, part] = next;
      this.#waiting.delete(name);
      this.#schemas.set(name, this.#schema(part));
    }
  }

  #operations(path: string, item: Part, root: Part): readonly ApiOperation[] {
    const shared = this.#list(member(item, "parameters"));
    return METHODS.flatMap((method) => {
      const operation = member(item, method.toLowerCase());
      if (operation === undefined) return [];
      if (!isJsonObject(operation.value)) {
        this.#report("openapi-part", operation.at, { what: `${method} ${path}`, problem: "is no object" });
        return [];
      }
      const own = this.#list(member(operation, "parameters"));
      return [this.#operation({ method, path, operation, parts: [...shared, ...own], item, root })];
    });
  }

  #operation(source: {
    readonly method: ApiOperation["method"];
    readonly path: string;
    readonly operation: Part;
    readonly parts: readonly Part[];
    readonly item: Part;
    readonly root: Part;
  }): ApiOperation {
    const { method, path, operation, parts, item, root } = source;
    const security = member(operation, "security");
    const tags = this.#list(member(operation, "tags")).map(textOf);
    return Object.freeze({
      id: `${method} ${path}`,
      method,
      path,
      operationId: textOf(member(operation, "operationId")),
      tags: tags.filter((tag) => tag !== ""),
      summary: textOf(member(operation, "summary")),
      description: textOf(member(operation, "description")),
      deprecated: member(operation, "deprecated")?.value === true,
      parameters: this.#parameters(parts),
      body: this.#isOld
        ? this.#oldBody(parts, operation, root)
        : this.#body(member(operation, "requestBody")),
      answer: this.#answer(operation, root),
      security: security === undefined ? undefined : requirements(security),
      servers: [
        ...this.#servers(member(operation, "servers")),
        ...this.#servers(member(item, "servers")),
      ].slice(0, 1),
      extensions: extensionsOf(operation, root),
      at: operation.at,
    });
  }

  /** Those of the operation go before those of its path with the same name and place. */
  #parameters(parts: readonly Part[]): readonly ApiParameter[] {
    const parameters = new Map<string, ApiParameter>();
    for (const part of parts) {
      const place = textOf(member(part, "in"));
      const name = textOf(member(part, "name"));
      if (!isParameterPlace(place) || name === "") continue;
      // Header names have no case; these are set by the client.
      if (place === "header" && /^(?:accept|content-type)$/i.test(name)) continue;
      const schema = this.#isOld ? part : (member(part, "schema") ?? contentSchema(part));
      const at = parameters.get(`${place} ${name}`)?.at ?? part.at;
      parameters.set(`${place} ${name}`, {
        name,
        in: place,
        required: place === "path" || member(part, "required")?.value === true,
        isDeep: textOf(member(part, "style")) === "deepObject",
        description: textOf(member(part, "description")),
        schema: this.#schema(schema ?? { value: {}, at: part.at }),
        pagePart: isJsonObject(part.value) ? pagePartOf(part.value) : undefined,
        at,
      });
    }
    return [...parameters.values()].map((parameter) => Object.freeze(parameter));
  }

  #oldBody(parts: readonly Part[], operation: Part, root: Part): ApiBody | undefined {
    const body = parts.findLast((part) => textOf(member(part, "in")) === "body");
    const consumes = this.#list(member(operation, "consumes") ?? member(root, "consumes")).map(textOf);
    if (body === undefined) return this.#oldForm(parts, consumes);
    return {
      mediaType: bestMediaType(consumes.length === 0 ? ["application/json"] : consumes),
      required: member(body, "required")?.value === true,
      schema: this.#schema(member(body, "schema") ?? { value: {}, at: body.at }),
      at: body.at,
    };
  }

  /** A form of version 2.0 has its members among the parameters. */
  #oldForm(parts: readonly Part[], consumes: readonly string[]): ApiBody | undefined {
    const members = parts.filter((part) => textOf(member(part, "in")) === "formData");
    const [first] = members;
    if (first === undefined) return undefined;
    const required = members.filter((part) => member(part, "required")?.value === true);
    const hasFile = members.some((part) => textOf(member(part, "type")) === "file");
    const stated = consumes.find((name) => /^(?:multipart|application\/x-www-form)/i.test(name));
    const value: JsonObject = {
      type: "object",
      properties: Object.fromEntries(members.map((part) => [textOf(member(part, "name")), part.value])),
      required: required.map((part) => textOf(member(part, "name"))),
    };
    return {
      mediaType: hasFile ? "multipart/form-data" : (stated ?? "application/x-www-form-urlencoded"),
      required: required.length > 0,
      schema: this.#schema({ value, at: first.at }),
      at: first.at,
    };
  }

  #body(stated: Part | undefined): ApiBody | undefined {
    if (stated === undefined) return undefined;
    const body = this.#target(stated);
    const content = member(body, "content");
    const mediaType = bestMediaType(membersOf(content).map(([name]) => name));
    const schema = member(member(content, mediaType), "schema");
    if (schema === undefined) return undefined;
    const required = member(body, "required")?.value === true;
    return { mediaType, required, schema: this.#schema(schema), at: body.at };
  }

  #answer(operation: Part, root: Part): ApiAnswer | undefined {
    const answers = new Map(membersOf(member(operation, "responses")));
    const status = bestStatus([...answers.keys()]);
    const stated = answers.get(status);
    if (stated === undefined) return undefined;
    const answer = this.#target(stated);
    const headers = membersOf(member(answer, "headers")).map(([name, header]): ApiHeader => {
      const target = this.#target(header);
      return { name, description: textOf(member(target, "description")), at: target.at };
    });
    const content = this.#isOld
      ? this.#oldContent(answer, operation, root)
      : newContent(member(answer, "content"));
    const schema = content.schema === undefined ? undefined : this.#schema(content.schema);
    return { status, mediaType: content.mediaType, schema, headers, at: answer.at };
  }

  #oldContent(answer: Part, operation: Part, root: Part): Content {
    const schema = member(answer, "schema");
    const produces = this.#list(member(operation, "produces") ?? member(root, "produces")).map(textOf);
    if (schema === undefined) return { mediaType: "", schema };
    return { mediaType: bestMediaType(produces.length === 0 ? ["application/json"] : produces), schema };
  }

  #servers(list: Part | undefined): readonly ApiServer[] {
    return this.#list(list).flatMap((server) => {
      const url = withoutSlash(textOf(member(server, "url")));
      if (url === "") return [];
      const variables = membersOf(member(server, "variables")).map(([name, variable]) => ({
        name,
        defaultValue: textOf(member(variable, "default")),
        values: this.#list(member(variable, "enum")).map(textOf),
        description: textOf(member(variable, "description")),
      }));
      return [{ url, variables, at: server.at }];
    });
  }

  #schemes(root: Part): readonly SecurityScheme[] {
    const stated = this.#isOld
      ? member(root, "securityDefinitions")
      : member(member(root, "components"), "securitySchemes");
    return membersOf(stated).map(([name, part]) => {
      const scheme = this.#target(part);
      const common = { name, description: textOf(member(scheme, "description")), at: scheme.at };
      return { ...common, ...schemeKind(scheme, this.#isOld) };
    });
  }

  /** The items of a list, with references followed. */
  #list(list: Part | undefined): readonly Part[] {
    if (!isJsonArray(list?.value)) return [];
    return list.value.map((value, index) => this.#target({ value, at: `${list.at}/${index}` }));
  }

  #schema(part: Part): ApiSchema {
    return readSchema(part.value, part.at, (reference, at) => this.#named(reference, at));
  }

  /** The name of the schema that a reference leads to; undefined if it leads nowhere. */
  #named(reference: string, at: At): string | undefined {
    const target = this.#lookUp(reference, at);
    if (target === undefined) return undefined;
    const name = schemaName(target.at, this.#files.main);
    if (!this.#schemas.has(name) && !this.#waiting.has(name)) this.#waiting.set(name, target);
    return name;
  }

  /** What a reference leads to; the value itself if it is none. */
  #target(part: Part): Part {
    let target = part;
    for (let length = 0; length < LONGEST_CHAIN; length++) {
      const reference = member(target, "$ref")?.value;
      if (typeof reference !== "string") return target;
      const next = this.#lookUp(reference, target.at);
      if (next === undefined) return { value: {}, at: target.at };
      target = next;
    }
    return { value: {}, at: part.at };
  }

  /** The part that a reference at `at` names. It lies in a file of the document's folder. */
  #lookUp(reference: string, at: At): Part | undefined {
    const { file, steps } = targetOf(reference, at);
    if (file === undefined) {
      this.#reportReference("openapi-reference-outside", reference, at);
      return undefined;
    }
    const part = partAt({ value: this.#textOf(file)?.value ?? null, at: `${file}#` }, steps);
    if (part === undefined) this.#reportReference("openapi-reference-dangling", reference, at);
    return part;
  }

  #textOf(file: string): DocumentText | undefined {
    if (this.#texts.has(file)) return this.#texts.get(file);
    const text = this.#files.text(file);
    const read = text === undefined ? undefined : readDocumentText(text, file);
    const isText = read !== undefined && !("code" in read);
    if (read !== undefined && !isText) this.diagnostics.push(read);
    this.#texts.set(file, isText ? read : undefined);
    return isText ? read : undefined;
  }

  #overlaid(document: DocumentText | undefined): DocumentText | undefined {
    const { main, overlays = [] } = this.#files;
    if (document === undefined || overlays.length === 0) return document;
    const { text, diagnostics } = applyOverlays(document, overlays);
    this.diagnostics.push(...diagnostics);
    this.#texts.set(main, text);
    return text;
  }

  /** Once for each reference. */
  #reportReference(
    code: "openapi-reference-outside" | "openapi-reference-dangling",
    reference: string,
    at: At,
  ): void {
    if (this.#dangling.has(reference) || this.#dangling.size >= MOST_FINDINGS) return;
    this.#dangling.add(reference);
    this.#report(code, at, { reference });
  }

  #report<Code extends Parameters<typeof diagnostic>[0]>(
    code: Code,
    at: At,
    parameters: Parameters<typeof diagnostic<Code>>[2],
  ): void {
    const { file, line } = this.placeOf(at);
    this.diagnostics.push(diagnostic(code, { file, line }, parameters));
  }
}

/** The file and the steps that a reference at `at` names; no file if it lies outside of the document's folder. */
function targetOf(
  reference: string,
  at: At,
): { readonly file: string | undefined; readonly steps: readonly string[] | undefined } {
  const [from = ""] = at.split("#", 1);
  const hash = reference.indexOf("#");
  const named = hash === -1 ? reference : reference.slice(0, hash);
  return {
    file: named === "" ? from : fileNamed(named, from),
    steps: hash === -1 ? [] : fragmentSteps(reference.slice(hash)),
  };
}

function partAt(root: Part, steps: readonly string[] | undefined): Part | undefined {
  let part: Part | undefined = root;
  for (const step of steps ?? []) part = member(part, step);
  return steps === undefined || part === undefined || part.value === null ? undefined : part;
}

/** The member `name`; undefined if there is none, or null. */
function member(part: Part | undefined, name: string): Part | undefined {
  if (part === undefined || typeof part.value !== "object" || part.value === null) return undefined;
  const value = isJsonArray(part.value)
    ? part.value[/^\d{1,9}$/.test(name) ? Number(name) : -1]
    : ownMember(part.value, name);
  return value === undefined || value === null ? undefined : { value, at: part.at + jsonPointer([name]) };
}

function membersOf(part: Part | undefined): readonly (readonly [name: string, part: Part])[] {
  if (part === undefined || !isJsonObject(part.value)) return [];
  return Object.entries(part.value).map(([name, value]) => [
    name,
    { value, at: part.at + jsonPointer([name]) },
  ]);
}

function textOf(part: Part | undefined): string {
  return typeof part?.value === "string" || typeof part?.value === "number" ? String(part.value) : "";
}

function isParameterPlace(text: string): text is ParameterPlace {
  return text === "path" || text === "query" || text === "header" || text === "cookie";
}

/** The file that a reference from `from` names; undefined for an address, and for what lies outside of the folder. */
function fileNamed(named: string, from: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(named) || named.startsWith("/") || named.includes("\\")) return undefined;
  try {
    const file = posix.join(posix.dirname(from), decodeURIComponent(named));
    return file.startsWith("../") || file === ".." || file.startsWith("/") || file.includes("\0")
      ? undefined
      : file;
  } catch {
    return undefined;
  }
}

/** Extensions that are only `true` take what the document says for all of its operations. */
function extensionsOf(operation: Part, root: Part): ApiOperation["extensions"] {
  const stated = membersOf(operation).filter(([name]) => /^x-.*pag(?:eable|inat)/.test(name));
  return new Map(
    stated.map(([name, { value }]) => [name, value === true ? (member(root, name)?.value ?? value) : value]),
  );
}

const SCHEMA_FOLDERS = [["components", "schemas"], ["definitions"]];

/** A schema is called the same in 2.0 and 3.0. */
function schemaName(at: At, main: string): string {
  const folder = SCHEMA_FOLDERS.find((steps) => at.startsWith(`${main}#${jsonPointer(steps)}/`));
  const steps = folder === undefined ? [] : pointerSteps(at.slice(main.length + 1)).slice(folder.length);
  return steps.length === 1 ? (steps[0] ?? at) : at;
}

interface Content {
  readonly mediaType: string;
  readonly schema: Part | undefined;
}

function newContent(content: Part | undefined): Content {
  const mediaType = bestMediaType(membersOf(content).map(([name]) => name));
  return { mediaType, schema: member(member(content, mediaType), "schema") };
}

/** The schema of a parameter that is written as a text of another format. */
function contentSchema(parameter: Part): Part | undefined {
  const [first] = membersOf(member(parameter, "content"));
  return member(first?.[1], "schema");
}

const JSON_TYPES = [
  /^application\/json$/i,
  /^application\/json\b/i,
  /^[^;]*\+json\b/i,
  /\/json\b/i,
  /^\*\/\*$/,
];

/** Whether a body of this type is JSON, or may be. */
export function isJsonMediaType(mediaType: string): boolean {
  return JSON_TYPES.some((type) => type.test(mediaType));
}

function bestMediaType(types: readonly string[]): string {
  const ranked = JSON_TYPES.map((type) => types.find((candidate) => type.test(candidate)));
  return ranked.find((type) => type !== undefined) ?? types[0] ?? "";
}

function bestStatus(statuses: readonly string[]): string {
  const ranked = [/^200$/, /^201$/, /^2XX$/i, /^2\d\d$/, /^default$/];
  return ranked.map((pattern) => statuses.find((status) => pattern.test(status))).find(isText) ?? "";
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/** Every path begins with a slash, so that an address that ends in one would have two. */
function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}

/** Scheme, host and path of a document of version 2.0, as one address. */
function oldServers(root: Part): readonly ApiServer[] {
  const host = textOf(member(root, "host"));
  const path = withoutSlash(textOf(member(root, "basePath")));
  const stated = member(root, "schemes")?.value;
  const schemes = isJsonArray(stated) ? stated : [];
  const scheme = schemes.includes("http") && !schemes.includes("https") ? "http" : "https";
  const url = host === "" ? path : `${scheme}://${host}${path}`;
  const at = `${root.at}${host === "" ? "/basePath" : "/host"}`;
  return url === "" ? [] : [{ url, variables: [], at }];
}

function requirements(security: Part): readonly SecurityRequirement[] {
  if (!isJsonArray(security.value)) return [];
  return security.value
    .filter((requirement): requirement is JsonObject => isJsonObject(requirement))
    .map((requirement) =>
      Object.entries(requirement).map(([scheme, scopes]) => ({
        scheme,
        scopes: isJsonArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
      })),
    );
}

/** How the parts of a `SecurityScheme` differ. */
type SchemeKind = SecurityScheme extends infer Scheme
  ? Scheme extends unknown
    ? Omit<Scheme, "name" | "description" | "at">
    : never
  : never;

function schemeKind(scheme: Part, isOld: boolean): SchemeKind {
  const type = textOf(member(scheme, "type"));
  const place = textOf(member(scheme, "in"));
  if (type === "apiKey" && (place === "query" || place === "header" || place === "cookie"))
    return { kind: "apiKey", in: place, parameter: textOf(member(scheme, "name")) };
  if (type === "basic") return { kind: "basic" };
  if (type === "http") {
    const name = textOf(member(scheme, "scheme")).toLowerCase();
    return name === "basic" || name === "bearer" ? { kind: name } : { kind: "other", what: `HTTP ${name}` };
  }
  if (type !== "oauth2") return { kind: "other", what: type === "" ? "a scheme without a type" : type };
  if (isOld) return { kind: "oauth2", flows: oauthFlow(textOf(member(scheme, "flow")), scheme) };
  const flows = membersOf(member(scheme, "flows")).flatMap(([name, flow]) => oauthFlow(name, flow));
  return { kind: "oauth2", flows };
}

const FLOW_KINDS: Readonly<Record<string, OAuthFlow["kind"]>> = {
  authorizationCode: "authorizationCode",
  accessCode: "authorizationCode",
  clientCredentials: "clientCredentials",
  application: "clientCredentials",
  implicit: "implicit",
  password: "password",
};

function oauthFlow(name: string, flow: Part): readonly OAuthFlow[] {
  const kind = ownMember(FLOW_KINDS, name);
  if (kind === undefined) return [];
  return [
    {
      kind,
      authorizationUrl: textOf(member(flow, "authorizationUrl")),
      tokenUrl: textOf(member(flow, "tokenUrl")),
      scopes: membersOf(member(flow, "scopes")).map(([scope]) => scope),
    },
  ];
}
