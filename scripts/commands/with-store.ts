/** Opens the store for the commands that read it, and prints why it can't be opened. */
import { StoreError } from "../../runtime/store/store.js";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsText } from "../findings/findings-text.js";
import { UnknownNameError } from "../workbench/choices.js";
import { KeyValuesError, openProjectStore, type ProjectStore } from "../workbench/store.js";
import { storeFinding } from "../workbench/store-file.js";
import { storeFileOf } from "./services.js";
import { storeKeyOf } from "./store-key.js";

/** Runs `use` with the project's store and returns its exit status; 1 if there is no store, 2 if a name is unknown. */
export async function withStore(
  args: Arguments,
  shell: Shell,
  use: (store: ProjectStore) => Promise<number>,
): Promise<number> {
  const opened = await openProjectStore({
    ...projectOf(args, shell),
    storeFile: storeFileOf(args, shell),
    database: stringOf(args["database"]),
    workspace: stringOf(args["workspace"]),
    storeKey: storeKeyOf(args, shell),
    reveal: args["reveal"] === true,
    environment: shell.environment,
  });
  switch (opened.kind) {
    case "missing":
      shell.say(`There is no store ${opened.file}. Run: npx connectorcli run cache-writer`);
      return 1;
    case "unusable":
      shell.say(findingsText(opened.diagnostics, { cwd: shell.cwd }).trimEnd());
      return 1;
    case "opened":
      return useStore(opened.store, shell, use);
    default:
      return opened satisfies never;
  }
}

async function useStore(
  store: ProjectStore,
  shell: Shell,
  use: (store: ProjectStore) => Promise<number>,
): Promise<number> {
  try {
    return await use(store);
  } catch (error) {
    if (error instanceof UnknownNameError || error instanceof KeyValuesError) {
      shell.say(error.message);
      return 2;
    }
    if (!(error instanceof StoreError)) throw error;
    shell.say(findingsText([storeFinding(store.file, error)], { cwd: shell.cwd }).trimEnd());
    return 1;
  } finally {
    await store.close();
  }
}
