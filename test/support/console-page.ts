/** The page of a console in a browser. */
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "./browser-page.js";
import { inRepository } from "./repository.js";

const WAIT_MS = 110_000;

/** A page that shows a console, and what it has met. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the page or the browser has said. */
  readonly problems: readonly string[];
  /** What was answered. */
  readonly traffic: readonly Promise<string>[];
}

/** Opens the address of a console; whoever does closes the contexts of the browser. */
export async function openPage(browser: Browser, address: string): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  // A busy machine is slow; what never comes ends with the time of the test.
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  const traffic: Promise<string>[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("response", (response) => traffic.push(response.text().catch(() => "")));
  await page.goto(address);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return { page, context, problems, traffic };
}

/** Shows one of the pages, such as `records`. */
export async function show(page: Page, name: string): Promise<void> {
  await page.evaluate(`location.hash = "#/${name}"`);
  await page.locator(`nav a[aria-current=page][href="#/${name}"]`).waitFor();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** All that the browser keeps for the page. */
export async function storageOf(page: Page): Promise<string> {
  return String(
    await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"),
  );
}

let axe: string | undefined;

/** What is wrong with the accessibility of what is shown. */
export async function violationsOf(page: Page): Promise<readonly (readonly [string, readonly string[]])[]> {
  axe ??= readFileSync(inRepository("node_modules/axe-core/axe.min.js"), "utf8");
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as Verdict;
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

interface Verdict {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
