import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { BARE_CONNECTOR, bareProject, useAddress } from "../support/author-project.js";
import { connectorcli } from "../support/command-line.js";
import { filesIn, folderWith, installInto } from "../support/folders.js";
import { tsc } from "../support/processes.js";
import { inRepository, SLOW_TEST_MS } from "../support/repository.js";

const TYPES = [
  ["ApiKey", "api-key-auth", "apiKeyAuth"],
  ["Basic", "basic-auth", "basicAuth"],
  ["OAuth2CodeFlow", "oauth2-code-flow", "oAuth2CodeFlow"],
  ["OAuth2ClientCredentials", "oauth2-client-credentials", "oAuth2ClientCredentials"],
  ["Custom", "custom-auth", "customAuth"],
] as const;

function contentsOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    filesIn(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );
}

describe("connectorcli client new", () => {
  for (const [authType, file, key] of TYPES) {
    it(`writes all that ${authType} needs; only the addresses are left to do`, async () => {
      const folder = bareProject();
      const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", authType);
      expect(status, stderr).to.equal(0);
      expect(filesIn(folder)).to.include.members([
        `connections/${file}.ts`,
        "connections/connection-test-handler.ts",
        "client/api-client.ts",
        `client/${file}-handler.ts`,
        "client/client-helper.ts",
        "registration.ts",
      ]);
      const before = await connectorcli(folder, "check", "--format", "json");
      const found = JSON.parse(before.stdout).diagnostics.map(({ code }: { code: string }) => code);
      expect(found).to.deep.equal(["connection-address-placeholder", "connection-address-placeholder"]);
      useAddress(folder, "https://api.sites-platform.com");
      for (const args of [["gen"], ["check"], ["extract"]]) {
        const done = await connectorcli(folder, ...args);
        expect(done.status, done.stdout + done.stderr).to.equal(0);
      }
      const [definition] = JSON.parse(
        readFileSync(path.join(folder, "connector.json"), "utf8"),
      ).connectionDefinitions;
      expect(definition.key).to.equal(key);
    }).timeout(SLOW_TEST_MS);
  }

  it("adds one type after the other to what is there, and the whole type-checks", async () => {
    const folder = bareProject();
    for (const [authType] of TYPES) await connectorcli(folder, "client", "new", "--auth-type", authType);
    await connectorcli(folder, "client", "new", "--auth-type", "ApiKey", "--name", "TenantKey");
    const { "connector.ts": root = "", "client/client-helper.ts": helper = "" } = contentsOf(folder);
    expect(root).to.include("// filled by the tool\n");
    const names = "ApiKeyAuth, BasicAuth, OAuth2CodeFlow, OAuth2ClientCredentials, CustomAuth, TenantKey";
    expect(root.replace(/\s+/g, " ")).to.include(`connections: [${names}]`);
    for (const key of [...TYPES.map(([, , one]) => one), "tenantKey"])
      expect(helper).to.match(new RegExp(`^    ${key}: servicesOf\\(`, "m"));
    await connectorcli(folder, "gen");
    installInto(folder);
    writeFileSync(path.join(folder, "tsconfig.json"), authorConfig());
    const { status, stdout } = await tsc("7", folder);
    expect(stdout).to.equal("");
    expect(status).to.equal(0);
  }).timeout(SLOW_TEST_MS);

  it("keeps everything when it is run again, also what the author has changed", async () => {
    const folder = bareProject();
    await connectorcli(folder, "client", "new", "--auth-type", "Custom");
    const handler = path.join(folder, "client/custom-auth-handler.ts");
    writeFileSync(handler, `// mine\n${readFileSync(handler, "utf8")}`);
    const before = contentsOf(folder);
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Custom");
    expect(status).to.equal(0);
    expect(stderr)
      .to.include("kept client/custom-auth-handler.ts")
      .and.to.not.match(/^(?:create|update) /m);
    expect(contentsOf(folder)).to.deep.equal(before);
  }).timeout(SLOW_TEST_MS);

  it("takes the definition that is there, and reads its own properties", async () => {
    const connection = `import { defineConnection, Type } from "connectorcli";
export const Token = defineConnection("Token", {
  authType: "Custom", title: "Token", description: "",
  properties: {
    company: Type.String({ title: "Company", description: "", isSensitive: false }),
    "access-token": Type.String({ title: "Token", description: "", isSensitive: true }),
  },
  baseUrl: "https://api.sites-platform.com",
});
`;
    const root = BARE_CONNECTOR.replace("connections: []", "connections: [Token]").replace(
      'from "connectorcli";',
      'from "connectorcli";\nimport { Token } from "./connections.js";',
    );
    const folder = bareProject({ "connections.ts": connection, "connector.ts": root });
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Custom");
    expect(status, stderr).to.equal(0);
    expect(filesIn(folder)).to.not.include("connections/token.ts");
    const { "client/token-handler.ts": handler, "connector.ts": after } = contentsOf(folder);
    expect(handler).to.include('connection["access-token"]');
    expect(after).to.equal(root);
  }).timeout(SLOW_TEST_MS);

  it("writes the readers and handlers of a connector that has none, and joins them", async () => {
    const example = inRepository("examples/projects-api");
    const sources = filesIn(example).filter((name) =>
      /^(?:connector|connections\/.*|schemas\/.*)\.ts$/.test(name),
    );
    const folder = folderWith(
      Object.fromEntries(sources.map((name) => [name, readFileSync(path.join(example, name), "utf8")])),
    );
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Custom");
    expect(status, stderr).to.equal(0);
    expect(stderr).to.include("Adapt the readers and handlers");
    const { "modules/app/services.ts": services = "", "registration.ts": registration = "" } =
      contentsOf(folder);
    for (const line of [
      "Project: projectReader,",
      "Timesheet: timesheetReader,",
      "CreateProject: createProjectHandler,",
    ])
      expect(services).to.include(line);
    expect(registration).to.include("{ AppModule: appModuleServices }");
  });

  const WRONG: readonly (readonly [what: string, args: readonly string[], words: string])[] = [
    ["no auth type", [], "ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials, Custom"],
    ["an unknown auth type", ["--auth-type", "OAuth2CodFlow"], 'Did you mean "OAuth2CodeFlow"?'],
    ["a type in other letters", ["--auth-type", "apikey"], 'Did you mean "ApiKey"?'],
    ["a name that is none of a class", ["--auth-type", "Basic", "--name", "my auth"], "such as MyAuth"],
    ["an option that it has not", ["--auth-typ", "Basic"], 'Did you mean "auth-type"?'],
  ];
  for (const [what, args, words] of WRONG) {
    it(`refuses ${what} with status 2, says what is right, and writes nothing`, async () => {
      const folder = bareProject();
      const before = contentsOf(folder);
      const { status, stdout, stderr } = await connectorcli(folder, "client", "new", ...args);
      expect(status).to.equal(2);
      expect(stderr).to.include(words);
      expect(stdout).to.equal("");
      expect(contentsOf(folder)).to.deep.equal(before);
    });
  }

  it("refuses a name that belongs to another type, and a key that another definition has", async () => {
    const folder = bareProject();
    await connectorcli(folder, "client", "new", "--auth-type", "Basic");
    const other = await connectorcli(folder, "client", "new", "--auth-type", "Custom", "--name", "BasicAuth");
    expect(other.status).to.equal(2);
    expect(other.stderr).to.include("has the auth type Basic");
  }).timeout(SLOW_TEST_MS);

  it("leaves everything as it was where the list of connections is not one that it can add to", async () => {
    const root = BARE_CONNECTOR.replace("connections: []", "connections: [].concat()");
    const folder = bareProject({ "connector.ts": root });
    const before = contentsOf(folder);
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Custom");
    expect(status).to.equal(1);
    expect(stderr).to.include("edit-by-hand").and.to.include("CustomAuth").and.to.include("nothing written");
    expect(contentsOf(folder)).to.deep.equal(before);
  });

  it("writes nothing where the connection would not be part of the connector", async () => {
    const root =
      `${BARE_CONNECTOR}\nconst made = { ...connector, options: { ...connector.options, connections: [] } };\nexport { made as default };\n`
        .replace("export const connector", "const connector")
        .replace(/modules: \[AppModule\]/, "modules: [AppModule]");
    const folder = bareProject({ "connector.ts": root });
    const before = contentsOf(folder);
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Custom");
    expect(stderr).to.include("scaffold-unconfirmed");
    expect(status).to.equal(1);
    expect(contentsOf(folder)).to.deep.equal(before);
  });

  it("says that a folder is no connector", async () => {
    const folder = folderWith({});
    const { status, stderr } = await connectorcli(folder, "client", "new", "--auth-type", "Basic");
    expect(status).to.equal(1);
    expect(stderr).to.include("project-missing");
    expect(filesIn(folder)).to.deep.equal([]);
  });

  it("tells programs what it did", async () => {
    const folder = bareProject();
    const { stdout } = await connectorcli(folder, "client", "new", "--auth-type", "Basic", "--json");
    const { written, files } = JSON.parse(stdout);
    expect(written).to.equal(true);
    expect(files).to.deep.include({ step: "create", path: "connections/basic-auth.ts" });
    expect(files).to.deep.include({ step: "update", path: "connector.ts" });
  });
});

function authorConfig(): string {
  return readFileSync(inRepository("generators/templates/author-tsconfig.json.hbs"), "utf8");
}
