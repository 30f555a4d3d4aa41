/** Creates a project, and puts it into the cache. */
import { answer, answered, defineHandler } from "connectorcli/runtime";
import { CreateProject, type ProjectJson } from "../../../generated/app/project.js";

export const createProjectHandler = defineHandler(CreateProject, {
  call: "POST /projects",
  answer: answer<ProjectJson>(),
  record: "$",
  change: "upsert",
  // The platform takes the key, so that a second call makes no second project.
  idempotency: { header: "Idempotency-Key" },
  failures: { 409: { text: answered("message") } },
});
