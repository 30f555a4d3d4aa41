import { expect } from "chai";
import { leftToDo } from "../../generators/migration/left-to-do.js";
import { SourceFiles } from "../../generators/source-edits/index.js";

function found(text: string, file = "modules/app/reader.ts"): readonly string[] {
  const files = new SourceFiles((path) => (path === file ? text : undefined));
  return leftToDo(files, [file]).map(({ code, line }) => `${code} ${line}`);
}

describe("what a migration leaves to do", () => {
  const CASES: readonly (readonly [code: string, what: string, text: string, file?: string])[] = [
    ["migration-reads-configuration", "a member", "use(configuration.auth.clientSecret);"],
    [
      "migration-reads-configuration",
      "a member of this",
      "class A { #settings = load(); key = () => this.#settings.apiKey; }",
    ],
    ["migration-reads-configuration", "a member and what it has", "use(config.baseUrl.trim());"],
    ["migration-reads-configuration", "a member by its text", 'use(registrationConfig?.auth?.["password"]);'],
    ["migration-reads-configuration", "a pattern", "const { apiKey: key } = context.configuration;"],
    ["migration-reads-environment", "a variable", "use(process.env.API_KEY);"],
    ["migration-reads-environment", "a variable by its text", 'use(process.env["SERVICE_URL"] ?? "");'],
    ["migration-makes-client", "an instance", "const client = new ProjectsClient(a, b);"],
    ["migration-makes-client", "a client of a package", "const http = axios.create({});"],
    ["migration-calls-directly", "a call", 'await fetch("x");'],
    ["migration-calls-directly", "a call of a package", 'await axios.get("x");'],
    [
      "migration-client-configured",
      "a constructor",
      "export class Api {\n  constructor(readonly a: RegistrationConfiguration) {}\n}",
      "client/api.ts",
    ],
    ["migration-authorizes", "a header", "const headers = { Authorization: token };"],
    ["migration-authorizes", "a header that is set", 'headers.set("authorization", token);'],
    ["migration-authorizes", "a header that is assigned", "headers.Authorization = token;"],
  ];
  for (const [code, what, text, file] of CASES) {
    it(`tells of ${code.slice("migration-".length)}: ${what}, once and with its line`, () => {
      const line = code === "migration-client-configured" ? 3 : 2;
      expect(found(`\n${text}\n`, file)).to.deep.equal([`${code} ${line}`]);
    });
  }

  it("says nothing of what is no credential, of connections, and of other calls", () => {
    const text = [
      "use(configuration.auth.timeout, configuration.maxRetries, connection.apiKey, process.env.HOME);",
      "const { pageSize } = configuration;",
      "const { clientId, tokenUrl } = connection;",
      "const map = new Map(); prefetch(1); client.get('x');",
      "class Reader { constructor(readonly client: ApiClient) {} }",
    ];
    expect(found(text.join("\n"))).to.deep.equal([]);
  });

  it("lets auth handlers set the header, the client helper make the client, and the client call", () => {
    const handler = 'import type { Middleware } from "connectorcli/client";\nuse({ Authorization: 1 });';
    expect(found(handler, "client/a-handler.ts")).to.deep.equal([]);
    expect(found("new ApiClient(http, url);", "client/client-helper.ts")).to.deep.equal([]);
    expect(found("await fetch(url);", "client/api-client.ts")).to.deep.equal([]);
  });

  it("leaves a module alone that can't be read", () => {
    expect(found("use(configuration.apiKey")).to.deep.equal([]);
  });

  it("shows no value that stands in the code", () => {
    const files = new SourceFiles(
      () => 'fetch("https://a/?key=hunter2", { headers: { Authorization: "hunter2" } });',
    );
    expect(JSON.stringify(leftToDo(files, ["modules/a.ts"]))).not.to.include("hunter2");
  });
});
