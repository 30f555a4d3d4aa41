/** Creates a project, and puts it into the cache. */
import { refusalOf, resultOrThrow, throwIfRetryable } from "connectorcli/client";
import { failed, succeeded } from "connectorcli/runtime";
import type { ApiClient } from "../../../client/api-client.js";
import type {
  CreateProjectActionContext,
  CreateProjectActionResult,
} from "../../../generated/app/contexts.js";
import type { CreateProjectInput, ProjectJson } from "../../../generated/app/project.js";

export async function createProject(
  input: CreateProjectInput,
  { client, idempotency, signal }: CreateProjectActionContext<ApiClient>,
): Promise<CreateProjectActionResult> {
  await idempotency.note("intent");
  // The platform takes the key, so that a second call makes no second project.
  const headers = { "Idempotency-Key": idempotency.key };
  // A retryable answer, such as a 503, is thrown: the action is tried again.
  const response = throwIfRetryable(await client.post<ProjectJson>("projects", input, { headers, signal }));
  if (response.statusCode === 409) {
    return failed({ code: "409", errors: [{ text: `There is a project ${input.number} already.` }] });
  }
  const refusal = refusalOf(response);
  if (refusal !== null) return failed(refusal);
  const record = resultOrThrow(response);
  await idempotency.note("confirmed", record.id);
  return succeeded({ id: record.id, number: record.number }, [
    { dataObject: "Project", operation: "upsert", record },
  ]);
}
