/** Follows pages and doc comments as a reader does: runs their commands, compiles and runs their examples. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { type SourceFile, typeErrors, withProjects } from "./author-project.js";
import { folderWith } from "./folders.js";
import { installBeside, installPacked, packedCommand } from "./installed-package.js";
import { deadOrigin } from "./loopback.js";
import { run, startedProcess } from "./processes.js";
import { inRepository } from "./repository.js";

/** A fenced block. */
export interface Block {
  /** `sh`, `text`, or the language of a file. */
  readonly language: string;
  /** What is behind the language: the path of a file, or how commands are run. */
  readonly words: string;
  readonly content: string;
  /** Where it starts in the page. */
  readonly line: number;
}

export interface Followed {
  /** Where the reader ends. */
  readonly folder: string;
  /** Everything that was printed. */
  readonly printed: string;
}

interface Reader {
  folder: string;
  /** Of the last block of commands. */
  said: string;
  /** Whether that goes on, and may say more. */
  isGoingOn: boolean;
  printed: string;
  readonly running: ChildProcess[];
}

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map((fence) => {
    const [, language = "", words = "", content = ""] = fence;
    return { language, words, content, line: page.slice(0, fence.index).split("\n").length };
  });
}

/** The blocks with a port that is free on this machine in place of the one of the page. */
export async function onFreePort(blocks: readonly Block[], port: string): Promise<readonly Block[]> {
  const free = new URL(await deadOrigin()).port;
  return blocks.map((block) => ({ ...block, content: block.content.replaceAll(port, free) }));
}

/**
 * Follows the blocks in an empty folder. `sh` is run line by line and must succeed, or end with status 1 where it says
 * `that fails`, or go on where it says `in the second terminal`; `text` is what the commands before it said; any other
 * block is the whole content of the file that it names.
 */
export async function follow(blocks: readonly Block[]): Promise<Followed> {
  const reader: Reader = { folder: folderWith({}), said: "", isGoingOn: false, printed: "", running: [] };
  try {
    for (const block of blocks) {
      if (block.language === "sh") await runBlock(reader, block);
      else if (block.language === "text") await compare(reader, block);
      else writeFileSync(path.join(reader.folder, block.words), block.content);
    }
  } finally {
    for (const child of reader.running) child.kill();
  }
  return reader;
}

const INSTALL_BESIDE = "npm install --save-dev ";

async function runBlock(reader: Reader, { content, words, line }: Block): Promise<void> {
  reader.said = "";
  reader.isGoingOn = words === "in the second terminal";
  for (const command of content.trim().split("\n")) {
    const [program, place = ""] = command.split(" ");
    if (program === "cd") reader.folder = path.join(reader.folder, place);
    else if (command === "npm install") installPacked(reader.folder, "typescript-7");
    else if (command.startsWith(INSTALL_BESIDE))
      installBeside(reader.folder, command.slice(INSTALL_BESIDE.length));
    else if (reader.isGoingOn) start(reader, command);
    else {
      const status = await runLine(reader, command);
      expect(status, `line ${line}: ${command}\n${reader.said}`).to.equal(words === "that fails" ? 1 : 0);
    }
  }
}

/** npx would look for the package in a registry. */
function shown(command: string): string {
  return `${command.replace(/^npx /, "")} 2>&1`;
}

function withPacked(): { readonly PATH: string } {
  return { PATH: `${path.join(packedCommand(), "../../../../.bin")}:${process.env["PATH"]}` };
}

async function runLine(reader: Reader, command: string): Promise<number | null> {
  const { status, stdout } = await run(reader.folder, "sh", ["-c", shown(command)], {
    environment: withPacked(),
  });
  reader.said += stdout;
  reader.printed += stdout;
  return status;
}

function start(reader: Reader, command: string): void {
  const child = startedProcess(
    spawn("sh", ["-c", `exec ${shown(command)}`], {
      cwd: reader.folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NO_COLOR: "1", ...withPacked() },
    }),
  );
  reader.running.push(child);
  child.stdout.on("data", (text) => {
    reader.said += String(text);
  });
}

/** A program that goes on may need a while until it has said it. */
async function compare(reader: Reader, { content, line }: Block): Promise<void> {
  const expected = patternOf(content);
  const end = Date.now() + 10_000;
  while (reader.isGoingOn && !expected.test(reader.said) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const isAsExpected = expected.test(reader.said);
  if (!isAsExpected) expect(reader.said, `the output at line ${line}`).to.equal(content);
}

/** `…` is anything in a line, and any lines where it stands alone. */
function patternOf(content: string): RegExp {
  const lines = content.split("\n").map((line) => {
    if (line === "…") return "(?:.*\n)*?";
    return `${line.split("…").map(literally).join(".*")}\n`;
  });
  return new RegExp(`^${lines.slice(0, -1).join("")}$`);
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** What examples may use without importing it: the exports of a module. */
export interface Surroundings {
  /** How examples import it. */
  readonly from: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** What an entry of the package exports. */
export function entrySurroundings(from: string, path: string): Surroundings {
  const text = readFileSync(inRepository(path), "utf8");
  const values: string[] = [];
  const types: string[] = [];
  for (const [, isTypes, list = ""] of text.matchAll(/export (type )?\{([^}]*)\} from/g)) {
    for (const item of list.split(",").map((name) => name.trim())) {
      if (item === "") continue;
      (isTypes !== undefined || item.startsWith("type ") ? types : values).push(item.replace("type ", ""));
    }
  }
  return { from, values, types };
}

/** What an example exports. */
export function exportedNames(code: string): Omit<Surroundings, "from"> {
  const exportsOf = (words: string) =>
    [...code.matchAll(new RegExp(`^export (?:async )?(?:${words})\\*? (\\w+)`, "gm"))].map(
      ([, name = ""]) => name,
    );
  return { values: exportsOf("const|class|function"), types: exportsOf("interface|type") };
}

/** The `ts` blocks of a page that begin with a comment `// path: …`, as files. */
export function pageFiles(page: string): readonly SourceFile[] {
  return tsBlocks(page).flatMap((content) => {
    const [, path] = /^\/\/ ([\w./-]+\.ts)\b/.exec(content) ?? [];
    return path === undefined ? [] : [{ path, content }];
  });
}

/** The other `ts` blocks of a page. */
export function pageSnippets(page: string): readonly string[] {
  return tsBlocks(page).filter((content) => !/^\/\/ [\w./-]+\.ts\b/.test(content));
}

/** What stands under `@example` in the doc comments of a file of the repository. */
export function commentSnippets(path: string): readonly string[] {
  const text = readFileSync(inRepository(path), "utf8");
  return [...text.matchAll(/^ *\* @example (.+)\n|^ *\* @example\n((?: *\*(?! @|\/).*\n)+)/gm)].map(
    ([, line, lines = ""]) => line ?? lines.replace(/^ *\* ?/gm, ""),
  );
}

/** An example with imports of what it uses, in a function if it returns or yields something. */
export function snippetModule(code: string, surroundings: readonly Surroundings[]): string {
  const imports = [...code.matchAll(/^import [\s\S]*?;\n/gm)].map(([statement]) => statement);
  const body = imports.reduce((rest, statement) => rest.replace(statement, ""), code);
  const words = body.replaceAll("...", "... ");
  const known = imports.join("");
  const uses = (name: string) =>
    new RegExp(`(?<![.\\w"'#])${name}\\b(?!\\s*:(?!:))`).test(words) &&
    !new RegExp(`\\b${name}\\b`).test(known) &&
    !new RegExp(`\\b(?:const|let|class|function|interface|type) (?:\\{[^}]*\\b)?${name}\\b`).test(body);
  const taken = new Set<string>();
  const isNeeded = (name: string) => uses(name) && !taken.has(name) && taken.add(name) !== undefined;
  const added = surroundings.flatMap(({ from, values, types }) => {
    const names = [...values.filter(isNeeded), ...types.filter(isNeeded).map((name) => `type ${name}`)];
    return names.length === 0 ? [] : [`import { ${names.join(", ")} } from ${JSON.stringify(from)};\n`];
  });
  const isModule = /^export /m.test(body);
  const wrapped = isModule ? body : `export async function* example() {\n${body}\n}\n`;
  return `${imports.join("")}${added.join("")}${wrapped}`;
}

/** What the compiler says of projects under the flags that authors get; examples end where they have shown enough. */
export async function exampleErrors(
  projects: readonly (readonly SourceFile[])[],
): Promise<readonly string[]> {
  const text = await withProjects(projects, (folder) => typeErrors(folder));
  const unused = /error TS(?:6133|6196|6198|7030)\b/;
  return text.split("\n").filter((line) => line !== "" && !unused.test(line));
}

function tsBlocks(page: string): readonly string[] {
  const text = readFileSync(inRepository(page), "utf8");
  return blocksOf(text)
    .filter(({ language, words }) => language === "ts" && words === "")
    .map(({ content }) => content);
}
