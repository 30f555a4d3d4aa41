/** `connectorcli build`: the connector as one module for a host, with connector.json and a manifest. */
import path from "node:path";
import { projectOf, stringOf } from "../command-line/arguments.js";
import type { Arguments } from "../command-line/command.js";
import type { Shell } from "../command-line/shell.js";
import { findingsJson, findingsText } from "../findings/findings-text.js";
import { buildConnector } from "../workbench/build.js";

export async function build(args: Arguments, shell: Shell): Promise<number> {
  const project = projectOf(args, shell);
  const output = stringOf(args["output"]);
  const { directory, files, drivers, diagnostics } = await buildConnector({
    ...project,
    ...(output === undefined ? {} : { directory: path.resolve(shell.cwd, output) }),
    external: (stringOf(args["external"]) ?? "").split(",").filter((name) => name !== ""),
  });
  const shown = path.relative(shell.cwd, directory) || directory;
  if (args["json"] === true) {
    const result = {
      directory: shown,
      files,
      drivers,
      diagnostics: findingsJson(diagnostics, project.folder),
    };
    shell.result(`${JSON.stringify(result, undefined, 2)}\n`);
  } else {
    if (diagnostics.length > 0) shell.say(findingsText(diagnostics, { cwd: shell.cwd }).trimEnd());
    for (const { path: name, bytes } of files) shell.say(`${path.join(shown, name)}: ${kilobytes(bytes)}`);
    if (files.length === 0) shell.say("nothing written");
    else if (drivers.length > 0)
      shell.say(`the host needs ${drivers.join(", ")} where it uses them; all else is in the module`);
  }
  return files.length === 0 ? 1 : 0;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
}
