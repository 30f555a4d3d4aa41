/** A project of many data objects, a module each, for tests of what commands cost. */
import { smallConnector } from "./small-connector.js";

const MEMBERS = 15;

/** The files of a project with `count` data objects and one more. */
export function manyObjects(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => `Thing${index}`);
  const modules = names.map((name) => [`schemas/app/${name.toLowerCase()}.ts`, objectModule(name)] as const);
  const imports = names.map((name) => `import { ${name} } from "./schemas/app/${name.toLowerCase()}.js";`);
  const connector = smallConnector({ before: imports.join("\n") });
  return {
    ...Object.fromEntries(modules),
    "connector.ts": connector.replace("dataObjects: [Site]", `dataObjects: [Site, ${names.join(", ")}]`),
  };
}

function objectModule(name: string): string {
  const properties = Array.from(
    { length: MEMBERS },
    (_, index) =>
      `  member${index}: Nullable(Type.String({ description: "What it says of it.", maxLength: 99 })),`,
  );
  return `import { defineDataObject, Nullable, Type } from "connectorcli";
export const ${name} = defineDataObject("${name}", {
  id: Type.String({ description: "What it is known by." }),
${properties.join("\n")}
}, { description: "A thing of the company.", primaryKey: { name: "id", properties: ["id"] } });
`;
}
