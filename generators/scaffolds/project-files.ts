/** The project files of an author beside the schema modules: what makes a project install, type-check and run. */
import type { ConnectorModel } from "../../schemas/model/connector-model.js";
import { fileName } from "../../schemas/naming/identifiers.js";
import type { GeneratedFile } from "../generated-file.js";
import { render } from "../render.js";

/** `package.json`, `tsconfig.json`, `.gitignore` and a README; `version` is that of this package. */
export function authorProject(
  model: Pick<ConnectorModel, "title" | "key">,
  version: string,
): readonly GeneratedFile[] {
  const name = fileName(model.key || model.title);
  const manifest = {
    name: `${name}-connector`,
    version: "1.0.0",
    private: true,
    type: "module",
    scripts: {
      gen: "connectorcli gen",
      extract: "connectorcli extract",
      check: "connectorcli check",
      // yarn 1 has a command of its own called check, which never looks here; this name is free everywhere.
      verify: "connectorcli gen --check && connectorcli extract --check && connectorcli check --strict",
      "test:connection": "connectorcli test connection",
      typecheck: "tsc",
    },
    dependencies: { "@sinclair/typebox": "^0.34.0", connectorcli: `^${version}` },
    devDependencies: { typescript: "^5.9.0" },
  };
  return [
    scaffold("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`),
    scaffold("tsconfig.json", render("author-tsconfig.json", {})),
    scaffold(".gitignore", "node_modules/\ntest-settings.json\n.connectorcli/\n"),
    scaffold(".github/workflows/connector.yml", render("author-workflow.yml", {})),
    scaffold("README.md", render("author-readme.md", { name: manifest.name })),
  ];
}

function scaffold(path: string, content: string): GeneratedFile {
  return { path, content, ownership: "scaffold" };
}
