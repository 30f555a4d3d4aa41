/** The connector runs against the platform: connection test, syncs, actions. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { edit } from "./stage.mjs";

const CREATE = ["--data-object-url", "project", "--action-url", "create", "--input", "input.json"];

export async function runConnector(stage) {
  const { step, run, platform, project } = stage;
  const cli = (...args) => run("projects-api", ...args);
  const write = (input) => writeFileSync(path.join(project, "input.json"), JSON.stringify(input));

  step(
    "The settings are filled in, the token is a variable of the environment, and the connection is tested.",
  );
  await cli(0, "test", "init");
  edit(path.join(project, "test-settings.json"), fillIn);
  await cli(0, "test", "connection");

  step("A first sync reads everything, with progress on a terminal.");
  await cli(0, "run", "cache-writer");
  step("Nothing has changed: projects are compared, timesheets are asked for since the checkpoint.");
  await cli(0, "run", "cache-writer");
  step("A day later one project has another title, one is gone, and one does not fit: it is rejected.");
  await platform.passDay();
  await cli(0, "run", "cache-writer");
  await cli(0, "cache", "rejected");

  step("An action creates a project. Its record is in the cache at once, its write-only value hidden.");
  const dam = { number: "N-1", title: "Dam", status: "Planned", budget: null };
  write({ ...dam, managerEmail: "someone@secret.example" });
  await cli(0, "run", "action-processor", ...CREATE);
  await cli(0, "cache", "changes", "--since", "10004");
  await cli(0, "cache", "get", "project", "N-1", "--by", "number");

  step(
    "The platform refuses the same number again: the action has failed. An outage passes: it is tried again.",
  );
  await cli(1, "run", "action-processor", ...CREATE);
  write({ ...dam, number: "N-2" });
  // The client tries a few times by itself.
  await platform.end();
  await cli(1, "run", "action-processor", ...CREATE);
  await cli(0, "queue", "list");
}

/** What an author enters into the settings that `test init` writes. */
function fillIn(text) {
  const settings = JSON.parse(text);
  const [connection] = settings.testSettings.connections;
  const entered = { connectionEnvironment: 2, apiToken: `\${PROJECTS_TOKEN}` };
  Object.assign(connection.configuration, entered);
  return JSON.stringify(settings, undefined, 2);
}
