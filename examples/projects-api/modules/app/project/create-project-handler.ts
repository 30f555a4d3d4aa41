/** Creates a project, and puts it into the cache. */
import { orRetry } from "connectorcli/client";
import { type ActionContext, failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type { CreateProjectInput, ProjectJson } from "../../../generated/app/project.js";

export async function createProject(
  input: CreateProjectInput,
  { client, idempotency, signal }: ActionContext<ApiClient>,
) {
  await idempotency.note("intent");
  // The platform takes the key, so that a second call makes no second project.
  const headers = { "Idempotency-Key": idempotency.key };
  // What may pass is thrown and tried again.
  const response = orRetry(await client.post<ProjectJson>("projects", input, { headers, signal }));
  const { statusCode, result: record, errorMessage } = response;
  if (record === null) {
    const taken = `There is a project ${input.number} already.`;
    const text = statusCode === 409 ? taken : (errorMessage ?? "The platform answered without content.");
    return failed({ code: String(statusCode), errors: [{ text }] });
  }
  await idempotency.note("confirmed", record.id);
  return succeeded({ id: record.id, number: record.number }, [
    { dataObject: "Project", operation: "upsert", record },
  ]);
}
