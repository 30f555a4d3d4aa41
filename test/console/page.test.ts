/** The page of the console in a real browser. */
import { expect } from "chai";
import type { StartConsoleOptions } from "../../scripts/console/start-console.js";
import { initSettings } from "../../scripts/workbench/index.js";
import { fillIn } from "../support/author-project.js";
import { browserOrSkip, endBrowser } from "../support/browser.js";
import type { Browser } from "../support/browser-page.js";
import {
  missedByKeyboard,
  openPage,
  show,
  showByKeyboard,
  storageOf,
  tabTo,
  violationsOf,
} from "../support/console-page.js";
import {
  approvalsProject,
  CANARY,
  consoleProject,
  endConsoles,
  fillStore,
  fillTimesheets,
  projectRecord,
  startedConsole,
} from "../support/console-project.js";
import { endFakes, startedFake } from "../support/running-fake.js";

const HOSTILE = [
  "</script><script>window.hit=1</script>",
  "<img src=x onerror=window.hit=1>",
  "\u202Eright to left\u202C ‮ \u0000",
  "$" + "{window.hit=1}`{{hit}}",
  "javascript:window.hit=1",
];
const PAGES = ["overview", "records", "changes", "rejected", "runs", "actions", "connection", "try"];
/** On pages with a choice of data objects, the one below the one that is shown first. */
const ANOTHER_OBJECT: Readonly<Record<string, string>> = {
  ...{ records: "Timesheet", try: "Timesheet" },
  ...{ changes: "Project", rejected: "Project", runs: "Project" },
};
const RECORDS = 100_000;

describe("the page of the console", function () {
  this.timeout(120_000);
  let browser: Browser;
  let folder: string;
  before(async function () {
    browser = await browserOrSkip(this);
    folder = consoleProject();
    await fillStore(folder, manyRecords(), [{ title: 1 }]);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await endConsoles();
    await endFakes();
  });
  after(endBrowser);

  it("has no violation of accessibility on any page, light, dark and narrow", async () => {
    const { page } = await opened({ isWritable: true });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const name of PAGES) {
        await page.setViewportSize(
          name === "runs" ? { width: 380, height: 700 } : { width: 1_280, height: 800 },
        );
        await show(page, name);
        if (name === "records") await page.locator(".grid-row").nth(2).click();
        expect(await violationsOf(page), `${name} ${colorScheme}`).to.deep.equal([]);
      }
    }
  });

  it("can be used by the keyboard alone, on every page and at any width", async () => {
    const { page, problems } = await opened({ isWritable: true });
    for (const [index, name] of PAGES.toReversed().entries()) {
      // Narrow is also what a window is that is enlarged four times.
      await page.setViewportSize(
        index % 2 === 0 ? { width: 320, height: 640 } : { width: 1_280, height: 800 },
      );
      await showByKeyboard(page, name);
      const title = await page.locator("h1").textContent();
      await page
        .getByRole("status")
        .getByText(title ?? "", { exact: true })
        .waitFor();
      if (name === "records" || name === "changes") await page.locator(".grid-row").first().waitFor();
      expect(await missedByKeyboard(page), name).to.deep.equal([]);
      const { [name]: another } = ANOTHER_OBJECT;
      if (another === undefined) continue;
      await tabTo(page, "main select");
      await page.keyboard.press("ArrowDown");
      await page.locator(".command").getByText(another).waitFor();
      await page.locator("main select:focus").waitFor();
    }
    await tabTo(page, ".skip");
    await page.keyboard.press("Enter");
    await page.locator("h1:focus").waitFor();
    expect(problems).to.deep.equal([]);
  });

  it("opens records, their views and hidden values by keys, and goes back to where it was", async () => {
    const { page } = await opened({ isWritable: true });
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const isChosen = async (index: number) => {
      await page.locator(`[role=row][aria-selected=true][aria-rowindex="${index + 2}"]`).waitFor();
      // The list is scrolled once it has its new size.
      while (!(await page.evaluate(IS_CHOSEN_ROW_SEEN)));
    };
    await show(page, "records");
    await page.locator(".grid-row").first().waitFor();
    await tabTo(page, ".grid");
    for (const [key, index] of [
      ["ArrowDown", 0],
      ["ArrowDown", 1],
      ["ArrowUp", 0],
      ["End", RECORDS - 1],
      ["Home", 0],
    ] as const) {
      await press(key);
      await isChosen(index);
    }
    // A page is what the window shows.
    await press("PageDown", "PageDown", "PageUp", "PageUp");
    await isChosen(0);
    await press("ArrowDown", "Enter");
    await page.locator("aside h2:focus").waitFor();
    expect(await missedByKeyboard(page)).to.deep.equal([]);

    await tabTo(page, "[role=tab]");
    for (const [key, view] of [
      ["ArrowRight", "JSON"],
      ["End", "Schema"],
      ["ArrowRight", "Table"],
      ["ArrowLeft", "Schema"],
      ["Home", "Table"],
    ] as const) {
      await press(key);
      await page.locator("[role=tab][aria-selected=true]:focus").getByText(view, { exact: true }).waitFor();
      await page.getByRole("tabpanel", { name: view }).waitFor();
    }
    await tabTo(page, '[aria-label="Reveal /managerEmail"]');
    await press("Enter");
    await page.locator("aside form input:focus").waitFor();
    await press("Escape");
    await page.locator('[aria-label="Reveal /managerEmail"]:focus').waitFor();
    await press("Escape");
    await page.locator(".grid:focus").waitFor();
    expect(await page.locator("aside").count()).to.equal(0);
    await press("Enter");
    await page.locator("aside h2:focus").waitFor();
    await isChosen(1);
  });

  it("leads to records by keys of several properties, and back to the one that was chosen", async () => {
    const project = approvalsProject();
    const hostile = ["a/b%2F'\"\\& =?#", "\u202Eüñ 💡\u0000 +,", -7] as const;
    await fillTimesheets(project, [["a", "b", 1], hostile, ["a/b%2F'\"\\", "& =?#", -7]]);
    const { page, problems } = await opened({}, project);
    const main = page.locator("main");
    await page.evaluate(`location.hash = "#/records?object=projects-api%2Fapp%2F1%2Ftimesheet"`);
    await main.getByText("3 records").waitFor();
    const chosen = page.locator("[role=row][aria-selected=true]");
    // Whatever the order of the keys is.
    await page.locator(".grid-row").filter({ hasText: hostile[1] }).click();
    const row = await chosen.getAttribute("aria-rowindex");
    await tabTo(page, "aside a");
    await page.keyboard.press("Enter");
    await main.getByText("1 record found").waitFor();
    await page.locator("h1:focus").waitFor();
    await tabTo(page, ".grid");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Timesheet by project_id, week, worker" }).click();
    await main.getByText("1 record found").waitFor();
    await page.locator(".grid-row").first().click();
    expect(await page.locator("aside").getByText(hostile[1]).count()).to.be.greaterThan(0);
    await page.goBack();
    await page.goBack();
    await main.getByText("3 records").waitFor();
    expect(await chosen.getAttribute("aria-rowindex")).to.equal(row);
    expect(problems).to.deep.equal([]);
  });

  it("shows 100,000 records, of which only those in view are in the page", async () => {
    const { page } = await opened();
    await show(page, "records");
    const grid = page.getByRole("grid");
    await page.locator(".grid-row").first().waitFor();
    expect(await grid.getAttribute("aria-rowcount")).to.equal(String(RECORDS + 1));
    for (const [share, number] of [
      [0.5, 50_000],
      [0.98, 98_000],
      [0.1, 10_000],
    ] as const) {
      await page.evaluate(`document.querySelector(".grid").scrollTo(0, ${RECORDS * 30 * share})`);
      await page.getByText(`N-${number}`, { exact: true }).waitFor();
      expect(await page.locator(".grid-row").count()).to.be.lessThan(70);
    }
    await grid.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("End");
    await page
      .getByText(`N-${RECORDS - 1}`, { exact: true })
      .first()
      .waitFor();
    await page
      .getByRole("complementary")
      .getByText(`Title ${RECORDS - 1}`)
      .waitFor();
  });

  it("finds a record by its key, and goes there by the keyboard alone", async () => {
    const { page } = await opened();
    await show(page, "records");
    await page.getByPlaceholder("Find by id").focus();
    await page.keyboard.type((projectRecord(54_321) as { id: string }).id);
    await page.keyboard.press("Enter");
    await page.getByText("1 record found").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("complementary").getByText("N-54321").waitFor();
    await page.getByRole("tab", { name: "JSON" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "The record as JSON" }).waitFor();
  });

  it("shows hostile texts as texts", async () => {
    const { page, problems } = await opened();
    const [script = ""] = HOSTILE;
    await show(page, "changes");
    await page.locator(".grid-row").nth(1).click();
    await page.getByRole("complementary").getByText(script, { exact: true }).waitFor();
    await show(page, "records");
    await page.locator(".grid-row").first().click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByText(script, { exact: true }).first().waitFor();
    expect(await page.evaluate("window.hit")).to.equal(undefined);
    expect(await page.locator("#page script, #page img, #page iframe").count()).to.equal(0);
    expect(problems).to.deep.equal([]);
  });

  it("has no sensitive value in the page, its storage or its traffic, until one is revealed", async () => {
    const { page, traffic } = await opened({ isWritable: true });
    for (const name of PAGES) {
      await show(page, name);
      if (name === "records") await page.locator(".grid-row").nth(7).click();
      expect(await page.content(), name).to.not.include(CANARY);
    }
    expect(await storageOf(page)).to.not.include(CANARY);
    expect((await Promise.all(traffic)).join())
      .to.include("N-7")
      .and.not.include(CANARY);
    await show(page, "records");
    await page.locator(".grid-row").nth(7).click();
    await page.getByRole("button", { name: "Reveal /managerEmail" }).click();
    await page.getByLabel("Why do you need it?").fill("a test");
    await page.getByRole("button", { name: "Reveal", exact: true }).click();
    await page.getByText(CANARY).waitFor();
    await page.getByRole("button", { name: "Hide" }).click();
    expect(await page.content()).to.not.include(CANARY);
  });

  it("keeps the token out of the address, the history and other tabs", async () => {
    const { page, context, token } = await opened();
    expect(page.url()).to.not.include(token);
    expect(await page.content()).to.not.include(token);
    expect(await page.evaluate("JSON.stringify({ ...localStorage })")).to.equal("{}");
    await page.goBack().catch(() => undefined);
    expect(page.url()).to.not.include(token);
    const other = await context.newPage();
    await other.goto(page.url().startsWith("http") ? new URL("/", page.url()).href : "about:blank");
    if (other.url().startsWith("http")) await other.getByText("This tab has no token").waitFor();
  });

  it("says in both of two tabs that the console has gone", async () => {
    const { page, context, address } = await opened();
    const second = await context.newPage();
    await second.goto(address);
    await second.getByRole("heading", { name: "Overview" }).waitFor();
    await endConsoles();
    for (const tab of [page, second]) await tab.getByText("The console does not answer any more").waitFor();
  });

  it("is read-only unless it was started for more", async () => {
    const { page } = await opened();
    await page.getByText("Read-only").waitFor();
    expect(await page.getByRole("button", { name: "Read all into the cache" }).isDisabled()).to.equal(true);
  });

  it("tries a page of a reader, performs an action and reads into the cache, as the commands do", async () => {
    const project = consoleProject();
    const { address: fake } = await startedFake(project, "--records", "30");
    const { page } = await opened({ fake, isWritable: true }, project);
    await show(page, "try");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByText("records read").waitFor();
    await page.getByText(/Log and traffic/).waitFor();
    await page
      .getByText(/GET https:\/\/api\.projects-platform\.com/)
      .first()
      .waitFor();

    await show(page, "actions");
    await page.getByLabel("New action").selectOption({ label: "Project: Create" });
    await page.getByText(/findings? in the input/).waitFor();
    await page.getByRole("tab", { name: "JSON" }).click();
    const input = { number: "N-9", title: "Bridge", status: "Active", budget: null };
    await page.getByLabel("Input as JSON").fill(JSON.stringify(input));
    await page.getByText("The input fits its schema.").waitFor();
    await page.getByRole("button", { name: "Show what would be sent" }).click();
    await page.getByRole("region", { name: "A request that would be sent" }).waitFor();
    await page.getByRole("button", { name: "Queue and perform" }).click();
    await page.getByText(/project\/create, 1 attempt/).click();
    await page.getByText(/attempt 1, /).waitFor();
    await page.getByRole("rowheader", { name: /^POST \// }).waitFor();

    await show(page, "overview");
    await page.getByRole("button", { name: "Read all into the cache" }).click();
    await page.getByRole("row", { name: /Project.*succeeded/ }).waitFor();
    await show(page, "records");
    await page.locator(".grid-row").first().waitFor();
    await show(page, "runs");
    await page.getByRole("link", { name: "Requests of run 1", exact: true }).click();
    await page.getByText("connectorcli runs show 1", { exact: true }).waitFor();
    await page
      .getByRole("rowheader", { name: /^GET \// })
      .first()
      .waitFor();
    await page.getByLabel("Failed requests only").click();
    expect(await page.getByRole("rowheader", { name: /^GET \// }).count()).to.equal(0);
  });

  it("asks for the name of the connection before it changes a production system", async () => {
    const project = consoleProject();
    await initSettings({ folder: project });
    fillIn(project, "customAuth", { apiToken: "pt_of-a-test" });
    const { page } = await opened({ isWritable: true }, project);
    await page.getByText("Production: API token").waitFor();
    await tabTo(page, "main button");
    await page.keyboard.press("Enter");
    await page.locator("form input:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("main button:focus").waitFor();
    await page.keyboard.press("Enter");
    const button = page.getByRole("button", { name: "Read all into the cache", exact: true });
    expect(await button.isDisabled()).to.equal(true);
    await page.getByLabel(/This is production/).fill("API token");
    expect(await button.isDisabled()).to.equal(false);
  });

  it("shows what a change did to a record, and how it was found by a text", async () => {
    const project = consoleProject();
    await fillStore(project, [projectRecord(1), projectRecord(2)]);
    await fillStore(project, [projectRecord(1, "A bridge"), projectRecord(2)]);
    const { page } = await opened({}, project);
    await show(page, "changes");
    await page.locator(".grid-row").first().click();
    const row = page.getByRole("complementary").getByRole("row", { name: /title/ });
    await row.getByText("Title 1", { exact: true }).waitFor();
    await row.getByText("A bridge", { exact: true }).waitFor();
    expect(await page.getByRole("complementary").getByRole("row").count()).to.equal(2);
    await show(page, "records");
    await page.getByLabel("Find by").selectOption({ label: "any text" });
    await page.getByPlaceholder("Find a text").fill("a BRIDGE");
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.getByText("1 record found in 2 records").waitFor();
  });

  it("shows a record of 1 MB, and goes on", async () => {
    const project = consoleProject();
    await fillStore(project, [projectRecord(1, "x".repeat(1_000_000)), projectRecord(2)]);
    const { page } = await opened({}, project);
    await show(page, "records");
    await page.locator(".grid-row").first().click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByText("N-2", { exact: true }).waitFor();
  });

  async function opened(options: Partial<StartConsoleOptions> = {}, project = folder) {
    const started = await startedConsole(project, options);
    return { ...(await openPage(browser, started.address)), token: started.token, address: started.address };
  }
});

/** Below the head of the list, and above its end. */
const IS_CHOSEN_ROW_SEEN = `(() => {
  const [grid, head, row] = [".grid", ".grid-head", ".grid-row[aria-selected=true]"].map((selector) =>
    document.querySelector(selector).getBoundingClientRect(),
  );
  return row.top >= head.bottom - 2 && row.bottom <= grid.bottom;
})()`;

function* manyRecords(): Iterable<object> {
  for (let index = 0; index < RECORDS; index++)
    yield projectRecord(index, HOSTILE[index] ?? HOSTILE[RECORDS - 2 - index]);
}
