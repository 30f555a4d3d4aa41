import { inProcessEngine } from "../../../runtime/engine/in-process.js";
import { engineContract } from "./contract.js";

describe("the engine of one process", () => {
  let workspaces = 0;

  engineContract(async () => ({
    engine: inProcessEngine(),
    workspaces: async (count) => Array.from({ length: count }, () => `workspace ${++workspaces}`),
    remove: async () => {},
  }));
});
