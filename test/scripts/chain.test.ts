import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { fillIn, useAddress } from "../support/author-project.js";
import { folderWith } from "../support/folders.js";
import {
  installPacked,
  npm,
  type PackageManager,
  packedCommand,
  yarn,
} from "../support/installed-package.js";
import { answerJson, closeServers, serve } from "../support/loopback.js";
import {
  agree,
  browserOf,
  CLIENT_SECRET,
  codeFlowValues,
  type OpenIdProvider,
  openIdProvider,
} from "../support/openid-provider.js";
import { type CommandResult, run } from "../support/processes.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const SCAFFOLDING = [
  ["connector", "new", "Personnel"],
  ["module", "new", "--id", "app-1", "--name", "App", "--key", "app", "--version", "1"],
  ["data-object", "new", "--module-id", "app-1", "--name", "Employee"],
  ["data-object", "new", "--module-id", "app-1", "--name", "Shift", "--reader-type", "incremental"],
  ["action", "new", "--module-id", "app-1", "--object-name", "Employee", "--name", "Create"],
];

/** What its author enters for a connection; secrets come from the environment. */
interface Entered {
  readonly key: string;
  readonly values: (provider: OpenIdProvider) => Readonly<Record<string, string>>;
  /** What the target system is to be sent. */
  readonly accepts: readonly [header: string, value: string] | "token";
}

const SECRET = "s3cret+of the environment";
const FROM_ENVIRONMENT = `\${PERSONNEL_SECRET}`;

/** In the short form: one connection with a secret, one that users sign in to. Each takes a quarter of a minute. */
const SHORT: readonly string[] = ["ApiKey", "OAuth2CodeFlow"];

const TYPES: Readonly<Record<string, Entered>> = {
  Custom: {
    key: "customAuth",
    values: () => ({ apiToken: FROM_ENVIRONMENT }),
    accepts: ["authorization", `Token api=${SECRET}`],
  },
  ApiKey: {
    key: "apiKeyAuth",
    values: () => ({ apiKey: FROM_ENVIRONMENT }),
    accepts: ["x-api-key", SECRET],
  },
  Basic: {
    key: "basicAuth",
    values: () => ({ username: "u", password: FROM_ENVIRONMENT }),
    accepts: ["authorization", `Basic ${Buffer.from(`u:${SECRET}`).toString("base64")}`],
  },
  OAuth2ClientCredentials: {
    key: "oAuth2ClientCredentials",
    values: ({ tokenUrl }) => ({ clientId: "machine", clientSecret: CLIENT_SECRET, tokenUrl }),
    accepts: "token",
  },
  OAuth2CodeFlow: {
    key: "oAuth2CodeFlow",
    values: codeFlowValues,
    accepts: "token",
  },
};

describe("a connector from an empty folder, with the package as it is published", () => {
  let provider: OpenIdProvider;
  let withoutClient: string;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    // Scripts and links are made in other ways there.
    if (process.platform === "win32") this.skip();
    withoutClient = folderWith({});
    for (const args of SCAFFOLDING) await command(withoutClient, ...args);
    provider = await openIdProvider();
  });
  after(closeServers);

  const isTried = (authType: string) => process.env["SOAK"] !== undefined || SHORT.includes(authType);
  for (const [authType, { key, values, accepts }] of Object.entries(TYPES).filter(([name]) =>
    isTried(name),
  )) {
    it(`comes to a passing connection test with ${authType} and no hand edit but the address`, async () => {
      const api = accepts === "token" ? provider.api : await target(...accepts);
      const project = await scaffold(withoutClient, authType, api.origin);
      installPacked(project, "typescript");
      const before = api.requests.length;
      for (const manager of [npm, yarn]) {
        // What one manager made is compared by the other with what it would make itself: verify does so.
        if (manager === yarn) installPacked(project, "typescript-7");
        else await runs(project, npm, "gen", "check", "extract");
        await runs(project, manager, "verify", "typecheck");
        expect(definitionKey(project)).to.equal(key);
        fillIn(project, key, values(provider));
        const flags = authType === "OAuth2CodeFlow" ? ["--no-browser"] : [];
        const { status, stdout, stderr } = await signingIn(project, manager.call("test:connection", flags));
        expect(stdout, stderr).to.equal("Successful test.\n");
        expect(status).to.equal(0);
        expect(stdout + stderr).to.not.include(SECRET);
      }
      expect(api.requests.slice(before).map(({ path: asked }) => asked)).to.deep.equal([
        "/projects",
        "/projects",
      ]);
    }).timeout(2 * SLOW_TEST_MS);
  }

  it("is verified by one script that fails, with either manager, where a file is stale or a finding is left", async () => {
    const project = await scaffold(withoutClient, "Custom", "https://api.sites-platform.com");
    installPacked(project, "typescript-7");
    await runs(project, npm, "gen");
    const file = path.join(project, "connections/custom-auth.ts");
    const text = readFileSync(file, "utf8");
    for (const manager of process.env["SOAK"] === undefined ? [npm] : [npm, yarn]) {
      rmSync(path.join(project, "connector.json"), { force: true });
      expect((await call(project, manager.call("verify"))).status, "no connector.json").to.equal(1);
      await runs(project, manager, "extract");
      await runs(project, manager, "verify");
      writeFileSync(file, text.replaceAll("api.sites-platform.com", "api.example.com"));
      await runs(project, manager, "gen");
      for (const script of ["verify", "check"]) {
        const { status, stdout, stderr } = await call(project, manager.call(script));
        expect(status, `${manager.name} ${script}`).to.equal(1);
        expect(stdout + stderr, script).to.include("connection-address-placeholder");
      }
      writeFileSync(file, text);
      await runs(project, manager, "gen");
    }
  }).timeout(2 * SLOW_TEST_MS);
});

/** A target system that takes one header only. */
function target(header: string, value: string) {
  return serve(({ headers, path: asked }, response) =>
    answerJson(response, {}, headers[header] === value && asked === "/projects" ? 200 : 401),
  );
}

/** The command of the packed package in `folder`, as a process of its own. */
async function command(folder: string, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await run(folder, process.execPath, [packedCommand(), ...args]);
  expect(status, `${args.join(" ")}\n${stderr}`).to.equal(0);
}

/** A copy of `project` with a client of `authType` at `origin`, and empty test settings. */
async function scaffold(project: string, authType: string, origin: string): Promise<string> {
  const folder = folderWith({});
  cpSync(project, folder, { recursive: true });
  await command(folder, "client", "new", "--auth-type", authType);
  useAddress(folder, origin);
  await command(folder, "test", "init");
  return folder;
}

/** Runs a call whose user signs in where it asks for that. */
async function signingIn(project: string, words: readonly [string, ...string[]]): Promise<CommandResult> {
  const { onText, done } = browserOf(async (address, back) => fetch(await agree(address, back)));
  const result = await call(project, words, onText);
  await done();
  return result;
}

async function runs(project: string, manager: PackageManager, ...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    const { status, stdout, stderr } = await call(project, manager.call(script));
    expect(status, `${manager.name}: ${script}\n${stdout}${stderr}`).to.equal(0);
  }
}

function call(
  project: string,
  [program, ...args]: readonly [string, ...string[]],
  onText: (stderr: string) => void = () => {},
): Promise<CommandResult> {
  return run(project, program, args, { environment: { PERSONNEL_SECRET: SECRET }, onText });
}

function definitionKey(project: string): string {
  const { connectionDefinitions } = JSON.parse(readFileSync(path.join(project, "connector.json"), "utf8"));
  return connectionDefinitions[0].key;
}
