/** Draws the pictures of docs/console.md: UPDATE_SCREENSHOTS=1. */
import { mkdirSync } from "node:fs";
import { localKeys, openPostgres } from "../../runtime/entries/postgres.js";
import { browserOrSkip, endBrowser } from "../support/browser.js";
import type { Browser } from "../support/browser-page.js";
import { connectorcli } from "../support/command-line.js";
import { openPage } from "../support/console-page.js";
import { consoleProject, endConsoles, PROJECTS, startedConsole } from "../support/console-project.js";
import { testDatabase } from "../support/postgres.js";
import { inRepository } from "../support/repository.js";
import { endFakes, startedFake } from "../support/running-fake.js";

const PICTURES = [
  { name: "records", page: "records", colorScheme: "light" },
  { name: "try", page: "try", colorScheme: "light" },
  { name: "runs-dark", page: "runs", colorScheme: "dark" },
] as const;

if (process.env["UPDATE_SCREENSHOTS"] === "1")
  describe("pictures of the console", function () {
    this.timeout(120_000);
    let browser: Browser;
    before(async function () {
      browser = await browserOrSkip(this);
    });
    after(async () => {
      await endConsoles();
      await endFakes();
      await endBrowser();
    });

    it("of a database are drawn", async function () {
      const database = await testDatabase();
      if (database === undefined) return this.skip();
      const stores = await openPostgres({
        url: database.url,
        sealing: { key: localKeys(Buffer.alloc(32, 5).toString("base64")) },
      });
      try {
        const properties = { apiToken: "of a picture", connectionEnvironment: 2 };
        await stores.workspaces.set("acme", { connection: { definitionKey: "customAuth", properties } });
        const weekdays = { cron: "0 2 * * 1-5", timeZone: "Europe/Berlin", missed: "skip" } as const;
        await stores.workspaces.schedule("acme", PROJECTS, weekdays);
        await stores.workspaces.schedule("acme", PROJECTS.replace(/project$/, "timesheet"), {
          everySeconds: 900,
        });
        const { address } = await startedConsole(consoleProject(), {
          ...{ database: database.url, isWritable: true },
        });
        const { page } = await openPage(browser, address);
        await page.setViewportSize({ width: 1_120, height: 520 });
        await page.getByRole("link", { name: "Schedules" }).click();
        await page.getByText("every 15 minutes").waitFor();
        await page.screenshot({ path: inRepository("docs/images/console-schedules.png") });
      } finally {
        await endConsoles();
        await stores.close();
        await database.remove();
      }
    });

    it("are drawn", async () => {
      const folder = consoleProject();
      const { address: fake } = await startedFake(folder, "--records", "300");
      await connectorcli(folder, "run", "cache-writer", "--fake", fake);
      const { address } = await startedConsole(folder, { fake, isWritable: true });
      mkdirSync(inRepository("docs/images"), { recursive: true });
      for (const { name, page: shown, colorScheme } of PICTURES) {
        const context = await browser.newContext({ viewport: { width: 1_120, height: 620 }, colorScheme });
        const page = await context.newPage();
        await page.goto(address);
        await page.getByRole("heading", { name: "Overview" }).waitFor();
        await page.evaluate(`location.hash = "#/${shown}"`);
        if (shown === "records") {
          await page.locator(".grid-row").nth(3).click();
          await page.getByRole("tab", { name: "JSON" }).waitFor();
        }
        if (shown === "try") {
          await page.getByRole("button", { name: "Read", exact: true }).click();
          await page.getByText("records read").waitFor();
        }
        if (shown === "runs") {
          await page.getByRole("link", { name: "Requests of run 1", exact: true }).click();
          await page.getByRole("rowheader", { name: /^GET/ }).first().waitFor();
        }
        await page.screenshot({ path: inRepository(`docs/images/console-${name}.png`) });
        await context.close();
      }
    });
  });
