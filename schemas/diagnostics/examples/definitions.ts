/** Examples of what can be wrong with the calls that define a connector, and with what is said of findings. */
import type { Examples, RuleExample } from "./example.js";

export const definitionExamples: Examples = {
  "definition-invalid": module('version: "1",', "version: 1,"),
  "definition-option-unknown": module("version: 1,\n  dataObject: [],", "version: 1,"),
  "definition-action-unplaced": {
    part: "action",
    bad: `const Building = defineDataObject("Building", {
  id: Type.String({ description: "Identifier." }),
}, { description: "What stands on a site.", primaryKey: { name: "id", properties: ["id"] } });
const CreateSite = defineAction(Building, "Create", { description: "Builds a house." });`,
    good: 'const CreateSite = defineAction(Site, "Create", { description: "Opens a site." });',
  },
  "definition-reader-type-unknown": {
    part: "object",
    bad: site('readerType: "delta",'),
    good: site('readerType: "incremental",'),
  },
  "silence-invalid": silence('"sensitive-not-write-only": ""', '"sensitive-not-write-only": "It is public."'),
  "silence-code-unknown": silence(
    '"sensitive": "It is public."',
    '"sensitive-not-write-only": "It is public."',
  ),
  "silence-refused": silence(
    '"sensitive-not-write-only": "It is public.", "constraint-invalid": "We know."',
    '"sensitive-not-write-only": "It is public."',
  ),
  "silence-unused": silence(
    '"sensitive-not-write-only": "It is public.", "description-missing": "Later."',
    '"sensitive-not-write-only": "It is public."',
  ),
};

function module(bad: string, good: string): RuleExample {
  const code = (options: string) => `const App = defineModule({
  name: "App",
  key: "app",
  ${options}
  description: "All of it.",
  dataObjects: [Site],
});`;
  return { part: "module", bad: code(bad), good: code(good) };
}

function site(option: string): string {
  return `const Site = defineDataObject("Site", {
  id: Type.String({ description: "Identifier." }),
}, {
  description: "A place where work is done.",
  primaryKey: { name: "id", properties: ["id"] },
  ${option}
});`;
}

function silence(bad: string, good: string): RuleExample {
  const code = (silences: string) => `officeEmail: Type.String({
  description: "Address of the office.",
  silence: { ${silences} },
}),`;
  return { part: "properties", bad: code(bad), good: code(good) };
}
