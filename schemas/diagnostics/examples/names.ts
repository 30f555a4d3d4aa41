/** Examples of the rules of names and url parts (spec §2.9). */
import type { Examples, RuleExample } from "./example.js";

export const nameExamples: Examples = {
  "name-empty": module('key: "",', 'key: "app",'),
  "name-duplicate-property": {
    part: "properties",
    bad: `city: Type.String({ description: "City of the post." }),
town: Type.String({ description: "Town next to it.", jsonPropertyName: "city" }),`,
    good: `city: Type.String({ description: "City of the post." }),
town: Type.String({ description: "Town next to it." }),`,
  },
  "name-duplicate": objects('"Site"', '"Building"'),
  "name-url-collision": objects('"SITE"', '"Sites"'),
  "name-url-unsafe": module('key: "our app",', 'key: "our-app",'),
  "name-style-mixed": {
    part: "properties",
    bad: `openedOn: Type.String({ description: "First day." }),
closedOn: Type.String({ description: "Last day.", jsonPropertyName: "closed_on" }),
ownedBy: Type.String({ description: "Owner." }),`,
    good: `openedOn: Type.String({ description: "First day." }),
closedOn: Type.String({ description: "Last day." }),
ownedBy: Type.String({ description: "Owner." }),`,
  },
  "name-reserved": objects('"Promise"', '"Commitment"'),
  "name-not-identifier": objects('"pay-slip"', '"PaySlip"'),
};

function module(bad: string, good: string): RuleExample {
  const code = (key: string) => `const App = defineModule({
  name: "App",
  ${key}
  version: 1,
  description: "All of it.",
  dataObjects: [Site],
});`;
  return { part: "module", bad: code(bad), good: code(good) };
}

/** A second data object of this name. */
function objects(bad: string, good: string): RuleExample {
  const code = (name: string) => `const Other = defineDataObject(${name}, {
  id: Type.String({ description: "Identifier." }),
}, {
  description: "What is built on a site.",
  primaryKey: { name: "id", properties: ["id"] },
});
const App = defineModule({
  name: "App", key: "app", version: 1, description: "All of it.",
  dataObjects: [Site, Other],
});`;
  return { part: "module", bad: code(bad), good: code(good) };
}
