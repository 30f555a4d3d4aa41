/** Runs a case, and sees what the connector prints and leaves to itself meanwhile. */
import { errorMessage } from "../../untrusted.js";
import type { AcceptanceSurroundings } from "./acceptance-options.js";
import { printedBy } from "./console.js";
import { Flaw, flawOf } from "./flaw.js";

/** Looks at nothing but the console. */
export const observeNothing: AcceptanceSurroundings["observe"] = async (run) => {
  await run();
  return { printed: [], unhandled: [] };
};

/**
 * What was printed while `run` ran.
 * @throws Flaw that `run` throws, or for a promise that is rejected and that nobody looks at.
 */
export async function seenBy(
  run: () => Promise<void>,
  observe: AcceptanceSurroundings["observe"],
): Promise<readonly string[]> {
  let flaw: Flaw | undefined;
  let onConsole: readonly string[] = [];
  const { printed, unhandled } = await observe(async () => {
    onConsole = await printedBy(async () => {
      flaw = await flawOf(run);
    });
  });
  if (flaw !== undefined) throw flaw;
  if (unhandled.length > 0)
    throw new Flaw(
      "acceptance-call-left",
      `a promise is rejected that nobody looks at: ${errorMessage(unhandled[0])}`,
      unhandled[0],
    );
  return [...printed, ...onConsole];
}
