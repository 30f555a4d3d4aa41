/** The formats that validators check: those of ajv-formats, which a test holds this list to. */
export const KNOWN_FORMATS: readonly string[] = [
  "binary",
  "byte",
  "date",
  "date-time",
  "double",
  "duration",
  "email",
  "float",
  "hostname",
  "int32",
  "int64",
  "ipv4",
  "ipv6",
  "iso-date-time",
  "iso-time",
  "json-pointer",
  "json-pointer-uri-fragment",
  "password",
  "regex",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "url",
  "uuid",
];

/** Whether validators know `format`. */
export function isKnownFormat(format: string): boolean {
  return KNOWN_FORMATS.includes(format);
}
