/** Examples of the rules of connector code: readers, handlers, the client, and the severities of package.json. */
import type { Examples, RuleExample } from "./example.js";

export const codeExamples: Examples = {
  "code-credential": client(
    `headers = { authorization: "Bearer 0a1b2c3d4e5f6a7b8c9d" };`,
    `headers = { authorization: \`Bearer \${connection.apiKey}\` };`,
  ),
  "code-secret-literal": client('password = "hunter2hunter2";', "password = connection.password;"),
  "code-environment": client("region = process.env.REGION;", "region = configuration.region;"),
  "code-files": client('state = import("node:fs");', "state = context.checkpoint;"),
  "code-standard-output": client("console.log(record);", 'context.log.info("Read a site.", { record });'),
  "reader-stops-silently": reader(
    `  try {
    yield* await client.get("sites");
  } catch (error) {
    log.error("The sites can't be read.");
  }`,
    `  try {
    yield* await client.get("sites");
  } catch (error) {
    log.error("The sites can't be read.");
    throw error;
  }`,
  ),
  "reader-state-kept": {
    part: "modules/app/site/site-reader.ts",
    bad: `let page = 0;
export async function* readSites({ client }) {
  yield* await client.get("sites", { query: { page: page++ } });
}`,
    good: `export async function* readSites({ client }) {
  let page = 0;
  yield* await client.get("sites", { query: { page: page++ } });
}`,
  },
  "record-key-by-hand": reader(`  const key = \`id/\${record.number}\`;`, "  const key = record.key();"),
  "handler-cache-untouched": {
    part: "modules/app/site/create-site-handler.ts",
    bad: `export async function createSite(input, { client }) {
  const site = await client.post("sites", input);
  return succeeded(site);
}`,
    good: `export async function createSite(input, { client }) {
  const site = await client.post("sites", input);
  return succeeded(site, [{ dataObject: "Site", operation: "upsert", record: site }]);
}`,
  },
  "severity-code-unknown": severities('"description-mising": "off"', '"description-missing": "off"'),
  "severity-invalid": severities('"description-missing": "none"', '"description-missing": "off"'),
  "severity-fixed": severities('"key-missing": "warning"', '"title-missing": "error"'),
};

function client(bad: string, good: string): RuleExample {
  return { part: "client/api-client.ts", bad, good };
}

function reader(bad: string, good: string): RuleExample {
  const code = (body: string) => `export async function* readSites({ client, log, record }) {
${body}
}`;
  return { part: "modules/app/site/site-reader.ts", bad: code(bad), good: code(good) };
}

function severities(bad: string, good: string): RuleExample {
  const code = (member: string) => `{ "connectorcli": { "severities": { ${member} } } }`;
  return { part: "package.json", bad: code(bad), good: code(good) };
}
