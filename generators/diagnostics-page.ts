/** `docs/diagnostics.md`, from the catalogue: one page for all codes. */
import { CATALOGUE, type CatalogueEntry } from "../schemas/diagnostics/catalogue.js";
import type { GeneratedFile } from "./generated-file.js";
import { render } from "./render.js";

/** The page, relative to the package's folder. */
export function diagnosticsPage(): GeneratedFile {
  const entries = Object.entries<CatalogueEntry>(CATALOGUE)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { severity, section, message, fix }]) => ({
      code,
      severity,
      section,
      message: cell(message),
      fix: cell(fix),
    }));
  return {
    path: "docs/diagnostics.md",
    content: render("diagnostics.md", { entries }),
    ownership: "generated",
  };
}

/** Parameters are shown as *words*; nothing in a cell ends it. */
function cell(text: string): string {
  return text.replace(/\|/g, "\\|").replace(/\{(\w+)\}/g, "*$1*");
}
