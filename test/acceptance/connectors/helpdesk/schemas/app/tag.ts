/** Tag: a word that tickets are sorted by. */
import { defineDataObject, Type } from "connectorcli";

export const Tag = defineDataObject("Tag", {
  description: "A word that tickets are sorted by.",
  primaryKey: "id",
  readerType: "incremental",
  namingConvention: "snake_case",
  properties: {
    id: Type.Integer({ description: "Identifier in the help desk.", minimum: 1 }),
    word: Type.String({ description: "The word.", minLength: 1, maxLength: 60 }),
    changedAt: Type.String({ format: "date-time", description: "When the word was last changed." }),
  },
});
