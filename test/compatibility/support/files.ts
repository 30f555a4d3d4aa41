/** The files that changes are tried on: real ones where they are at hand, the example, and made ones. */
import { readFileSync } from "node:fs";
import { corpusFiles } from "../../support/corpus.js";
import { inRepository } from "../../support/repository.js";
import { madeConnectors } from "./made-connectors.js";

type Json = ReturnType<typeof JSON.parse>;

export function mutatedFiles(): readonly Json[] {
  const example = readFileSync(inRepository("examples/projects-api/connector.json"), "utf8");
  return [...corpusFiles().map(({ text }) => text), example, ...madeConnectors(3)].map((text) =>
    JSON.parse(text),
  );
}
