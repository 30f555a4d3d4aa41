import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { corpusFiles, NO_CORPUS } from "../support/corpus.js";
import { folderWith, installInto, treeOf } from "../support/folders.js";
import { tsc } from "../support/processes.js";
import { inRepository, longOr, SLOW_TEST_MS } from "../support/repository.js";

const CONNECTOR = `import { defineConnector } from "connectorcli";
import { RegistrationConfiguration } from "./schemas/registration-configuration.js";

export const connector = defineConnector("Sites", {
  key: "sites",
  description: "Places where work is done.",
  registrationConfiguration: RegistrationConfiguration,
  connections: [],
  modules: [],
});
`;

function older(configuration: string, files: Readonly<Record<string, string>> = {}): string {
  return folderWith({
    "package.json": '{ "type": "module", "dependencies": { "connectorcli": "^1.1.1" } }\n',
    "connector.ts": CONNECTOR,
    "schemas/registration-configuration.ts": configuration,
    ...files,
  });
}

/** The compiler's options that an author's project gets. */
const authorConfig = () =>
  readFileSync(inRepository("generators/templates/author-tsconfig.json.hbs"), "utf8");

const text = (folder: string, name: string) => readFileSync(path.join(folder, name), "utf8");
const CONFIGURATION_FILE = "schemas/registration-configuration.ts";

async function codesOf(folder: string): Promise<readonly string[]> {
  const { stdout } = await connectorcli(folder, "check", "--format", "json");
  return JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
}

const NESTED = `/** Settings of a workspace. */
import { defineRegistrationConfiguration, Nullable, Type } from "connectorcli";

const Details = Type.Object({
    // Where the sites are.
    baseUrl: Type.String({ description: "Address of the sites.", format: "uri" }), // per tenant
    siteKey: Nullable(Type.String({ title: "Site key", description: "Key of the tenant." })),
});

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: {
    api:   Details,

    // How many at once.
    pageSize: Type.Optional(Type.Integer()), // kept
    apiKey: Type.Optional( Type.String( { description: 'Key of "sites".', minLength: 8 } ) )
} });
`.replace("siteKey", "callerName");

describe("connectorcli migrate", () => {
  it("moves nested details, with their words and comments, into a new definition", async () => {
    const folder = older(NESTED);
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status, stderr).to.equal(0);
    expect(stderr).to.match(/^package\.json:1:\d+ {2}warning {2}migration-sdk-old/);
    expect(text(folder, CONFIGURATION_FILE)).to.equal(`/** Settings of a workspace. */
import { defineRegistrationConfiguration, Nullable, Type } from "connectorcli";

const Details = Type.Object({
    callerName: Nullable(Type.String({ title: "Site key", description: "Key of the tenant." })),
});

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: {
    api:   Details,

    // How many at once.
    pageSize: Type.Optional(Type.Integer()) // kept
} });
`);
    const definition = text(folder, "connections/api-key-auth.ts");
    expect(definition).to.match(
      /\/\/ Where the sites are\.\n\s*\/\/ per tenant\n\s*baseUrl: Type\.String\(\{/,
    );
    expect(definition).to.include('description: "Address of the sites."').and.include('format: "uri"');
    expect(definition).to.include("description: 'Key of \"sites\".'").and.include("minLength: 8");
    expect(definition).to.include('baseUrl: { property: "baseUrl" }').and.not.include("example.com");
    expect(text(folder, "client/api-key-auth-handler.ts")).to.include("connection.apiKey");
    expect((await codesOf(folder)).filter((code) => code.startsWith("registration-"))).to.deep.equal([]);
  }).timeout(SLOW_TEST_MS);

  it("takes away the nested type, its constant and imports, when nothing is left in it", async () => {
    const folder = older(
      'import { defineRegistrationConfiguration, Type } from "connectorcli";\n\nconst Auth = Type.Object({ username: Type.String(), password: Type.String() });\n\nexport const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: { auth: Auth } });\n',
    );
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status, stderr).to.equal(0);
    expect(text(folder, CONFIGURATION_FILE)).to.equal(
      'import { defineRegistrationConfiguration } from "connectorcli";\n\nexport const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: {} });\n',
    );
    const handler = text(folder, "client/basic-auth-handler.ts");
    expect(handler).to.include("username: connection.username, password: connection.password");
    const definition = text(folder, "connections/basic-auth.ts");
    expect(definition.match(/isSensitive: true/g)).to.have.length(2);
  }).timeout(SLOW_TEST_MS);

  it("gives a key the name that the interface of its auth type has", async () => {
    const folder = older(
      'import { defineRegistrationConfiguration, Type } from "connectorcli";\nexport const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: { siteToken: Type.String({ minLength: 8 }) } });\n',
    );
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status, stderr).to.equal(0);
    const definition = text(folder, "connections/api-key-auth.ts");
    expect(definition)
      .to.match(/apiKey: Type\.String\(\{[^}]*minLength: 8/)
      .and.not.include("siteToken");
    expect(text(folder, "client/api-key-auth-handler.ts")).to.include("connection.apiKey");
    expect((await codesOf(folder)).filter((code) => code.startsWith("connection-member-"))).to.deep.equal([]);
  }).timeout(SLOW_TEST_MS);

  it("keeps CRLF line endings", async () => {
    const folder = older(NESTED.replaceAll("\n", "\r\n"));
    await connectorcli(folder, "migrate");
    expect(text(folder, CONFIGURATION_FILE)).not.to.match(/[^\r]\n/);
  }).timeout(SLOW_TEST_MS);

  it("writes nothing a second time", async () => {
    const folder = older(NESTED);
    await connectorcli(folder, "migrate");
    const before = treeOf(folder);
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect([status, stderr]).to.deep.equal([0, "nothing to do\n"]);
    expect(treeOf(folder)).to.deep.equal(before);
  }).timeout(SLOW_TEST_MS);

  it("asks for no connection where several are there and nothing has to move", async () => {
    const folder = older(`import { defineRegistrationConfiguration, Type } from "connectorcli";

export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
  properties: { pageSize: Type.Optional(Type.Integer()) },
});
`);
    for (const authType of ["ApiKey", "Basic"])
      await connectorcli(folder, "client", "new", "--auth-type", authType);
    await connectorcli(folder, "migrate");
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect([status, stderr]).to.deep.equal([0, "nothing to do\n"]);
  }).timeout(SLOW_TEST_MS);

  it("leaves a project that generates and type-checks", async () => {
    const folder = older(NESTED, { "tsconfig.json": authorConfig() });
    await connectorcli(folder, "migrate");
    const generated = await connectorcli(folder, "gen");
    expect(generated.status, generated.stderr).to.equal(0);
    installInto(folder);
    expect((await tsc("7", folder)).stdout).to.equal("");
  }).timeout(SLOW_TEST_MS);

  it("only tells with --dry-run", async () => {
    const folder = older(NESTED);
    const before = treeOf(folder);
    const { status, stdout } = await connectorcli(folder, "migrate", "--dry-run", "--json");
    const { written, moved, files, diagnostics } = JSON.parse(stdout);
    expect([status, written, diagnostics[0].code]).to.deep.equal([0, false, "migration-sdk-old"]);
    expect(moved.map(({ from, to }: { from: string; to: string }) => [from, to])).to.deep.equal([
      ["api.baseUrl", "baseUrl"],
      ["apiKey", "apiKey"],
    ]);
    expect(files).to.deep.include({ step: "update", path: CONFIGURATION_FILE });
    expect(treeOf(folder)).to.deep.equal(before);
  }).timeout(SLOW_TEST_MS);

  it("lists what it does not understand, with its line, and moves the rest", async () => {
    const folder = older(
      'import { defineRegistrationConfiguration, Type } from "connectorcli";\n\nconst secret = { description: "One." };\nexport const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: {\n  apiKey: Type.String(secret),\n  baseUrl: Type.String(),\n} });\n',
      { "modules/a.ts": "export const f = (configuration: { apiKey: string }) => configuration.apiKey;\n" },
    );
    const { status, stdout } = await connectorcli(folder, "migrate", "--json");
    expect(status).to.equal(0);
    const { diagnostics, moved } = JSON.parse(stdout);
    expect(
      diagnostics.map(({ code, file, line }: Record<string, unknown>) => [code, file, line]),
    ).to.deep.equal([
      ["migration-sdk-old", "package.json", 1],
      ["migration-by-hand", CONFIGURATION_FILE, 5],
      ["migration-reads-configuration", "modules/a.ts", 1],
    ]);
    expect(moved).to.have.length(1);
    expect(text(folder, CONFIGURATION_FILE)).to.include("apiKey: Type.String(secret)");
  }).timeout(SLOW_TEST_MS);

  const configuration = (code: string, properties: string) =>
    `import { defineRegistrationConfiguration, Type } from "connectorcli";\n\n${code}export const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: ${properties} });\n`;

  it("moves what a constant holds that is named in short, with titles as people write them", async () => {
    const details = "const apiDetails = Type.Object({ baseUrl: Type.String(), apiKey: Type.String() });\n";
    const folder = older(configuration(details, "{ apiDetails }"));
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status, stderr).to.equal(0);
    expect(stderr).to.not.include("migration-by-hand");
    expect(text(folder, CONFIGURATION_FILE)).to.not.match(/apiDetails|apiKey/);
    const definition = text(folder, "connections/api-key-auth.ts");
    expect(definition).to.include('title: "Base URL", description: "", isSensitive: false');
    expect(definition).to.include('title: "API Key", description: "", isSensitive: true');
  }).timeout(SLOW_TEST_MS);

  it("keeps an address secret that its author hid", async () => {
    const folder = older(
      configuration("", "{ baseUrl: Type.String({ writeOnly: true }), apiKey: Type.String() }"),
    );
    await connectorcli(folder, "migrate");
    const definition = text(folder, "connections/api-key-auth.ts");
    expect(definition).to.match(/baseUrl: Type\.String\(\{[^}]*isSensitive: true/);
  }).timeout(SLOW_TEST_MS);

  it("leaves an address that the definition says for all users, and the environment that it follows from", async () => {
    const folder = older(
      configuration("", "{\n  baseUrl: Type.String(),\n  tokenEndpoint: Type.String(),\n}"),
    );
    await connectorcli(folder, "client", "new", "--auth-type", "OAuth2ClientCredentials");
    const file = "connections/oauth2-client-credentials.ts";
    const tokens = `{
    connectionEnvironment: ConnectionEnvironment(),
  },
  tokenUrl: { Production: "https://login.company.com/token", Test: "https://test.company.com/token" },`;
    const definition = text(folder, file)
      .replace("properties: {},", `properties: ${tokens}`)
      .replace("defineConnection }", "ConnectionEnvironment, defineConnection }");
    writeFileSync(path.join(folder, file), definition);
    const { status, stdout } = await connectorcli(folder, "migrate", "--json");
    expect(status, stdout).to.equal(0);
    const { diagnostics, moved } = JSON.parse(stdout);
    expect(moved.map(({ from }: { from: string }) => from)).to.deep.equal(["baseUrl"]);
    const found = diagnostics.filter(({ code }: { code: string }) => /by-hand|environment/.test(code));
    expect(found).to.have.length(1);
    expect(found[0]).to.include({ code: "migration-by-hand", file: CONFIGURATION_FILE, line: 4 });
    expect(found[0].message).to.include("the definition says tokenUrl for all users");
    expect(text(folder, CONFIGURATION_FILE)).to.include("tokenEndpoint");
    expect(text(folder, file)).to.include("tokenUrl: { Production:");
  }).timeout(SLOW_TEST_MS);

  it("names the line of what stands in a list, in a constant too", async () => {
    const folder = older(
      configuration(
        "const Server = Type.Object({\n  password: Type.String(),\n});\n",
        "{\n  apiKey: Type.String(),\n  servers: Type.Array(Server),\n}",
      ),
    );
    const { stdout } = await connectorcli(folder, "migrate", "--json");
    const found = JSON.parse(stdout).diagnostics.find(
      ({ code }: { code: string }) => code === "migration-by-hand",
    );
    expect(found).to.include({ file: CONFIGURATION_FILE, line: 4, column: 3 });
  }).timeout(SLOW_TEST_MS);

  it("asks for no environment beside an address that moved into what client new wrote", async () => {
    const folder = older(configuration("", "{ baseUrl: Type.String(), siteName: Type.String() }"));
    await connectorcli(folder, "client", "new", "--auth-type", "ApiKey");
    expect(text(folder, "connections/api-key-auth.ts")).to.include("example.com");
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status, stderr).to.equal(0);
    const definition = text(folder, "connections/api-key-auth.ts");
    expect(definition).to.include('baseUrl: { property: "baseUrl" }').and.to.not.include("example.com");
    await connectorcli(folder, "test", "init");
    expect(text(folder, "test-settings.json")).to.not.include("connectionEnvironment");
  }).timeout(SLOW_TEST_MS);

  it("adds to a connection of two environments, and keeps them", async () => {
    const folder = older(configuration("", "{ apiSecret: Type.String() }"));
    await connectorcli(folder, "client", "new", "--auth-type", "ApiKey");
    const file = path.join(folder, "connections/api-key-auth.ts");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("example.com", "sites.test"));
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status, stderr).to.equal(0);
    expect(text(folder, "connections/api-key-auth.ts")).to.include("sites.test").and.to.include("apiSecret");
  }).timeout(SLOW_TEST_MS);

  it("moves what the connection has already by taking it away where it was", async () => {
    const folder = older(configuration("", "{ apiKey: Type.String(), siteName: Type.String() }"));
    await connectorcli(folder, "client", "new", "--auth-type", "ApiKey");
    const file = "connections/api-key-auth.ts";
    const before = text(folder, file);
    const { status, stdout } = await connectorcli(folder, "migrate", "--json");
    expect(status, stdout).to.equal(0);
    expect(JSON.parse(stdout).moved.map(({ from }: { from: string }) => from)).to.deep.equal(["apiKey"]);
    expect(text(folder, file)).to.equal(before);
    expect(text(folder, CONFIGURATION_FILE)).to.include("siteName").and.to.not.include("apiKey");
  }).timeout(SLOW_TEST_MS);

  it("says that a declared environment chooses nothing any more", async () => {
    const folder = older(configuration("", "{ baseUrl: Type.String() }"), {
      "connections/own.ts": `import { ConnectionEnvironment, defineConnection } from "connectorcli";

export const Own = defineConnection("Own", {
  authType: "Custom",
  title: "Own",
  description: "",
  properties: {
    connectionEnvironment: ConnectionEnvironment(),
  },
});
`,
      "connector.ts": CONNECTOR.replace("connections: []", "connections: [Own]").replace(
        "\n",
        '\nimport { Own } from "./connections/own.js";\n',
      ),
    });
    const { stdout } = await connectorcli(folder, "migrate", "--json");
    const { diagnostics, written } = JSON.parse(stdout);
    expect(written).to.equal(true);
    const found = diagnostics.find(({ code }: { code: string }) => code === "migration-environment-left");
    expect(found).to.include({ file: "connections/own.ts", line: 8 });
  }).timeout(SLOW_TEST_MS);

  it("says which auth types there are where none can be told, and writes nothing", async () => {
    const folder = older(
      'import { defineRegistrationConfiguration, Type } from "connectorcli";\nexport const RegistrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", { properties: { baseUrl: Type.String() } });\n',
    );
    const before = treeOf(folder);
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status).to.equal(2);
    expect(stderr).to.include("--auth-type: ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials, Custom");
    const wrong = await connectorcli(folder, "migrate", "--auth-type", "Basicc");
    expect([wrong.status, wrong.stderr.includes('Did you mean "Basic"?')]).to.deep.equal([2, true]);
    expect(treeOf(folder)).to.deep.equal(before);
    const told = await connectorcli(folder, "migrate", "--auth-type", "Custom");
    expect(told.status, told.stderr).to.equal(0);
    expect(text(folder, "connections/custom-auth.ts"))
      .to.include("apiToken")
      .and.include('property: "baseUrl"');
  }).timeout(SLOW_TEST_MS);

  it("takes everything back where the project no longer loads, and says why", async () => {
    const needs =
      'if (!("apiKey" in RegistrationConfiguration.schema.properties)) throw new Error("no key here");\n';
    const folder = older(NESTED, { "connector.ts": CONNECTOR + needs });
    const before = treeOf(folder);
    const { status, stderr } = await connectorcli(folder, "migrate");
    expect(status).to.equal(1);
    expect(stderr).to.include("scaffold-unconfirmed").and.to.include("no key here");
    expect(treeOf(folder)).to.deep.equal(before);
  }).timeout(SLOW_TEST_MS);

  it("writes nothing where a file to be changed is read-only", async () => {
    const folder = older(NESTED);
    chmodSync(path.join(folder, CONFIGURATION_FILE), 0o444);
    const before = treeOf(folder);
    const { status } = await connectorcli(folder, "migrate");
    expect(status).to.equal(1);
    expect(treeOf(folder)).to.deep.equal(before);
  }).timeout(SLOW_TEST_MS);
});

interface ConnectorJson {
  readonly configSchema: unknown;
  readonly connectionDefinitions: readonly { readonly attributes: readonly { readonly key: string }[] }[];
}

/** What is to be left of the registration configuration, and what the one connection gains. */
const MIGRATED: Readonly<
  Record<string, { readonly gone: readonly string[][]; readonly gained: readonly string[] }>
> = {
  accubid: { gone: [["BaseUrl"], ["Auth"]], gained: ["baseUrl"] },
  "power-bi": {
    gone: [["baseUrl"], ["auth", "tokenUrl"], ["auth", "clientId"], ["auth", "clientSecret"]],
    gained: ["baseUrl"],
  },
  pinecone: { gone: [], gained: [] },
};

describe("connectorcli migrate, on real connectors", () => {
  const known = corpusFiles().filter(({ name }) => MIGRATED[name.split(".")[0] ?? ""] !== undefined);
  const files = known.slice(0, longOr(known.length, 1));
  if (files.length === 0) it(`is tried on files of the corpus, which ${NO_CORPUS}`);
  for (const { name, path: file, text: original } of files) {
    it(`takes from ${name} what belongs in a connection, and nothing else`, async () => {
      const folder = path.join(folderWith({}), "project");
      await connectorcli(path.dirname(folder), "import", "connector-json", file, "--directory", folder);
      const imported = treeOf(folder);
      const { status, stderr } = await connectorcli(folder, "migrate");
      expect(status, stderr).to.equal(0);
      const codes = await codesOf(folder);
      expect(codes.filter((code) => /^registration-(?:credential|address)$/.test(code))).to.deep.equal([]);
      await connectorcli(folder, "extract", "--allow-errors");
      const { gone, gained } = MIGRATED[name.split(".")[0] ?? ""] ?? { gone: [], gained: [] };
      const extracted: ConnectorJson = JSON.parse(text(folder, "connector.json"));
      const expected: ConnectorJson = JSON.parse(original);
      for (const names of gone) removeMember(expected.configSchema, names);
      const [before] = expected.connectionDefinitions;
      const [after] = extracted.connectionDefinitions;
      const added = after?.attributes.slice(before?.attributes.length) ?? [];
      expect(added.map(({ key }) => key)).to.deep.equal(gained);
      Object.assign(before ?? {}, { attributes: [...(before?.attributes ?? []), ...added] });
      expect(JSON.stringify(extracted)).to.equal(JSON.stringify(expected));
      const migrated = treeOf(folder);
      const changed = Object.keys(imported).filter((file) => imported[file] !== migrated[file]);
      expect(
        changed.filter((file) => !/^(?:connections|schemas\/registration-configuration)/.test(file)),
      ).to.deep.equal([]);
      expect((await connectorcli(folder, "migrate")).stderr).to.equal("nothing to do\n");
      expect(treeOf(folder)).to.deep.equal(migrated);
    }).timeout(SLOW_TEST_MS);
  }
});

function removeMember(schema: unknown, [name = "", ...rest]: readonly string[]): void {
  const holder = schema as { properties: Record<string, unknown> };
  if (rest.length > 0) removeMember(holder.properties[name], rest);
  else delete holder.properties[name];
}
