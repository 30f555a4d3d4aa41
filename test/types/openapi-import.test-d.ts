import { defineOpenApiImport } from "../../schemas/entries/vocabulary.js";

type Operation =
  | "GET /projects"
  | "POST /projects"
  | "POST /projects/search"
  | "DELETE /projects/{id}"
  | "GET /teams"
  | "GET /teams/{team}/people";

export const config = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  answers: {
    "GET /projects": { key: ["id"], pages: { kind: "page", send: "page", first: 1 }, since: false },
    "POST /projects": { skip: "made by hand" },
    "POST /projects/search": {
      pages: { kind: "cursor", send: { body: "paging.after" }, next: "after" },
      values: { filters: { value: [{ property: "archived", is: false }] } },
    },
    "GET /teams": { skip: "for administrators" },
    "GET /teams/{team}/people": { values: { team: { from: "GET /teams", property: "id" } } },
  },
});

export const shared = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  sharedAnswers: [
    { operations: ["GET /projects", "GET /teams"], pages: { kind: "linkHeader" } },
    { operations: ["POST /projects", "GET /teams/{team}/people"], skip: "for administrators" },
  ],
});

export const sharedOfUnknownOperation = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error No such operation is in the document.
  sharedAnswers: [{ operations: ["GET /project"], pages: { kind: "linkHeader" } }],
});

export const sharedName = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error Two data objects have no name together.
  sharedAnswers: [{ operations: ["GET /projects", "GET /teams"], name: "Thing" }],
});

export const unknownOperation = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error No such operation is in the document.
  answers: { "GET /project": { key: "id" } },
});

export const unknownParent = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error No such operation is in the document.
  answers: { "GET /teams/{team}/people": { values: { team: { from: "GET /team", property: "id" } } } },
});

export const listThatIsNone = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error What is deleted has no key.
  answers: { "DELETE /projects/{id}": { key: "id" } },
});

export const skippedAndAnswered = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error What is left out has no answers.
  answers: { "GET /projects": { skip: "for administrators", key: "id" } },
});

export const pagesWithoutParameter = defineOpenApiImport<Operation>({
  source: "openapi.yaml",
  // @ts-expect-error Pages are asked for by a parameter.
  answers: { "GET /projects": { pages: { kind: "page", first: 1 } } },
});
