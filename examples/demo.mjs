/** The whole way on one machine: a connector is checked, generated, extracted, tested, run, and made again. */
import path from "node:path";
import { runConnector } from "./demo/run-connector.mjs";
import { setStage } from "./demo/stage.mjs";
import { showMistake, showRoundTrip } from "./demo/there-and-back.mjs";
import { useSources } from "./demo/use-sources.mjs";

const stage = await setStage({ records: 5_000 });
try {
  await useSources(stage);
  await runConnector(stage);
  await showRoundTrip(stage);
  await showMistake(stage);
  stage.step("Where to look");
  stage.say(`the connector    ${stage.project}`);
  stage.say(
    "                 connector.ts, schemas/, modules/ are its author's; generated/ and connector.json are made",
  );
  stage.say(`its store        ${path.join(stage.project, ".connectorcli-cache", "store.db")}`);
  stage.say("how it is made   docs/tutorial.md, from an empty folder to here");
  stage.say("everything else  README.md, docs/");
} catch (error) {
  stage.say(`The demo stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await stage.platform.end();
}
