/** The mistakes in the keys of a connector.json, counted from the JSON and nothing else. */
import type { ConnectorJson } from "../../schemas/formats/connector-json.js";

export interface KeyFault {
  readonly code: string;
  readonly pointer: string;
  /** The property that is wrong; absent where the key as a whole is. */
  readonly property?: string;
}

interface PlainSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string | readonly string[] } | true>>;
  readonly required?: readonly string[];
}

/** Every fault of every key, in the order of the file. */
export function keyFaults({ modules }: ConnectorJson): readonly KeyFault[] {
  return modules.flatMap(({ dataObjects }, m) =>
    dataObjects.flatMap(({ schema, keys }, o) => {
      const pointer = `/modules/${m}/dataObjects/${o}/keys`;
      const isMissing = !keys.some(({ isPrimary }) => isPrimary);
      return [
        ...(isMissing ? [{ code: "key-missing", pointer }] : []),
        ...keys.flatMap(({ propertyNames }, k) =>
          faultsOf(propertyNames, schema as PlainSchema).map((fault) => ({
            ...fault,
            pointer: `${pointer}/${k}`,
          })),
        ),
      ];
    }),
  );
}

function faultsOf(names: readonly string[], { properties = {}, required = [] }: PlainSchema) {
  if (names.length === 0) return [{ code: "key-empty" }];
  return names.flatMap((name) => {
    const property = properties[name];
    if (property === undefined) return [{ code: "key-property-unknown", property: name }];
    const isNullable = property === true || !property.type || property.type.includes("null");
    return [
      ...(required.includes(name) ? [] : [{ code: "key-property-optional", property: name }]),
      ...(isNullable ? [{ code: "key-property-nullable", property: name }] : []),
    ];
  });
}
