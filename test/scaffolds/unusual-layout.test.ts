import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { connectorcli } from "../support/command-line.js";
import { folderWith } from "../support/folders.js";
import { SLOW_TEST_MS } from "../support/repository.js";

const crlf = (text: string) => text.replaceAll("\n", "\r\n");

const ROOT = `#!/usr/bin/env node
// @ts-check
/* The connector: it is exported again below. */
export { personnel as connector } from './src/personnel'
`;

const PERSONNEL = `'use strict'
import * as sdk from 'connectorcli' // the vocabulary
import { everything } from "./lists"

const about = { key: 'personnel', /* to be said better */ description: 'People.' } as const

export const personnel = sdk.defineConnector('Personnel', { ...about,
    connections: [],   modules: everything
    , } satisfies sdk.ConnectorOptions)
`;

const LISTS = `import { defineModule as module_ } from 'connectorcli';
import {Person,   Team} from '../people'

/** All that is read.
 *  ], }, "modules": [] */
export const people = module_("App", { key: \`app\`, version: 0x1,
  description: 'People ] } and "teams".',
	dataObjects: [
		Person, // comes first
		// Contract,
		Team  // [later]
	], })

export const everything = ( [ people ] )
`;

const PEOPLE = `import {
  defineDataObject,
  Type as T, // TypeBox
} from 'connectorcli'

const key = ['id'] as const
const id = T.String({ description: 'Number of the person.' })

export const Person = defineDataObject('Person', { description: 'Someone.', primaryKey: key, properties: { id } }) // one
export const Team = defineDataObject("Team", { description: 'Several.', primaryKey: key, properties: { id } })

// the end`;

const PROJECT = {
  "connector.ts": ROOT,
  "src/personnel.ts": crlf(PERSONNEL),
  "src/lists.ts": crlf(LISTS),
  "people.ts": PEOPLE,
};

const inModule = (words: string, id: string, ...args: readonly string[]) => [
  ...[words, "new", "--module-id", id, ...args],
];
const newModule = (key: string, version: string) => [
  ...["module", "new", "--id", `${key}-${version}`, "--name", "App", "--key", key, "--version", version],
];
const TEN = [
  newModule("app", "2"),
  newModule("hr", "1"),
  inModule("data-object", "app-1", "--name", "Contract"),
  inModule("data-object", "app-1", "--name", "Site"),
  inModule("data-object", "app-2", "--name", "Person", "--reader-type", "incremental"),
  inModule("action", "app-1", "--object-name", "Person", "--name", "Create"),
  inModule("action", "app-1", "--object-name", "Person", "--name", "Update"),
  inModule("action", "app-1", "--object-name", "Team", "--name", "Close"),
  inModule("action", "app-1", "--object-name", "Site", "--name", "Delete"),
  inModule("action", "app-2", "--object-name", "Person", "--name", "Create"),
];

describe("a project in an unusual layout", () => {
  const folder = folderWith(PROJECT);
  const textOf = (name: string) => readFileSync(path.join(folder, name), "utf8");

  it("takes ten edits", async () => {
    for (const call of TEN) {
      const { status, stderr } = await connectorcli(folder, ...call);
      expect(status, `${call.join(" ")}\n${stderr}`).to.equal(0);
    }
    const { stdout } = await connectorcli(folder, "check", "--format", "json");
    expect(JSON.parse(stdout).summary).to.include({ errors: 0 });
  }).timeout(SLOW_TEST_MS);

  it("keeps the modules that only lead on as they were", () => {
    expect(textOf("connector.ts")).to.equal(ROOT);
    expect(textOf("src/personnel.ts")).to.equal(crlf(PERSONNEL));
  });

  it("has two modules more in its list, and what was added in the module's own lists", () => {
    const expected = LISTS.replace(
      "import {Person,   Team} from '../people'\n",
      `import {CloseTeam, CreatePerson, Person,   Team, UpdatePerson} from '../people'
import { AppModule2 } from '../schemas/app2/module'
import { AppModule3 } from '../schemas/hr/module'
import { Contract } from '../schemas/app/contract'
import { DeleteSite, Site } from '../schemas/app/site'
`,
    )
      .replace("\t\tTeam  // [later]\n", "\t\tTeam,  // [later]\n\t\tContract,\n\t\tSite\n")
      .replace("\t], })", "\t],\n\tactions: [CreatePerson, UpdatePerson, CloseTeam, DeleteSite], })")
      .replace("( [ people ] )", "( [ people, AppModule2, AppModule3 ] )");
    expect(textOf("src/lists.ts")).to.equal(crlf(expected));
  });

  it("has actions behind their objects, and the imports that they need", () => {
    const expected = PEOPLE.replace("  Type as T, // TypeBox\n", "  Type as T, // TypeBox\n  defineAction,\n")
      .replace(
        "// one\n",
        `// one

export const CreatePerson = defineAction("Create", {
  dataObject: Person,
  description: "Creates a person in the target system.",
  input: T.Omit(Person.schema, ["id"]),
  output: T.Partial(T.Pick(Person.schema, ["id"])),
});

export const UpdatePerson = defineAction("Update", {
  dataObject: Person,
  description: "Updates a person in the target system.",
  input: T.Composite([T.Pick(Person.schema, ["id"]), T.Partial(T.Omit(Person.schema, ["id"]))]),
  output: T.Pick(Person.schema, ["id"]),
});

`,
      )
      .replace(
        "\n\n// the end",
        `

export const CloseTeam = defineAction("Close", {
  dataObject: Team,
  description: "Closes a team in the target system.",
  input: T.Pick(Team.schema, ["id"]),
  output: T.Pick(Team.schema, ["id"]),
});

// the end`,
      );
    expect(textOf("people.ts")).to.equal(expected);
  });
});
