/**
 * An import of a large OpenAPI document, from the file to the modules: processor time and memory of the whole process. The
 * document has the size and the shape of GitHub's, or is the one that OPENAPI_DOCUMENT names.
 */
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { CLI, workFolder, write } from "./synthetic.mjs";
import { median, node, printTable, row } from "./timing.mjs";

const ROUNDS = 5;
const LISTS = 330;
const MEMBERS = 40;
const EXAMPLES = 20;

const folder = workFolder();
try {
  const given = process.env["OPENAPI_DOCUMENT"];
  const document = given ?? path.join(folder, "api.json");
  if (given === undefined) write(document, JSON.stringify(largeDocument()));
  const usage = path.join(folder, "usage.json");
  const hook = path.join(folder, "usage.mjs");
  write(
    hook,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(process.env["USAGE_FILE"], JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, mb: maxRSS / 1024 }));
});
`,
  );
  const measured = (args) => {
    rmSync(path.join(folder, "made"), { recursive: true, force: true });
    node(["--import", hook, CLI, "import", "openapi", document, ...args], {
      cwd: folder,
      env: { USAGE_FILE: usage },
    });
    return JSON.parse(readFileSync(usage, "utf8"));
  };
  const tasks = {
    "its plan (--dry-run)": ["--dry-run", "--select", "/"],
    "34 data objects of it, written": ["--directory", "made", "--select", "group-0", "group-1"],
    "all 330 data objects, written": ["--directory", "made", "--select", "/"],
  };
  // A document of one's own has other tags.
  const shown = Object.entries(tasks).filter(([, args]) => given === undefined || !args.includes("group-0"));
  const runs = shown.map(([what, args]) => [what, Array.from({ length: ROUNDS }, () => measured(args))]);
  const rows = runs.flatMap(([what, all]) => {
    const [cpu, mb] = ["cpu", "mb"].map((member) => median(all.map((run) => run[member])));
    return [
      row(`${what}: processor`, `${cpu.toFixed(2)} s`, cpu / 2, { of: "2 s", atMost: 1 }),
      row(`${what}: memory`, `${mb.toFixed(0)} MB`, mb / 300, { of: "300 MB", atMost: 1 }),
    ];
  });
  printTable(
    `An OpenAPI document of ${(statSync(document).size / 1e6).toFixed(1)} MB`,
    rows,
    "Processor time and the most memory of the whole process, start of Node included. OPENAPI_DOCUMENT names another document, in JSON or YAML.",
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Lists with their items, records that refer to each other, and examples, which are most of such documents. */
function largeDocument() {
  const paths = {};
  const schemas = {};
  const parameter = (name, where, schema) => ({ name, in: where, required: where === "path", schema });
  const json = (schema, examples) => ({ "application/json": { schema, ...(examples && { examples }) } });
  for (let index = 0; index < LISTS; index++) {
    const name = `thing-${index}`;
    const ref = { $ref: `#/components/schemas/${name}` };
    const properties = { id: { type: "integer", description: `Identifier of the thing number ${index}.` } };
    for (let member = 0; member < MEMBERS; member++)
      properties[`member_${member}`] = {
        type: ["string", "integer", "boolean"][member % 3],
        description: `What member ${member} of the thing number ${index} says of it, in a sentence or two, as people read it.`,
      };
    properties.owner = { $ref: `#/components/schemas/thing-${(index * 7 + 1) % LISTS}` };
    schemas[name] = { type: "object", required: ["id"], properties };
    const example = Object.fromEntries(
      Object.entries(properties).map(([member, { type }]) => [
        member,
        type === "integer" ? 12345 : `Some words of ${member}`,
      ]),
    );
    const many = { default: { value: Array.from({ length: EXAMPLES }, () => example) } };
    const one = { default: { value: example } };
    const answer = (status, schema, examples) => ({
      [status]: { description: "Response", content: json(schema, examples) },
    });
    const sent = { requestBody: { content: json(ref, one) } };
    const facts = (verb) => ({
      operationId: `${verb}/${name}`,
      tags: [`group-${index % 20}`],
      summary: `${verb} ${name}`,
    });
    paths[`/${name}s`] = {
      get: {
        ...facts("list"),
        parameters: [
          parameter("page", "query", { type: "integer", default: 1 }),
          parameter("per_page", "query", { type: "integer", maximum: 100 }),
        ],
        responses: answer(200, { type: "array", items: ref }, many),
      },
      post: { ...facts("create"), ...sent, responses: answer(201, ref, one) },
    };
    paths[`/${name}s/{id}`] = {
      parameters: [parameter("id", "path", { type: "integer" })],
      get: { ...facts("get"), responses: answer(200, ref, one) },
      patch: { ...facts("update"), ...sent, responses: answer(200, ref, one) },
      delete: { ...facts("delete"), responses: { 204: { description: "Response" } } },
    };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Large", version: "1.0.0" },
    servers: [{ url: "https://api.large.test" }],
    security: [{ token: [] }],
    paths,
    components: { schemas, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}
