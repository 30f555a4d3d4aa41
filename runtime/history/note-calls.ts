/** Notes what is asked in few words, and on whose behalf. */
import { maskedUrl } from "../log/masked-request.js";
import type { Redaction } from "../log/redaction.js";
import type { Transport } from "../registration/http-messages.js";
import type { MadeCall } from "./history.js";

/** A transport that notes every attempt of a request, and of what it is one. */
export function noteCalls(
  redaction: Redaction,
  subject: () => MadeCall["of"],
  onCall: (call: MadeCall) => void,
): Transport {
  return (next) => async (request) => {
    const { purpose, method, attempt = 1 } = request;
    const [at, start] = [new Date().toISOString(), performance.now()];
    const note = (end: Pick<MadeCall, "status" | "problem">) => {
      const address = redaction.text(maskedUrl(request));
      const ms = Math.round(performance.now() - start);
      onCall({ of: subject(), at, purpose, method, address, ms, attempt, ...end });
    };
    try {
      const response = await next(request);
      note({ status: response.statusCode, problem: null });
      return response;
    } catch (error) {
      note({
        status: null,
        problem: redaction.text(error instanceof Error ? error.message : String(error)),
      });
      throw error;
    }
  };
}

/** What `work` gives, when it began (ISO 8601, UTC) and how long it took in milliseconds. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly at: string; readonly ms: number }> {
  const [at, start] = [new Date().toISOString(), performance.now()];
  const result = await work();
  return { result, at, ms: Math.round(performance.now() - start) };
}
