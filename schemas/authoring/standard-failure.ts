/** The failure of an action that declares none: the same in all known connectors. */
import { Type } from "@sinclair/typebox";
import { Nullable } from "./types.js";

/** Code, an optional code of the target system, and the errors with their text and source. */
export const StandardFailure = Type.Object({
  code: Type.Optional(Type.String({ jsonPropertyName: "code" })),
  userDefinedCode: Type.Optional(Nullable(Type.String(), { jsonPropertyName: "user_defined_code" })),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        text: Type.Optional(Type.String({ jsonPropertyName: "text" })),
        source: Type.Optional(Nullable(Type.Array(Nullable(Type.String())), { jsonPropertyName: "source" })),
        details: Type.Optional(Type.Unknown({ jsonPropertyName: "details" })),
      }),
      { jsonPropertyName: "errors" },
    ),
  ),
});
