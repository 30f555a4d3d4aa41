/** Where the author's code defines a connection: found anew after every edit. */
import { type ClientNames, rootModule } from "../scaffolds/index.js";
import {
  calleeName,
  type EditPlace,
  itemsOf,
  literalAt,
  locate,
  ownProperty,
  removeProperty,
  type SourceFiles,
} from "../source-edits/index.js";

/** The options of the definition, or what they have called `name`. */
export function definitionPlace(
  files: SourceFiles,
  { definition, definitionFile }: ClientNames,
  ...name: readonly string[]
): EditPlace | undefined {
  const steps = [1, ...name];
  if (definition === undefined) return { start: { file: definitionFile, call: "defineConnection" }, steps };
  const start = { file: rootModule(files), call: "defineConnector" };
  const list = locate(files, start, [0, "connections"]);
  const items = list.spot === undefined ? [] : itemsOf(files, list.spot);
  const calls = items.filter(
    (spot) =>
      calleeName(files, spot) === "defineConnection" && literalAt(files, spot, [0]) === definition.className,
  );
  return calls.length === 1 && calls[0] !== undefined ? { start: calls[0], steps } : undefined;
}

/** Takes the property that `names` lead to out of the definition, where it is written plainly. */
export function removeFromDefinition(
  files: SourceFiles,
  client: ClientNames,
  names: readonly string[],
): void {
  const place = definitionPlace(files, client, ...names.slice(0, -1));
  const holder = place && locate(files, place.start, place.steps).spot;
  const property = holder && ownProperty(holder, names.at(-1) ?? "");
  if (holder !== undefined && property !== undefined) removeProperty(files, holder, property);
}
