import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { watchProject } from "../../scripts/author-project/watch-project.js";
import { folderWith } from "../support/folders.js";

describe("watchProject", () => {
  it("misses no save that follows at once on what was written about the one before", async () => {
    const folder = folderWith({ "connector.ts": "0" });
    const file = path.join(folder, "connector.ts");
    const stopped = new AbortController();
    let saves = 0;
    const deadline = setTimeout(() => stopped.abort(), 10_000);
    await watchProject(folder, {
      signal: stopped.signal,
      run: async () => {
        if (readFileSync(file, "utf8") !== String(saves)) return;
        saves += 1;
        if (saves === 10) stopped.abort();
        else writeFileSync(file, String(saves));
      },
    });
    clearTimeout(deadline);
    expect(saves).to.equal(10);
  });
});
