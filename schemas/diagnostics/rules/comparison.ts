/** What can be wrong with the connector that another one is compared with. */
import type { RuleFamily } from "./rule.js";

export const COMPARISON_RULES = {
  "against-unknown": {
    severity: "error",
    section: "§1.6",
    message: '"{reference}" is neither a file nor a git reference.',
    fix: "Name a connector.json, or a branch, tag or commit that has been fetched.",
  },
  "against-no-git": {
    severity: "error",
    section: "§1.6",
    message: '"{reference}" is not a file, and git can\'t be run: {reason}.',
    fix: "Install git, or name a file.",
  },
  "against-no-repository": {
    severity: "error",
    section: "§1.6",
    message: '"{reference}" is not a file, and the connector\'s folder is in no git repository.',
    fix: "Name a connector.json, or run the command in the repository.",
  },
  "against-absent": {
    severity: "info",
    section: "§1.6",
    message: '"{path}" is not in "{reference}": the connector is new there, and nothing is compared.',
    fix: "Nothing to do: once it is there, changes are compared with it.",
  },
  "against-nothing": {
    severity: "error",
    section: "§1.6",
    message: "There is no connector to compare: the project could not be loaded.",
    fix: "Correct the errors that are listed with this one.",
  },
} as const satisfies RuleFamily;
