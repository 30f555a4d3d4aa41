/** Creates a project, and puts it into the cache. */
import { orThrow } from "connectorcli/client";
import { type ActionContext, failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { CreateProjectInput } from "../../../generated/app/project.js";

export async function createProjectHandler(
  input: CreateProjectInput,
  { client, idempotency, signal }: ActionContext<ApiClient>,
) {
  // The platform takes a key, so that a second call after a crash makes no second project.
  await idempotency.note("intent");
  const response = await client.createProject(input, idempotency.key, signal);
  if (response.statusCode === 409) {
    return failed({ code: "409", errors: [{ text: `There is a project ${input.number} already.` }] });
  }
  // Thrown errors are tried again where that may help.
  const record = orThrow(response);
  await idempotency.note("confirmed", record.id);
  return succeeded({ id: record.id, number: record.number }, [
    { dataObject: "Project", operation: "upsert", record },
  ]);
}
