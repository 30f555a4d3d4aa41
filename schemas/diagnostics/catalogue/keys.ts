/** What can be wrong with primary and alternate keys (spec §2.6). */
export const keyMessages = {
  "key-missing": {
    severity: "error",
    section: "§2.6",
    message: 'Data object "{object}" has no primary key.',
    fix: "Declare primaryKey with the properties that identify a record in the target system.",
  },
  "key-several-primary": {
    severity: "error",
    section: "§2.6",
    message: 'Data object "{object}" has {count} primary keys; it must have one.',
    fix: "Keep one as primaryKey and list the others under alternateKeys.",
  },
  "key-empty": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" lists no property.',
    fix: "List the required properties that form the key.",
  },
  "key-property-unknown": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" names "{property}", and no property has that name.{hint}',
    fix: "Name a property of this object, as it is called in the code.",
  },
  "key-property-nested": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" names "{property}", a path into a nested value.',
    fix: "Name top-level properties only; copy the nested value into a property of its own.",
  },
  "key-property-optional": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" uses "{property}", which is optional.',
    fix: "Take Type.Optional off this property, or choose one that every record has.",
  },
  "key-property-nullable": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" uses "{property}", which may be null.',
    fix: "Take Nullable off this property, or choose one that is never null.",
  },
  "key-property-not-scalar": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" uses "{property}", whose value is an object or a list.',
    fix: "Use properties that hold a text, a number or a boolean: a key joins their values.",
  },
  "key-property-repeated": {
    severity: "error",
    section: "§2.6",
    message: 'Key "{key}" of "{object}" lists "{property}" more than once.',
    fix: "List each property once.",
  },
  "key-name-unsafe": {
    severity: "error",
    section: "§2.6",
    message: 'The key name "{key}" of "{object}" holds characters that do not belong in a key name.',
    fix: 'Use letters, digits, hyphens and underscores; "id" is a fine name for every object.',
  },
  "key-duplicate-name": {
    severity: "error",
    section: "§2.6",
    message: 'Two keys of "{object}" are named "{key}".',
    fix: "Give each key of an object a name of its own.",
  },
  "key-duplicate-properties": {
    severity: "warning",
    section: "§2.6",
    message: 'Keys "{key}" and "{other}" of "{object}" list the same properties.',
    fix: "Remove one of the two.",
  },
} as const;
