/** What mocha does after each test file that runs in a process of its own, or after all of them. */
import { removeFolders } from "./folders.js";
import { endProcesses } from "./processes.js";

export const mochaHooks = {
  afterAll(this: Mocha.Context): void {
    // A busy disk may take its time over hundreds of folders.
    this.timeout(0);
    endProcesses();
    removeFolders();
  },
};
