/** A new client: everything that reaches the target system with one auth type, and the lines that join it to the rest. */
import type { AuthType, ConnectorModel } from "../../schemas/model/connector-model.js";
import { AUTH_TYPE_FACTS } from "./auth-types.js";
import { editForClient } from "./client-edits.js";
import {
  type ClientNames,
  clientFiles,
  clientNames,
  REGISTRATION_FILE,
  registrationFile,
} from "./client-files.js";
import { missingServices } from "./missing-services.js";
import { changedFiles, type Scaffold, type ScaffoldSource } from "./scaffold.js";

export type { ClientNames } from "./client-files.js";

export interface NewClient {
  readonly authType: AuthType;
  /** Name of the definition's class; the one of the type that is there, or the usual one, where it is left out. */
  readonly name: string | undefined;
}

/** The names of the connection that is meant, or why there can be none, as a sentence. */
export function namesOfClient(model: ConnectorModel, { authType, name }: NewClient): ClientNames | string {
  const { className: usual } = AUTH_TYPE_FACTS[authType];
  const ofType = model.connections.filter((one) => one.authType === authType);
  const present = ofType.find(({ className }) => className === usual) ?? ofType[0];
  const className = name ?? present?.className ?? usual;
  const same = model.connections.find((one) => one.className === className);
  if (same !== undefined && same.authType !== authType)
    return `The connection "${className}" has the auth type ${same.authType}. Choose another --name.`;
  const names = clientNames(model, authType, className);
  const sameKey = model.connections.find(({ key }) => key === names.key);
  if (sameKey !== undefined && sameKey !== names.definition)
    return `The definition key "${names.key}" belongs to "${sameKey.className}". Choose another --name.`;
  return names;
}

/** Its files. What is there already is kept; only lists get a line more. */
export function clientScaffold(names: ClientNames, source: ScaffoldSource): Scaffold {
  const { model, files } = source;
  const problems = editForClient(files, names);
  const isJoined = files.text(REGISTRATION_FILE) !== undefined;
  const services = isJoined ? { files: [], diagnostics: [] } : missingServices(source);
  const changed = changedFiles(files.changes());
  const edited = new Set(changed.map(({ path }) => path));
  const scaffolds = [...clientFiles(names), registrationFile(model), ...services.files];
  return {
    files: [...scaffolds.filter(({ path }) => !edited.has(path)), ...changed],
    diagnostics: [...problems, ...services.diagnostics],
  };
}
