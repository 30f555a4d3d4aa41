/** Commands that look into the store: the model, the open store, and words for what is wrong. */
import { existsSync } from "node:fs";
import path from "node:path";
import { openSqliteStore } from "../../runtime/store/open-store.js";
import type { Store } from "../../runtime/store/store.js";
import { StoreError } from "../../runtime/store/store-error.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { loadProject } from "../author-project/load-project.js";
import type { Arguments } from "../command-spec.js";
import { findingsText } from "../findings-text.js";
import type { Output } from "../output.js";
import { projectOf } from "../project-arguments.js";
import { UnknownName } from "./chosen-parts.js";
import { storeFinding } from "./run-project.js";
import { storeFileOf } from "./store-file.js";

export interface OpenedStore {
  readonly model: ConnectorModel;
  readonly store: Store;
}

/** The status that `use` gives with the store of the project; 1 where there is none, 2 for a name that is none. */
export async function withStore(
  args: Arguments,
  output: Output,
  use: (opened: OpenedStore) => Promise<number>,
): Promise<number> {
  const { folder, timeoutSeconds } = projectOf(args);
  const { model, diagnostics } = await loadProject(folder, { timeoutSeconds });
  if (model === undefined) {
    output.say(findingsText(diagnostics, false).trimEnd());
    return 1;
  }
  const file = storeFileOf(path.resolve(folder), args);
  if (!existsSync(file)) {
    output.say(`There is no store ${file}. Run: connectorcli run cache-writer`);
    return 1;
  }
  let store: Store | undefined;
  try {
    store = await openSqliteStore({ file });
    return await use({ model, store });
  } catch (error) {
    if (error instanceof UnknownName) {
      output.say(error.message);
      return 2;
    }
    if (!(error instanceof StoreError)) throw error;
    output.say(findingsText([storeFinding(file, error)], false).trimEnd());
    return 1;
  } finally {
    await store?.close();
  }
}
