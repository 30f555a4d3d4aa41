import { expect } from "chai";
import {
  call,
  list,
  object,
  textWith,
  ts,
  typeSymbol,
  valueSymbol,
} from "../../generators/typescript/code.js";
import { ModulePrinter } from "../../generators/typescript/module-printer.js";

const typedRecord = valueSymbol("connectorcli/codegen", "typedRecord");
const recordMethods = typeSymbol("connectorcli/codegen", "RecordMethods");
const project = valueSymbol("schemas/app/project.ts", "Project");

/** The text of a module at `schemas/app/module.ts` that prints these statements. */
function printModule(...statements: readonly Parameters<ModulePrinter["print"]>[0][]): string {
  const module = new ModulePrinter("schemas/app/module.ts", "A module.");
  for (const statement of statements) module.print(statement);
  return module.scaffoldFile().content;
}

describe("a printed module", () => {
  it("imports what its statements use, once, packages first", () => {
    expect(printModule(ts`use(${project});`, ts`use(${typedRecord}, ${project});`)).to.equal(
      [
        "/** A module. */",
        'import { typedRecord } from "connectorcli/codegen";',
        'import { Project } from "./project.js";',
        "",
        "use(Project);",
        "",
        "use(typedRecord, Project);",
        "",
      ].join("\n"),
    );
  });

  it("sorts its imports: packages, then the project's own modules, each by name", () => {
    const names = ["schemas/z.ts", "zod", "schemas/app/a.ts", "@scope/package", "schemas/b.ts", "ajv"];
    for (const given of [names, names.toReversed(), names.toSorted()]) {
      const statements = given.map((name, index) => ts`use(${valueSymbol(name, `own${index}`)});`);
      const specifiers = [...printModule(...statements).matchAll(/ from "(.+)";/g)].map(([, name]) => name);
      expect(specifiers).to.deep.equal(["@scope/package", "ajv", "zod", "../b.js", "../z.js", "./a.js"]);
    }
  });

  it("imports nothing that no statement uses, and nothing from itself", () => {
    expect(printModule(ts`use(${valueSymbol("schemas/app/module.ts", "Own")});`)).to.equal(
      "/** A module. */\n\nuse(Own);\n",
    );
  });

  it("imports as a type what is only used as one", () => {
    expect(printModule(ts`type A = ${recordMethods};`)).to.include(
      'import type { RecordMethods } from "connectorcli/codegen";',
    );
    expect(printModule(ts`type A = ${recordMethods}; use(${typedRecord});`)).to.include(
      'import { type RecordMethods, typedRecord } from "connectorcli/codegen";',
    );
    expect(printModule(ts`use(${project}, ${typeSymbol("schemas/app/project.ts", "Project")});`)).to.include(
      'import { Project } from "./project.js";',
    );
  });

  it("imports under another name what it declares itself", () => {
    const module = new ModulePrinter("generated/app/record-methods.ts", "RecordMethods and its actions.");
    module.declared.add("RecordMethods");
    module.print(ts`export class RecordMethods extends base<${recordMethods}<Json>> {}`);
    const { content } = module.generatedFile();
    expect(content).to.include(
      'import type { RecordMethods as RecordMethods$1 } from "connectorcli/codegen";',
    );
    expect(content).to.include("extends base<RecordMethods$1<Json>>");
  });

  it("imports the names in ready text, which keeps them", () => {
    const text = textWith([valueSymbol("connectorcli/codegen", "isDate")], "isDate(a);");
    expect(printModule(text)).to.equal(
      '/** A module. */\nimport { isDate } from "connectorcli/codegen";\n\nisDate(a);\n',
    );
  });

  it("breaks what is wider than a line where it stands in the text", () => {
    const names = list(["Employee", "Department", "Timesheet"].map((name) => `"${name.repeat(4)}"`));
    const definition = call(
      valueSymbol("connectorcli", "defineModule"),
      '"App"',
      object([{ key: "names", value: names }]),
    );
    expect(printModule(ts`export const App = ${definition};`)).to.equal(
      [
        "/** A module. */",
        'import { defineModule } from "connectorcli";',
        "",
        'export const App = defineModule("App", {',
        "  names: [",
        '    "EmployeeEmployeeEmployeeEmployee",',
        '    "DepartmentDepartmentDepartmentDepartment",',
        '    "TimesheetTimesheetTimesheetTimesheet",',
        "  ],",
        "});",
        "",
      ].join("\n"),
    );
  });
});
