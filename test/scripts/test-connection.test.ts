import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { clientProject, fillIn } from "../support/author-project.js";
import { connectorcli, connectorcliWith } from "../support/command-line.js";
import { closeProxies, startConnectProxy } from "../support/connect-proxy.js";
import { answerJson, closeServers, deadOrigin, type Loopback, serve } from "../support/loopback.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const CANARY = "canary/5up3r s3cret+ü";

describe("connectorcli test connection", () => {
  let target: Loopback;
  let folder: string;
  let status = 200;

  before(async function () {
    this.timeout(SLOW_TEST_MS);
    target = await serve((_, response) => answerJson(response, {}, status));
    folder = await clientProject(target.origin, "ApiKey", "Basic");
    fillIn(folder, "basicAuth", { username: "u", password: CANARY });
    fillIn(folder, "apiKeyAuth", { apiKey: CANARY });
  });

  afterEach(closeProxies);
  after(closeServers);

  const ROWS = [
    [200, "Successful test.", 0],
    [204, "Successful test.", 0],
    [401, "Invalid Credentials: Unauthorized", 1],
    [403, "Invalid Credentials: Forbidden.", 1],
    [404, "Unknown Issue.", 1],
  ] as const;
  for (const [code, message, exit] of ROWS) {
    it(`prints the words of the specification for ${code}, and ends with ${exit}`, async () => {
      status = code;
      const tested = await connectorcli(folder, "test", "connection");
      expect(tested.stdout, tested.stderr).to.equal(`${message}\n`);
      expect(tested.status).to.equal(exit);
      expect(tested.stderr).to.include(`apiKeyAuth: status ${code}`).and.to.not.include(CANARY);
    });
  }

  it("prints every call and its answer with --trace, without secrets, and long bodies in part", async () => {
    const server = await serve((_, response) =>
      answerJson(response, { apiKey: CANARY, name: "x".repeat(9_000) }),
    );
    const project = await clientProject(server.origin, "ApiKey");
    fillIn(project, "apiKeyAuth", { apiKey: CANARY });
    const { stdout, stderr } = await connectorcli(project, "test", "connection", "--trace");
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(stderr).to.match(
      new RegExp(`GET ${server.origin}/\\S*: 200 after \\d+ ms\\n {2}received: \\{"apiKey":"--hidden`),
    );
    expect(stderr).to.include("more characters)").and.to.not.include(CANARY);
    expect(stderr.length).to.be.below(4_000);
    const quiet = await connectorcli(project, "test", "connection");
    expect(quiet.stderr).to.not.include("received");
  }).timeout(SLOW_TEST_MS);

  it("prints them where nobody answers, with the reason beside it", async () => {
    const dead = await clientProject(await deadOrigin(), "Custom");
    fillIn(dead, "customAuth", { apiToken: CANARY });
    const { status: exit, stdout, stderr } = await connectorcli(dead, "test", "connection");
    expect(stdout).to.equal("Failed to get response from server\n");
    expect(stderr).to.include("ECONNREFUSED").and.to.include("status 500").and.to.not.include(CANARY);
    expect(exit).to.equal(1);
  }).timeout(SLOW_TEST_MS);

  it("calls through the proxy of the environment", async () => {
    const proxy = await startConnectProxy({ credentials: `user:${CANARY}` });
    const origin = target.origin.replace("127.0.0.1", "target.test");
    const project = await clientProject(origin, "ApiKey");
    fillIn(project, "apiKeyAuth", { apiKey: CANARY });
    status = 200;
    const testedBy = (credentials: string) => {
      const environment = { HTTP_PROXY: `http://${credentials}@${proxy.host}`, NO_PROXY: "other.test" };
      return connectorcliWith(environment, project, "test", "connection");
    };
    const { stdout, stderr } = await testedBy(`user:${encodeURIComponent(CANARY)}`);
    expect(stdout, stderr).to.equal("Successful test.\n");
    expect(proxy.asked).to.deep.equal([`GET ${origin}/projects`]);
    const refused = await testedBy("user:wrong");
    expect(refused.stdout).to.equal("Failed to get response from server\n");
    expect(refused.stderr)
      .to.include("refuses the user and the password in HTTP_PROXY (407)")
      .and.to.not.include("wrong");
  }).timeout(SLOW_TEST_MS);

  it("says so if the process of the connector ends before it has heard what to do", async () => {
    const project = await clientProject(target.origin, "OAuth2ClientCredentials");
    fillIn(project, "oAuth2ClientCredentials", {
      ...{ clientId: "c", clientSecret: CANARY, tokenUrl: `${target.origin}/token` },
      // More than a channel between processes takes at once.
      scope: "x ".repeat(2_000_000),
    });
    const environment = { NODE_OPTIONS: "--no-such-option" };
    const {
      status: exit,
      stdout,
      stderr,
    } = await connectorcliWith(environment, project, "test", "connection");
    expect(stdout).to.equal("");
    expect(stderr).to.include("run-ends").and.to.include("--no-such-option");
    expect(stderr)
      .to.not.include("EPIPE")
      .and.to.not.match(/^ +at /m);
    expect(exit).to.equal(1);
  }).timeout(SLOW_TEST_MS);

  it("counts a target system that is silent for too long as one that does not answer", async () => {
    const silent = await serve(() => {});
    const project = await clientProject(silent.origin, "ApiKey");
    fillIn(project, "apiKeyAuth", { apiKey: CANARY });
    const { stdout, status: exit } = await connectorcli(project, "test", "connection", "--timeout", "1");
    expect(stdout).to.equal("Failed to get response from server\n");
    expect(exit).to.equal(1);
  }).timeout(SLOW_TEST_MS);

  it("tells programs the result, and tests the connection that is named", async () => {
    status = 200;
    const { stdout } = await connectorcli(
      folder,
      "test",
      "connection",
      "--connection",
      "basicAuth",
      "--json",
    );
    expect(JSON.parse(stdout)).to.include({
      success: true,
      message: "Successful test.",
      statusCode: 200,
      connection: "basicAuth",
    });
    const sent = target.requests.at(-1)?.headers.authorization ?? "";
    expect(Buffer.from(sent.replace("Basic ", ""), "base64").toString("utf8")).to.equal(`u:${CANARY}`);
  });

  it("names the nearest key for one that does not exist, with status 2", async () => {
    const tested = await connectorcli(folder, "test", "connection", "--connection", "basicAut");
    expect(tested.stderr).to.include('Did you mean "basicAuth"?').and.to.include("apiKeyAuth, basicAuth");
    expect(tested).to.include({ status: 2, stdout: "" });
  });

  it("takes a secret from the environment, and names the variable that is not set", async () => {
    status = 200;
    const project = await clientProject(target.origin, "ApiKey");
    fillIn(project, "apiKeyAuth", {
      apiKey: `\${TEST_API_KEY}`,
      connectionEnvironment: `\${TEST_ENVIRONMENT}`,
    });
    const missing = await connectorcliWith({ TEST_API_KEY: CANARY }, project, "test", "connection");
    expect(missing.status).to.equal(1);
    expect(missing.stderr).to.include("settings-variable-missing").and.to.include("TEST_ENVIRONMENT");
    const variables = { TEST_API_KEY: "from-the-environment", TEST_ENVIRONMENT: "1" };
    const tested = await connectorcliWith(variables, project, "test", "connection");
    expect(tested.stdout, tested.stderr).to.equal("Successful test.\n");
    expect(target.requests.at(-1)?.headers["x-api-key"]).to.equal("from-the-environment");
    expect(readFileSync(path.join(project, "test-settings.json"), "utf8")).to.not.include("from-the-env");
  }).timeout(SLOW_TEST_MS);

  it("names everything that is wrong with the settings at once, by name and line, without a secret", async () => {
    const project = await clientProject(target.origin, "Basic");
    const before = target.requests.length;
    fillIn(project, "basicAuth", { password: { hidden: CANARY }, connectionEnvironment: 7 });
    const { status: exit, stdout, stderr } = await connectorcli(project, "test", "connection");
    expect(exit).to.equal(1);
    expect(stderr).to.match(/test-settings\.json:\d+:\d+ {2}error {2}settings-empty\n.*basicAuth\.username/);
    expect(stderr).to.include("basicAuth.password").and.to.include("basicAuth.connectionEnvironment");
    expect(stderr).to.include("3 errors");
    expect(stdout + stderr).to.not.include(CANARY);
    expect(target.requests).to.have.length(before);
  }).timeout(SLOW_TEST_MS);

  it("calls no placeholder: it names each address that is to be replaced, and the other system is called", async () => {
    status = 200;
    const project = await clientProject(target.origin, "ApiKey");
    const file = path.join(project, "connections/api-key-auth.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(target.origin, "https://api.example.com"));
    fillIn(project, "apiKeyAuth", { apiKey: CANARY });
    const refused = await connectorcli(project, "test", "connection");
    expect(refused).to.include({ status: 1, stdout: "" });
    expect(refused.stderr).to.match(/api-key-auth\.ts:\d+:\d+ {2}error {2}connection-address-placeholder/);
    expect(refused.stderr).to.include("not tested (1 error");
    fillIn(project, "apiKeyAuth", { connectionEnvironment: 2 });
    await connectorcli(project, "gen");
    const tested = await connectorcli(project, "test", "connection");
    expect(tested.stdout, tested.stderr).to.equal("Successful test.\n");
  }).timeout(SLOW_TEST_MS);

  it("says what is missing, and the command that makes it", async () => {
    const project = await clientProject(target.origin, "ApiKey");
    const remove = (name: string) => writeFileSync(path.join(project, name), "");
    remove("test-settings.json");
    const empty = await connectorcli(project, "test", "connection");
    expect(empty.stderr).to.include("json-syntax");
    writeFileSync(path.join(project, "registration.ts"), "export const other = 1;\n");
    await connectorcli(project, "test", "init");
    fillIn(project, "apiKeyAuth", { apiKey: CANARY });
    const nothing = await connectorcli(project, "test", "connection");
    expect(nothing.stderr).to.include("run-exports-nothing");
  }).timeout(SLOW_TEST_MS);

  describe("with a handler of the author's", () => {
    const HANDLER = "connections/connection-test-handler.ts";
    let original: string;

    before(() => {
      original = readFileSync(path.join(folder, HANDLER), "utf8");
    });
    afterEach(() => writeFileSync(path.join(folder, HANDLER), original));

    async function testedWith(code: string) {
      status = 200;
      writeFileSync(path.join(folder, HANDLER), code);
      const variables = { CONNECTORCLI_KEY: "the-key-of-a-store" };
      return connectorcliWith(
        variables,
        folder,
        "test",
        "connection",
        "--timeout",
        "2",
        "--load-timeout",
        "3",
      );
    }

    it("keeps what it prints apart from the result, and takes secrets out of it", async () => {
      const { stdout, stderr } = await testedWith(`
        import { apiKeyAuthHandler } from "../client/api-key-auth-handler.js";
        export const used = apiKeyAuthHandler;
        export const connectionTestHandler = ({ client, connection }: any) => {
          const { apiKey } = connection;
          console.log("printed", apiKey, JSON.stringify({ apiKey }), encodeURIComponent(apiKey));
          console.error("printed", Buffer.from(apiKey).toString("base64"));
          console.log("the key:", process.env["CONNECTORCLI_KEY"]);
          process.stdout.write(apiKey);
          return client.get("projects");
        };`);
      expect(stdout).to.equal("Successful test.\n");
      expect(stderr.match(/printed/g)).to.have.length(2);
      expect(stderr).to.include("the key: undefined");
      const forms = [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString("base64")];
      for (const form of forms) expect(stderr).to.not.include(form);
      expect(stderr).to.include("--hidden value--");
    });

    it("counts an error that it throws as no response", async () => {
      const { stdout, stderr } = await testedWith(
        'export const connectionTestHandler = () => { throw new Error("broken handler"); };',
      );
      expect(stdout).to.equal("Failed to get response from server\n");
      expect(stderr).to.include("broken handler");
    });

    it("names the line where a module throws while it is loaded", async () => {
      const {
        stdout,
        stderr,
        status: exit,
      } = await testedWith(
        `\nthrow new Error("no good: ${CANARY}");\nexport const connectionTestHandler = () => undefined;`,
      );
      expect(stdout).to.equal("");
      expect(stderr).to.match(/connection-test-handler\.ts:2:\d+ {2}error {2}run-throws/);
      expect(stderr).to.include("no good").and.to.not.include(CANARY);
      expect(exit).to.equal(1);
    });

    it("survives one that ends the process, and one that never gives the thread back", async () => {
      const ended = await testedWith("export const connectionTestHandler = () => process.exit(0);");
      expect(ended.stderr).to.include("run-ends");
      expect(ended.status).to.equal(1);
      const hanging = await testedWith("export const connectionTestHandler = () => { for (;;); };");
      expect(hanging.stderr).to.include("run-hangs");
      expect(hanging.status).to.equal(1);
    }).timeout(SLOW_TEST_MS);

    it("reports a syntax error of it with its line", async () => {
      const { stderr } = await testedWith("export const connectionTestHandler = ;");
      expect(stderr).to.match(/connection-test-handler\.ts:1:\d+ {2}error {2}project-syntax/);
    });
  });
});
