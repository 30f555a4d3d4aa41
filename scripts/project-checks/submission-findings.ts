/** What a connector lacks besides its schemas, so that it can be submitted: `check` and `extract` say it alike. */
import { existsSync } from "node:fs";
import path from "node:path";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { REGISTRATION_FILE } from "../../generators/layout.js";
import { sdkFindings } from "../../generators/migration/sdk-version.js";
import type { Diagnostic } from "../../schemas/diagnostics/diagnostic.js";
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { rootModule } from "../author-project/loaded-project.js";
import { readPackageText } from "../system/files.js";
import { packageVersion } from "../system/package-files.js";
import { readTextIfExists } from "../system/read-text.js";
import { registrationFindings } from "./rules/registration.js";

/** The findings of the project in `root`, without those that it turns off. A folder without a package.json is no project yet. */
export function submissionFindings(root: string, model: ConnectorModel | undefined): readonly Diagnostic[] {
  const { file, text } = readPackageText(root);
  if (text === "") return [];
  const found = [
    ...sdkFindings({ text, file, version: packageVersion() }),
    ...(model === undefined ? [] : registrationIn(root, model)),
  ];
  const settings = parseTree(text);
  const isOff = (code: string) =>
    settings !== undefined &&
    findNodeAtLocation(settings, ["connectorcli", "severities", code])?.value === "off";
  return found.filter(({ code }) => !isOff(code));
}

function registrationIn(root: string, model: ConnectorModel): readonly Diagnostic[] {
  const exists = (name: string) => existsSync(path.join(root, name));
  const file = rootModule(root) ?? root;
  // An author may write JavaScript.
  const names = [REGISTRATION_FILE, REGISTRATION_FILE.replace(/ts$/, "js")];
  const registration = names
    .map((name) => readTextIfExists(path.join(root, name)))
    .find((text) => text !== undefined);
  return registrationFindings(model, {
    file,
    registration,
    exists: (name) => exists(name) || exists(name.replace(/ts$/, "js")),
  });
}
