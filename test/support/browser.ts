/** A real browser, where there is one: Chromium of the system, or what CONNECTORCLI_TEST_BROWSER names. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Browser } from "./browser-page.js";

/** By its name in a variable: the compiler would read its declarations. */
const LIBRARY: string = "playwright-core";

const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

let launched: Promise<Browser> | undefined;

/** The browser for all tests of a file; skips the tests, with one line, where there is none. */
export async function browserOrSkip(context: Mocha.Context): Promise<Browser> {
  const executablePath = browserPath();
  if (executablePath === undefined) {
    // biome-ignore lint/suspicious/noConsole: whoever runs the tests has to know what was left out.
    console.log(
      "No browser was found, so the page of the console is not tested: install chromium, or name one by CONNECTORCLI_TEST_BROWSER.",
    );
    return context.skip();
  }
  // As root, a browser can't have a sandbox; nothing but the page under test is shown.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  launched ??= import(LIBRARY).then(({ chromium }) => chromium.launch({ executablePath, args }));
  return launched;
}

/** For `after`. */
export async function endBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
}

function browserPath(): string | undefined {
  const named = process.env["CONNECTORCLI_TEST_BROWSER"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) =>
    existsSync(file),
  );
}
