/** The way back from connector.json to schema modules, and what a mistake in them leads to. */
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { edit } from "./stage.mjs";

export async function showRoundTrip({ step, run, say, work }) {
  step("A connector.json becomes schema modules again, as if a person had written them.");
  await run(".", 0, "import", "connector-json", "projects-api/connector.json", "--directory", "imported");
  say(`\n${read("imported/schemas/app/timesheet.ts")}`);
  step("Extracting those gives the same file.");
  await run("imported", 0, "extract");
  if (read("imported/connector.json") !== read("projects-api/connector.json"))
    throw new Error("the two files differ.");
  say("The two files are the same, byte for byte.");

  function read(file) {
    return readFileSync(path.join(work, file), "utf8");
  }
}

export async function showMistake({ step, run, project, work }) {
  step("A mistake: the key of a record is made optional, and a contact address is shown to everyone.");
  const broken = path.join(work, "broken");
  cpSync(project, broken, { recursive: true });
  edit(path.join(broken, "schemas/app/project.ts"), (text) =>
    text
      .replace(/id: (Type\.String\(\{ format: "uuid".*?\}\)),/, "id: Type.Optional($1),")
      .replace(/writeOnly: true,?/, ""),
  );
  await run("broken", 1, "extract");
  await run("broken", 1, "check");
}
