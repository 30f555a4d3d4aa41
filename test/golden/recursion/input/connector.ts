/** Recursive types are the only ones with $defs and $ref; nullable uses refer to a definition of their own (§2.10). */
import { defineAction, defineConnector, defineDataObject, defineModule, Nullable, Type } from "connectorcli";

/** The object itself is recursive. */
const Folder = defineDataObject("Folder", {
  description: "A folder.",
  primaryKey: "id",
  properties: Type.Recursive(
    (Self) =>
      Type.Object(
        {
          id: Type.String(),
          parent: Nullable(Self),
          children: Type.Array(Self, { description: "Folders inside." }),
        },
        { description: "A folder." },
      ),
    { $id: "Folder" },
  ),
});

const Forms = Type.Module({
  Field: Type.Object({ label: Type.String(), groups: Type.Array(Type.Ref("Group")) }),
  Group: Type.Object({ title: Type.String(), first: Type.Optional(Nullable(Type.Ref("Field"))) }),
});

/** Types that refer to each other, used by several properties. */
const Form = defineDataObject("Form", {
  description: "A form.",
  primaryKey: "id",
  properties: {
    id: Type.String(),
    field: Forms.Import("Field"),
    group: Type.Optional({
      ...Forms.Import("Group"),
      description: "Said of this use.",
      jsonPropertyName: "main_group",
    }),
    // Without an $id, a recursive type is named after its property.
    tree: Type.Recursive((Self) => Type.Object({ nodes: Type.Array(Self) })),
  },
});

/** A recursive type keeps its properties where it is composed anew. */
const Move = defineAction("Move", {
  dataObject: Folder,
  description: "Moves a folder.",
  input: Type.Object({ folder: Folder.schema }),
});

export const connector = defineConnector("Recursion", {
  key: "recursion",
  description: "Recursive types.",
  connections: [],
  modules: [
    defineModule("App", {
      key: "app",
      version: 1,
      description: "",
      dataObjects: [Folder, Form],
      actions: [Move],
    }),
  ],
});
