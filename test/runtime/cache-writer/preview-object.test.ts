import { once } from "node:events";
import { expect } from "chai";
import { previewObject } from "../../../runtime/cache-writer/preview-object.js";
import type { ReaderContext } from "../../../runtime/entries/runtime.js";
import { fullObject, item, NO_SETTINGS, SILENT } from "../../support/item-cache.js";

type Reader = (context: ReaderContext) => AsyncGenerator<unknown>;

function preview(reader: Reader, options: { readonly signal?: AbortSignal; readonly page?: number } = {}) {
  const object = { ...fullObject(reader), uploadObject: true, ...NO_SETTINGS };
  const { signal = new AbortController().signal } = options;
  return previewObject(object, { client: undefined, connection: {}, log: SILENT, ...options, signal });
}

describe("a reader that is tried", () => {
  it("is told as stopped, and not as read, where it ends because it was stopped", async () => {
    const controller = new AbortController();
    const result = await preview(
      async function* ({ signal }) {
        yield item(1);
        const stopped = once(signal, "abort");
        controller.abort();
        await stopped;
      },
      { signal: controller.signal },
    );
    expect(result).to.include({ outcome: "failed", isWhole: false });
    expect(result.message).to.match(/stopped/);
    expect(result.records.map(({ key }) => key)).to.deep.equal(["id/a/1"]);
  });

  it("says that there is no such page where the list ends before", async () => {
    const result = await preview(
      async function* () {
        yield item(1);
      },
      { page: 2 },
    );
    expect(result).to.include({ outcome: "failed" });
    expect(result.message).to.include("Item has no page 2: its list ended with page 1.");
  });
});
