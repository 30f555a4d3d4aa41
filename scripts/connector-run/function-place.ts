/** Where a function stands in the author's code: the engine knows it of every function. */
import { Session } from "node:inspector";
import { findSourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import type { CodePlace } from "../author-project/loaded-project.js";

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

const ASKED = Symbol.for("connectorcli.function");

/** The place of a function of the module `bundleFile`, by its source map; undefined for any other function. */
export function placeOfFunction(subject: unknown, bundleFile: string): CodePlace | undefined {
  if (typeof subject !== "function") return undefined;
  const session = new Session();
  session.connect();
  Reflect.set(globalThis, ASKED, subject);
  try {
    const addresses = new Map<string, string>();
    session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => void addresses.set(scriptId, url));
    session.post("Debugger.enable");
    const location = locationIn(session);
    const address = location && addresses.get(location.scriptId);
    if (location === undefined || address === undefined || !address.startsWith("file:")) return undefined;
    return fileURLToPath(address) === bundleFile ? placeInSource(location, bundleFile) : undefined;
  } finally {
    Reflect.deleteProperty(globalThis, ASKED);
    session.disconnect();
  }
}

/** The session is of this process: it answers at once. */
function locationIn(session: Session): Location | undefined {
  let objectId: string | undefined;
  session.post(
    "Runtime.evaluate",
    { expression: `globalThis[Symbol.for(${JSON.stringify(ASKED.description)})]` },
    (_, answer) => {
      objectId = answer?.result.objectId;
    },
  );
  let location: Location | undefined;
  if (objectId === undefined) return undefined;
  session.post("Runtime.getProperties", { objectId, ownProperties: true }, (_, answer) => {
    const found = answer?.internalProperties?.find(({ name }) => name === "[[FunctionLocation]]");
    location = found?.value?.value as Location | undefined;
  });
  return location;
}

function placeInSource({ lineNumber, columnNumber }: Location, bundleFile: string): CodePlace | undefined {
  const entry = findSourceMap(bundleFile)?.findEntry(lineNumber, columnNumber);
  if (entry === undefined || !("originalSource" in entry)) return undefined;
  const { originalSource: source, originalLine, originalColumn } = entry;
  const file = source.startsWith("file:") ? fileURLToPath(source) : source;
  return { file, line: originalLine + 1, column: originalColumn + 1 };
}
