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

/** Where the navigation leads to a page, of whichever workspace. */
function linkTo(name: string): string {
  return `nav a:is([href="#/${name}"], [href^="#/${name}?"])`;
}

/** Shows one of the pages, such as `records`. */
export async function show(page: Page, name: string): Promise<void> {
  await page.evaluate(`location.hash = "#/${name}"`);
  await page.locator(`${linkTo(name)}[aria-current=page]`).waitFor();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Goes to an element by the Tab key, as a person does who sees where the keyboard is. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    if (await page.evaluate(isThere)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key does not lead to ${selector}.`);
}

const MOST_STOPS = 100;

/** Goes to one of the pages, such as `records`, by the keyboard alone. */
export async function showByKeyboard(page: Page, name: string): Promise<void> {
  await tabTo(page, linkTo(name));
  await page.keyboard.press("Enter");
  // The keyboard is where the page begins.
  await page.locator("h1:focus").waitFor();
  await page.locator(`${linkTo(name)}[aria-current=page]`).waitFor();
}

/**
 * What the keyboard misses on the page that is shown: the Tab key goes round once. Told are the elements that it should
 * come to and does not, those where nothing shows that it is there, and whether the page has to be scrolled sideways.
 */
export async function missedByKeyboard(page: Page): Promise<readonly string[]> {
  const stops = Number(await page.evaluate(BEFORE_THE_ROUND));
  for (let stop = 0; stop < stops; stop++) await page.keyboard.press("Tab");
  return (await page.evaluate(AFTER_THE_ROUND)) as readonly string[];
}

const BEFORE_THE_ROUND = `(() => {
  const lookOf = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    return [outlineStyle, outlineStyle === "none" ? "" : outlineWidth + outlineColor, boxShadow].join();
  };
  // The arrow keys lead to the other tabs.
  const all = "a[href], button:not([aria-selected=false]), input, select, textarea, summary, [tabindex='0']";
  const isStop = (element) => !element.disabled && element.checkVisibility();
  document.activeElement.blur();
  const stops = new Map([...document.querySelectorAll(all)].filter(isStop).map((stop) => [stop, lookOf(stop)]));
  const met = new Map();
  document.querySelector(".skip").focus();
  const onFocus = ({ target }) => met.set(target, lookOf(target));
  addEventListener("focusin", onFocus);
  window.endRound = () => {
    removeEventListener("focusin", onFocus);
    const words = (what, list) => list.map((element) => what + ": " + element.outerHTML.slice(0, 120));
    const main = document.getElementById("main");
    return [
      ...words("never reached", [...stops.keys()].filter((stop) => stop.isConnected && !met.has(stop))),
      ...words("reached unseen", [...met.keys()].filter((stop) => met.get(stop) === stops.get(stop))),
      ...(main.scrollWidth > main.clientWidth ? ["wider than the window: " + location.hash] : []),
    ];
  };
  // Round to the first stop, between which and the last one is the window itself.
  return stops.size + 1;
})()`;
const AFTER_THE_ROUND = "window.endRound()";

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
