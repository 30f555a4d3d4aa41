/** Recursive types are the only ones with $defs and $ref; nullable uses refer to a definition of their own (§2.10). */
import { defineAction, defineConnector, defineDataObject, defineModule, Nullable, Type } from "connectorcli";

/** The object itself is recursive. */
const Folder = defineDataObject(
  "Folder",
  Type.Recursive(
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
  { description: "A folder.", primaryKey: { name: "id", properties: ["id"] } },
);

const Forms = Type.Module({
  Field: Type.Object({ label: Type.String(), groups: Type.Array(Type.Ref("Group")) }),
  Group: Type.Object({ title: Type.String(), first: Type.Optional(Nullable(Type.Ref("Field"))) }),
});

/** Types that refer to each other, used by several properties. */
const Form = defineDataObject(
  "Form",
  {
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
  { description: "A form.", primaryKey: { name: "id", properties: ["id"] } },
);

/** A recursive type keeps its properties where it is composed anew. */
const Move = defineAction(Folder, "Move", {
  description: "Moves a folder.",
  input: Type.Object({ folder: Folder.schema }),
});

export const connector = defineConnector({
  name: "Recursion",
  key: "recursion",
  description: "Recursive types.",
  connections: [],
  modules: [
    defineModule({
      name: "App",
      key: "app",
      version: 1,
      description: "",
      dataObjects: [Folder, Form],
      actions: [Move],
    }),
  ],
});
