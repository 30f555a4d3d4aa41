import type { TSchema } from "@sinclair/typebox";
import { expect } from "chai";
import {
  CacheWriterObjectConfig,
  DefaultActionHandlerConfig,
  IncrementalObjectConfig,
  StandardFailure,
} from "../../schemas/entries/vocabulary.js";
import { buildDocument } from "../../schemas/model/from-author/build-schema.js";
import { rootLocation } from "../../schemas/model/from-author/option-reader.js";
import { standardFailure } from "../../schemas/model/standard-failure.js";
import { SWITCH_SCHEMAS } from "../../schemas/model/switches.js";

function built(schema: TSchema, convention: "camelCase" | "PascalCase") {
  return buildDocument(schema, rootLocation("a value", convention));
}

describe("parts of the model that the vocabulary has too", () => {
  it("are the same: the standard failure", () => {
    expect(built(StandardFailure, "camelCase")).to.deep.equal(standardFailure());
  });

  it("are the same: the switches of service configurations", () => {
    const own = { CacheWriterObjectConfig, IncrementalObjectConfig, DefaultActionHandlerConfig };
    for (const [name, make] of Object.entries(own)) {
      const schema = SWITCH_SCHEMAS[name as keyof typeof SWITCH_SCHEMAS];
      expect(built(make(), "PascalCase").root).to.deep.equal(schema);
    }
  });
});
