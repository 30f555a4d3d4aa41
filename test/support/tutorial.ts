/** Follows a page of instructions as a reader does: runs its commands, writes its files, compares its outputs. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { folderWith, run, startedProcess } from "./command-line.js";
import { installPacked, packedCommand } from "./installed-package.js";

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
  printed: string;
  readonly running: ChildProcess[];
}

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map((fence) => {
    const [, language = "", words = "", content = ""] = fence;
    return { language, words, content, line: page.slice(0, fence.index).split("\n").length };
  });
}

/**
 * Follows the blocks in an empty folder. `sh` is run line by line and must succeed, or end with status 1 where it says
 * `that fails`, or go on where it says `in the second terminal`; `text` is what the commands before it said; any other
 * block is the whole content of the file that it names.
 */
export async function follow(blocks: readonly Block[]): Promise<Followed> {
  const reader: Reader = { folder: folderWith({}), said: "", printed: "", running: [] };
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

async function runBlock(reader: Reader, { content, words, line }: Block): Promise<void> {
  reader.said = "";
  for (const command of content.trim().split("\n")) {
    const [program, place = ""] = command.split(" ");
    if (program === "cd") reader.folder = path.join(reader.folder, place);
    else if (command === "npm install") installPacked(reader.folder, "typescript");
    else if (words === "in the second terminal") start(reader, command);
    else {
      const status = await runLine(reader, command);
      expect(status, `line ${line}: ${command}\n${reader.said}`).to.equal(words === "that fails" ? 1 : 0);
    }
  }
}

/** npx would look for the package in a registry. */
async function runLine(reader: Reader, command: string): Promise<number | null> {
  const line = `${command.replace(/^npx /, "")} 2>&1`;
  const { status, stdout } = await run(reader.folder, "sh", ["-c", line], {
    environment: { PATH: `${path.join(packedCommand(), "../../../../.bin")}:${process.env["PATH"]}` },
  });
  reader.said += stdout;
  reader.printed += stdout;
  return status;
}

function start(reader: Reader, command: string): void {
  const [program = "", ...args] = command.split(" ");
  const child = startedProcess(
    spawn(program, args, { cwd: reader.folder, stdio: ["ignore", "pipe", "inherit"] }),
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
  while (reader.said === "" && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
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
