// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the text of sources.
/** Mistakes that tired authors make, each as a small change of a sound connector that still type-checks. */

/** One change of a file of a connector. */
export interface SourceChange {
  /** Below the folder of the connector. */
  readonly file: string;
  /** Stands there once. */
  readonly from: string;
  readonly to: string;
}

export interface AuthorMistake {
  readonly connector: ConnectorName;
  /** What the author did, in a sentence. */
  readonly what: string;
  readonly changes: readonly SourceChange[];
}

export type ConnectorName = "projects-api" | "helpdesk" | "warehouse" | "bidding";

type Change = readonly [from: string, to: string];

/** Makes mistakes in one file. */
function mistakeIn(connector: ConnectorName, file: string) {
  return (what: string, ...changes: readonly Change[]): AuthorMistake => ({
    connector,
    what,
    changes: changes.map(([from, to]) => ({ file, from, to })),
  });
}

/** By what they are about. */
export const TOPICS: Readonly<Record<string, readonly AuthorMistake[]>> = {
  "Reading pages": [
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Sends the cursor under a name that the target system does not know.",
      ["query: { after }", "query: { cursor: after }"],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")(
      "Takes a page that is shorter than asked for for the last one.",
      [
        "    itemsOf: ({ articles }) => articles,\n",
        "    itemsOf: ({ articles }) => articles,\n    isLast: ({ articles }) => articles.length < PAGE_SIZE,\n",
      ],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")(
      "Reads ten pages, which was enough when it was written.",
      [
        "    itemsOf: ({ articles }) => articles,\n  });\n",
        "    itemsOf: ({ articles }) => articles,\n  });\n  let read = 0;\n",
      ],
      [
        "  for await (const { articles } of pages) yield* articles;",
        "  for await (const { articles } of pages) {\n    yield* articles;\n    if (++read === 10) return;\n  }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")(
      "Counts pages from 0 where the target system counts from 1.",
      ["    read: (page) => client", "    first: 0,\n    read: (page) => client"],
    ),
    mistakeIn("warehouse", "modules/app/stock-level-reader.ts")(
      "Moves on by the size that was asked for, not by the count that came.",
      [
        "  const pages = offsets({\n    read: (skip) => {\n",
        "  for (let skip = 0, total = 1; skip < total; skip += LIMIT) {\n",
      ],
      [
        '      const query = { skip, limit: LIMIT, warehouse_id: serviceConfiguration.warehouseId };\n      return client.get<Page>("stock", { query, signal });\n    },\n    itemsOf: ({ items }) => items,\n    totalOf: ({ total }) => total,\n  });\n  for await (const { items } of pages) yield* items;\n',
        '    const query = { skip, limit: LIMIT, warehouse_id: serviceConfiguration.warehouseId };\n    const page = resultOrThrow(await client.get<Page>("stock", { query, signal }));\n    yield* page.items;\n    total = page.total;\n  }\n',
      ],
      ["import { offsets }", "import { resultOrThrow }"],
    ),
    mistakeIn("warehouse", "modules/app/stock-level-reader.ts")("Takes the count of a page for the total.", [
      "totalOf: ({ total }) => total",
      "totalOf: ({ items }) => items.length",
    ]),
    mistakeIn("bidding", "client/api-client.ts")("Reads below the first parent only.", [
      "for (const { token } of await this.databases(signal)) {\n      const pages",
      "for (const { token } of (await this.databases(signal)).slice(0, 1)) {\n      const pages",
    ]),
    mistakeIn("bidding", "client/api-client.ts")("Begins at the second page.", ["        first: 0,\n", ""]),
    mistakeIn("bidding", "client/api-client.ts")("Reads the first page only where pages name the next one.", [
      "cursorOf: ({ next }) => next",
      "cursorOf: (page) => (page as { cursor?: string }).cursor",
    ]),
    mistakeIn("bidding", "modules/closeout/final-price-reader.ts")(
      "Asks for the next page by a member that does not tell records apart.",
      ["prices.at(-1)?.id", "prices.at(-1)?.projectId"],
    ),
    mistakeIn("bidding", "modules/changeorder/change-orders-reader.ts")(
      "Ends a list by its total and the size that was asked for.",
      [
        "      itemsOf: ({ items }) => items,\n    });\n",
        "      itemsOf: ({ items }) => items,\n    });\n    let read = 0;\n",
      ],
      [
        "    for await (const { items } of untilGone(pages)) yield* items;",
        "    for await (const { items, totalRows } of untilGone(pages)) {\n      yield* items;\n      if (++read >= Math.ceil(totalRows / PAGE_SIZE)) break;\n    }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Takes a page without records for the last one.",
      [
        "    if (page.next === null) return;\n",
        "    if (page.next === null || page.data.length === 0) return;\n",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Leaves a filter in the query that was there for a trial.",
      ["updated_since: checkpoint, limit: 100 }", 'updated_since: checkpoint, limit: 100, state: "placed" }'],
    ),
    mistakeIn("bidding", "modules/closeout/final-price-reader.ts")(
      "Begins the list below a parent where that of the parent before has ended.",
      [
        "  for await (const { projectId } of client.projects(signal)) {",
        "  let behind: string | undefined;\n  for await (const { projectId } of client.projects(signal)) {",
      ],
      ["    let behind: string | undefined;\n", ""],
      [
        "      behind = prices.at(-1)?.id;\n      if (behind === undefined) break;\n",
        "      if (prices.length === 0) break;\n      behind = prices.at(-1)?.id;\n",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-line-reader.ts")(
      "Reads below the parents of the first page only.",
      [
        "        if (!(error instanceof ResponseError && error.statusCode === 404)) throw error;\n      }\n    }\n",
        "        if (!(error instanceof ResponseError && error.statusCode === 404)) throw error;\n      }\n    }\n    break;\n",
      ],
    ),
    mistakeIn("bidding", "modules/changeorder/change-orders-reader.ts")(
      "Does not send the number of the page.",
      [
        "read: (page) => {\n        const query = { page, pageSize",
        "read: () => {\n        const query = { pageSize",
      ],
    ),
  ],
  "Errors while reading": [
    mistakeIn("projects-api", "modules/app/project/project-reader.ts")(
      "Takes a refusal of the list for an empty one.",
      ['  items: "$",', '  items: "$",\n  absent: [401, 403, 404],'],
    ),
    mistakeIn("projects-api", "client/custom-auth-handler.ts")(
      "Makes an answer 401 an empty list, so that no run fails.",
      [
        '  return headerHandler({ name: "Authorization", value: () => `Token api=${connection.apiToken}` });',
        '  const handler = headerHandler({ name: "Authorization", value: () => `Token api=${connection.apiToken}` });\n  return async (request, next) => {\n    const response = await handler(request, next);\n    if (response.statusCode !== 401) return response;\n    response.close();\n    return { ...response, statusCode: 200, headers: {}, body: new TextEncoder().encode("[]") };\n  };',
      ],
    ),
    mistakeIn("projects-api", "client/client-helper.ts")(
      "Switches all retries off: a busy minute of the target system fails the run.",
      ["  createClient:", "  retry: { maxAttempts: 1 },\n  createClient:"],
    ),
    mistakeIn("helpdesk", "modules/app/contact-reader.ts")(
      "Takes a refused list below a parent for an empty one.",
      ["absent: [404]", "absent: [401, 403, 404]"],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Ends the list without a word if a page fails.",
      [
        "    const page = resultOrThrow(response);",
        "    if (!response.isSuccessful || response.result === null) return;\n    const page = response.result;",
      ],
      ['import { resultOrThrow } from "connectorcli/client";\n', ""],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Goes on after a page without the list in it.",
      ["page.data) yield supplier", "page.data ?? []) yield supplier"],
      ["page.next === null)", "page.next === null || page.next === undefined)"],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Asks for the next page ahead and never looks at what that call ends with.",
      [
        "    const page = resultOrThrow(response);",
        '    const page = resultOrThrow(response);\n    if (page.next !== null) {\n      const query = { after: page.next };\n      void client.get<Page>("suppliers", { query, signal }).then(resultOrThrow);\n    }',
      ],
    ),
    mistakeIn("warehouse", "modules/app/warehouse-reader.ts")("Takes 403 and 404 for an empty list.", [
      '  yield* resultOrThrow(await client.get<readonly WarehouseJson[]>("warehouses", { signal }));',
      '  const response = await client.get<readonly WarehouseJson[]>("warehouses", { signal });\n  if (response.statusCode === 403 || response.statusCode === 404) return;\n  yield* resultOrThrow(response);',
    ]),
    mistakeIn("warehouse", "modules/app/order-line-reader.ts")(
      "Takes every error of a list below an order for an order that is gone.",
      [
        "        // The order has gone since its list was read.\n        if (!(error instanceof ResponseError && error.statusCode === 404)) throw error;\n",
        "        if (!(error instanceof ResponseError)) throw error;\n",
      ],
    ),
    mistakeIn("bidding", "client/api-client.ts")(
      "Takes every error below a parent for a parent that is gone.",
      ["error instanceof ResponseError && error.statusCode === 404", "error instanceof ResponseError"],
    ),
    mistakeIn("bidding", "client/client-helper.ts")("Gives up at a refusal that says when to come again.", [
      "  createClient:",
      "  retry: { isRetryableStatus: (status) => status >= 500 },\n  createClient:",
    ]),
    mistakeIn("bidding", "modules/changeorder/contract-statuses-reader.ts")(
      "Writes a warning where a list fails and goes on.",
      ["  client,\n  signal,\n", "  client,\n  log,\n  signal,\n"],
      [
        "    // The contract has gone since its list was read.\n    if (response.statusCode === 404) continue;\n    yield* resultOrThrow(response);",
        '    if (response.isSuccessful && response.result !== null) yield* response.result;\n    else log.warn("The statuses of a contract could not be read.");',
      ],
      ["import { path, resultOrThrow }", "import { path }"],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")(
      "Asks for a page that fails until it comes, however long that takes.",
      [
        '    read: (page) => client.get<Page>("articles", { query: { page, per_page: PAGE_SIZE, status }, signal }),\n',
        '    read: async (page) => {\n      for (;;) {\n        const query = { page, per_page: PAGE_SIZE, status };\n        const response = await client.get<Page>("articles", { query, signal });\n        if (response.isSuccessful) return response;\n      }\n    },\n',
      ],
    ),
    mistakeIn("bidding", "modules/project/last-projects-reader.ts")(
      "Reads below all parents at once and takes what has come well.",
      [
        "  for (const { token } of await client.databases(signal)) {\n    const address = path`databases/${token}/last-projects`;\n    const response = await client.get<readonly LastProjectsJson[]>(address, { signal });\n    // The user has lost access to the database since its list was read.\n    if (response.statusCode === 404) continue;\n    yield* resultOrThrow(response);\n  }\n",
        '  const all = (await client.databases(signal)).map(async ({ token }) => {\n    const address = path`databases/${token}/last-projects`;\n    return resultOrThrow(await client.get<readonly LastProjectsJson[]>(address, { signal }));\n  });\n  for (const each of await Promise.allSettled(all)) if (each.status === "fulfilled") yield* each.value;\n',
      ],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Ends the list without a word if it is told to stop.",
      [
        "    const response = await client.get",
        "    if (signal.aborted) return;\n    const response = await client.get",
      ],
    ),
    mistakeIn("bidding", "modules/closeout/final-price-reader.ts")("Hands the signal to no call.", [
      "{ query, signal });",
      "{ query });",
    ]),
    mistakeIn("helpdesk", "modules/app/article-reader.ts")(
      "Takes a list that is not there for an empty one, although nothing stands above it.",
      ['  items: "data",', '  items: "data",\n  absent: [404],'],
    ),
  ],
  "Changes, deletes and going on": [
    mistakeIn("projects-api", "modules/app/timesheet/timesheet-reader.ts")(
      "Does not tell the timesheets that were deleted from the others.",
      ['  deletedWhen: { property: "deleted" },\n', ""],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Saves where to go on before the page was handed over.",
      [
        "    for (const supplier of page.data) yield supplier;\n",
        "    if (page.next !== null) saveResumePoint(page.next);\n    for (const supplier of page.data) yield supplier;\n",
      ],
      ["    after = page.next;\n    saveResumePoint(after);\n", "    after = page.next;\n"],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Takes the clock of its own machine for the checkpoint.",
      [
        "  if (latest > 0) context.saveCheckpoint(new Date(latest - OVERLAP_MS).toISOString());",
        "  context.saveCheckpoint(new Date().toISOString());",
      ],
      ["  let latest = 0;\n", ""],
      ["      latest = Math.max(latest, Date.parse(order.updated_at));\n", ""],
      [
        "/** A change may become visible later than its time says. */\nconst OVERLAP_MS = 2 * 60_000;\n\n",
        "",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")("Adds the overlap in place of taking it off.", [
      "latest - OVERLAP_MS",
      "latest + OVERLAP_MS",
    ]),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Takes another date of the record for the time of its change.",
      [
        "latest = Math.max(latest, Date.parse(order.updated_at));",
        "latest = Math.max(latest, Date.parse(order.due_at ?? order.updated_at));",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Saves the checkpoint with the first page and hides that a later one fails.",
      [
        "      latest = Math.max(latest, Date.parse(order.updated_at));\n",
        "      latest = Math.max(latest, Date.parse(order.updated_at));\n      context.saveCheckpoint(new Date(latest - OVERLAP_MS).toISOString());\n",
      ],
      [
        "  for await (const { orders } of pages) {\n",
        "  try {\n    for await (const { orders } of pages) {\n",
      ],
      [
        "  if (latest > 0) context.saveCheckpoint(new Date(latest - OVERLAP_MS).toISOString());\n",
        "  } catch (error) {\n    context.log.warn(`Orders: ${error}`);\n  }\n",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Asks for everything at every run.",
      ["updated_since: checkpoint, ", ""],
      ["{ client, checkpoint, signal }", "{ client, signal }"],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Sends the checkpoint in a form that the target system does not know.",
      [
        "updated_since: checkpoint,",
        "updated_since: checkpoint === null ? undefined : Date.parse(checkpoint),",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")("Yields what was deleted as if it had changed.", [
      'order.state === "deleted" ? "delete" : "upsert"',
      '"upsert"',
    ]),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Deletes orders that were shipped, which nobody has deleted.",
      ['order.state === "deleted"', 'order.state === "deleted" || order.state === "shipped"'],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Goes on next time from the record that came last, which is not the one that changed last.",
      ["latest = Math.max(latest, Date.parse(order.updated_at));", "latest = Date.parse(order.updated_at);"],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Saves the checkpoint in the time of day of its own machine.",
      [
        "context.saveCheckpoint(new Date(latest - OVERLAP_MS).toISOString());",
        "{\n    const local = latest - OVERLAP_MS - new Date(latest).getTimezoneOffset() * 60_000;\n    context.saveCheckpoint(new Date(local).toISOString());\n  }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-reader.ts")(
      "Goes on from the very time of the last change, although changes become visible late.",
      ["latest - OVERLAP_MS", "latest"],
      [
        "/** A change may become visible later than its time says. */\nconst OVERLAP_MS = 2 * 60_000;\n\n",
        "",
      ],
    ),
  ],
  "What is kept between records and runs": [
    mistakeIn("projects-api", "modules/app/project/project-reader.ts")(
      "Changes records in a place that all of them share.",
      ["export const projectReader", "const row: Partial<ProjectJson> = {};\n\nexport const projectReader"],
      ['  items: "$",', '  items: "$",\n  each: (item) => Object.assign(row, item as ProjectJson),'],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Keeps the codes that it has met in the module, to leave out what comes twice.",
      ["export async function*", "const met = new Set<string>();\n\nexport async function*"],
      [
        "for (const supplier of page.data) yield supplier;",
        "for (const supplier of page.data) {\n      if (met.has(supplier.code)) continue;\n      met.add(supplier.code);\n      yield supplier;\n    }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Fills one object for all records, so that an optional member stays from the record before.",
      ["  let after = resumePoint;\n", "  let after = resumePoint;\n  const row = {} as SupplierJson;\n"],
      [
        "for (const supplier of page.data) yield supplier;",
        "for (const supplier of page.data) yield { ...Object.assign(row, supplier) };",
      ],
    ),
    mistakeIn("bidding", "client/api-client.ts")(
      "Keeps the list of parents in the module, so that a new one is never met.",
      [
        "export class ApiClient {",
        "let known: readonly DatabasesJson[] | undefined;\n\nexport class ApiClient {",
      ],
      [
        "    const response = await this.get",
        "    if (known !== undefined) return known;\n    const response = await this.get",
      ],
      [
        "    return resultOrThrow(response).databases;",
        "    known = resultOrThrow(response).databases;\n    return known;",
      ],
    ),
    mistakeIn("warehouse", "modules/app/order-line-reader.ts")(
      "Reads the lists below all orders at once.",
      [
        "    for (const order of orders) {\n      const lines",
        "    const all = orders.map(async (order) => {\n      const read: OrderLineJson[] = [];\n      const lines",
      ],
      ["yield* items;", "read.push(...items);"],
      [
        "throw error;\n      }\n    }\n",
        "throw error;\n      }\n      return read;\n    });\n    for (const read of await Promise.all(all)) yield* read;\n",
      ],
    ),
    mistakeIn("bidding", "modules/changeorder/contract-cost-distribution-reader.ts")(
      "Starts all calls and returns before they have ended.",
      [
        "    yield* untilGone(client.all<ContractCostDistributionJson>(path`contracts/${id}/costs`, signal));\n  }",
        "    const costs = client.all<ContractCostDistributionJson>(path`contracts/${id}/costs`, signal);\n    void (async () => {\n      for await (const cost of untilGone(costs)) read.push(cost);\n    })();\n  }\n  yield* read;",
      ],
      [
        "  for await (const { id }",
        "  const read: ContractCostDistributionJson[] = [];\n  for await (const { id }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")(
      "Keeps the settings of the first workspace in the module.",
      ["export async function*", "let kept: string | undefined;\n\nexport async function*"],
      [
        '  const { articleStatus = "All" } = registrationConfiguration;\n  const status = articleStatus === "All" ? undefined : articleStatus;\n',
        '  kept ??= registrationConfiguration.articleStatus ?? "All";\n  const status = kept === "All" ? undefined : kept;\n',
      ],
    ),
    mistakeIn("helpdesk", "client/oauth2-client-credentials-handler.ts")(
      "Gives all tenants the access token of the first one.",
      ["export function oAuth2", "let shared: Middleware | undefined;\n\nexport function oAuth2"],
      [
        "  return clientCredentialsHandler({ tokenUrl, clientId, clientSecret, scope, clientAuthentication }, host);",
        "  shared ??= clientCredentialsHandler({ tokenUrl, clientId, clientSecret, scope, clientAuthentication }, host);\n  return shared;",
      ],
    ),
  ],
  Records: [
    mistakeIn("helpdesk", "modules/app/ticket-reader.ts")("Rounds a number in records.", [
      '  items: "tickets",',
      '  items: "tickets",\n  each: (item) => {\n    const ticket = item as TicketJson;\n    return { ...ticket, minutes: Math.round((ticket.minutes ?? 0) / 15) * 15 };\n  },',
    ]),
    mistakeIn("helpdesk", "modules/app/article-reader.ts")(
      "Leaves out a record that has no value in an optional member.",
      [
        '  items: "data",',
        '  items: "data",\n  each: (item) => ((item as ArticleJson).rating === undefined ? undefined : (item as ArticleJson)),',
      ],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")("Changes the case of a text.", [
      "of pages) yield* articles;",
      "of pages)\n    for (const article of articles) yield { ...article, title: article.title.trim().toLowerCase() };",
    ]),
    mistakeIn("warehouse", "modules/app/stock-level-reader.ts")("Cuts the parts of a number off.", [
      "of pages) yield* items;",
      "of pages) for (const item of items) yield { ...item, pieces: Math.trunc(item.pieces) };",
    ]),
    mistakeIn("warehouse", "modules/app/stock-level-reader.ts")("Cuts the time of day off.", [
      "of pages) yield* items;",
      "of pages)\n    for (const item of items) yield { ...item, counted_at: `${item.counted_at.slice(0, 10)}T00:00:00Z` };",
    ]),
    mistakeIn("warehouse", "modules/app/order-line-reader.ts")("Writes another member into the key.", [
      "for await (const items of lines) yield* items;",
      "for await (const items of lines)\n          for (const line of items) yield { ...line, line: line.article_id };",
    ]),
    mistakeIn("bidding", "modules/closeout/final-price-reader.ts")(
      "Writes the parent that was asked by into the key.",
      ["      yield* prices;\n", "      for (const price of prices) yield { ...price, id: projectId };\n"],
    ),
    mistakeIn("bidding", "modules/changeorder/contract-quote-labels-reader.ts")(
      "Makes a part of the key of the place in the list.",
      [
        "    yield* untilGone(client.all<ContractQuoteLabelsJson>(path`contracts/${id}/quote-labels`, signal));",
        "    let index = 0;\n    const labels = client.all<ContractQuoteLabelsJson>(path`contracts/${id}/quote-labels`, signal);\n    for await (const label of untilGone(labels)) yield { ...label, index: index++ };",
      ],
    ),
    mistakeIn("bidding", "modules/estimate/estimates-reader.ts")(
      "Writes the time of the run into what the target system leaves empty.",
      [
        "    yield* untilGone(client.all<EstimatesJson>(path`projects/${projectId}/estimates`, signal));",
        "    const estimates = client.all<EstimatesJson>(path`projects/${projectId}/estimates`, signal);\n    for await (const estimate of untilGone(estimates))\n      yield { ...estimate, dueDate: estimate.dueDate ?? new Date().toISOString() };",
      ],
    ),
    mistakeIn("bidding", "modules/project/last-projects-reader.ts")(
      "Gives a required member that is missing a value of its own.",
      [
        "    yield* resultOrThrow(response);",
        "    for (const [index, project] of resultOrThrow(response).entries())\n      yield { ...project, projectID: project.projectNumber ?? String(index) };",
      ],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")("Takes a zero for no value.", [
      "of pages) yield* articles;",
      "of pages)\n    for (const article of articles) yield { ...article, price: article.price || null };",
    ]),
    mistakeIn("warehouse", "modules/app/stock-level-reader.ts")(
      "Takes a time for one of its own time zone.",
      [
        "of pages) yield* items;",
        "of pages)\n    for (const item of items)\n      yield { ...item, counted_at: new Date(item.counted_at.slice(0, 19)).toISOString() };",
      ],
    ),
    mistakeIn("warehouse", "modules/app/supplier-reader.ts")(
      "Leaves out what does not fit the schema, so that nobody hears of it.",
      [
        "for (const supplier of page.data) yield supplier;",
        "for (const supplier of page.data) if (Supplier.findings(supplier).length === 0) yield supplier;",
      ],
      [
        'import type { SupplierJson } from "../../generated/app/supplier.js";',
        'import { Supplier, type SupplierJson } from "../../generated/app/supplier.js";',
      ],
    ),
    mistakeIn("warehouse", "modules/app/warehouse-reader.ts")(
      "Takes records with the same title for the same record.",
      [
        '  yield* resultOrThrow(await client.get<readonly WarehouseJson[]>("warehouses", { signal }));',
        '  const all = resultOrThrow(await client.get<readonly WarehouseJson[]>("warehouses", { signal }));\n  yield* new Map(all.map((each) => [each.title, each])).values();',
      ],
    ),
  ],
  Settings: [
    mistakeIn("projects-api", "modules/app/project/project-reader.ts")(
      "Overlooks the setting that says which projects are read.",
      ['  query: { status: setting("ProjectStatus", { as: { All: null }, default: null }) },\n', ""],
      ["answer, defineReader, setting }", "answer, defineReader }"],
    ),
    mistakeIn("helpdesk", "modules/app/ticket-reader.ts")(
      "Overlooks the department that the workspace is for.",
      ['  query: { department: setting("Department", { as: { All: null }, default: null }) },\n', ""],
      ["answer, defineReader, setting }", "answer, defineReader }"],
    ),
    mistakeIn("helpdesk", "modules/app/article-reader.ts")(
      "Writes the brand of the own company into the path in place of the setting.",
      ['path: { brand: setting("Brand") }', 'path: { brand: "acme" }'],
      ["answer, defineReader, setting }", "answer, defineReader }"],
    ),
    mistakeIn("warehouse", "modules/app/article-reader.ts")(
      "Overlooks the setting that says which articles are read.",
      [", status }, signal", " }, signal"],
      [
        '  const { articleStatus = "All" } = registrationConfiguration;\n  const status = articleStatus === "All" ? undefined : articleStatus;\n',
        "",
      ],
      ["  registrationConfiguration,\n", ""],
    ),
    mistakeIn("warehouse", "modules/app/stock-level-reader.ts")(
      "Overlooks the warehouse that the cache writer is for.",
      [", warehouse_id: serviceConfiguration.warehouseId }", " }"],
      ["  serviceConfiguration,\n", ""],
    ),
    mistakeIn("bidding", "modules/estimate/estimates-by-due-date-reader.ts")(
      "Overlooks the day that the workspace is for.",
      ["dueFrom: registrationConfiguration.estimatesDueFrom, ", ""],
      ["  registrationConfiguration,\n", ""],
    ),
  ],
  "Connections and secrets": [
    mistakeIn("projects-api", "client/custom-auth-handler.ts")(
      "Prints the token while looking for an error.",
      [
        "value: () => `Token api=${connection.apiToken}`",
        "value: () => {\n      console.error(`token ${connection.apiToken}`);\n      return `Token api=${connection.apiToken}`;\n    }",
      ],
    ),
    mistakeIn("projects-api", "connections/connection-test-handler.ts")(
      "Tests the connection without a look at the answer.",
      [
        '  client.get("projects", { signal });',
        '  client.get("projects", { signal }).then(() => ({ isSuccessful: true, statusCode: 200, errorMessage: null }));',
      ],
    ),
    mistakeIn("helpdesk", "client/oauth2-client-credentials-handler.ts")(
      "Keeps the first access token for ever.",
      [
        "  return clientCredentialsHandler({ tokenUrl, clientId, clientSecret, scope, clientAuthentication }, host);",
        '  const handler = clientCredentialsHandler(\n    { tokenUrl, clientId, clientSecret, scope, clientAuthentication },\n    host,\n  );\n  let token: string | undefined;\n  return async (request, next) => {\n    if (token !== undefined) return next({ ...request, headers: { ...request.headers, authorization: token } });\n    return handler(request, (authorized) => {\n      token = authorized.headers["authorization"];\n      return next(authorized);\n    });\n  };',
      ],
    ),
    mistakeIn("warehouse", "modules/app/warehouse-reader.ts")(
      "Calls with a fetch of its own, past the client.",
      ["  client,\n  signal,\n", "  connection,\n"],
      [
        '  yield* resultOrThrow(await client.get<readonly WarehouseJson[]>("warehouses", { signal }));',
        '  const response = await fetch(`${connection.BaseUrl}/warehouses`, {\n    headers: { "X-Api-Key": connection.apiKey },\n  });\n  yield* (await response.json()) as readonly WarehouseJson[];',
      ],
      ['import { resultOrThrow } from "connectorcli/client";\n', ""],
    ),
    mistakeIn("warehouse", "client/api-key-auth-handler.ts")(
      "Sends the key in the address, where logs of others keep it.",
      [
        'apiKeyHandler({ name: "X-Api-Key", key: connection.apiKey })',
        'async (request, next) => {\n    const url = new URL(request.url);\n    url.searchParams.set("account", connection.apiKey);\n    return next({ ...request, url: url.href, headers: { ...request.headers, "x-api-key": connection.apiKey } });\n  }',
      ],
      ["import { apiKeyHandler, type Middleware }", "import type { Middleware }"],
    ),
    mistakeIn("bidding", "client/api-client.ts")("Encodes nothing that goes into the path.", [
      "path`databases/${token}/projects`",
      "`databases/${token}/projects`",
    ]),
    mistakeIn("bidding", "client/oauth2-code-flow-handler.ts")(
      "Does not hand the changed refresh token to the host.",
      [
        "return codeFlowHandler(options, host);",
        "return codeFlowHandler(options, { ...host, saveProperties: async () => {} });",
      ],
    ),
    mistakeIn("helpdesk", "client/client-helper.ts")(
      "Writes the address of production into the client in place of that of the connection.",
      [
        "createClient: (http, connection) => new ApiClient(http, connection.BaseUrl)",
        'createClient: (http) => new ApiClient(http, "https://api.helpdesk-platform.com/v1")',
      ],
    ),
    mistakeIn("warehouse", "client/api-key-auth-handler.ts")("Puts the key into the text of an error.", [
      '  return apiKeyHandler({ name: "X-Api-Key", key: connection.apiKey });',
      '  const handler = apiKeyHandler({ name: "X-Api-Key", key: connection.apiKey });\n  return async (request, next) => {\n    const response = await handler(request, next);\n    if (response.statusCode === 401) throw new Error(`The key ${connection.apiKey} is refused.`);\n    return response;\n  };',
    ]),
    mistakeIn("warehouse", "modules/app/order-line-reader.ts")(
      "Follows the link to the next page wherever it leads, with the key.",
      [
        "      const lines = linkHeaders<readonly OrderLineJson[]>(client.http, path`orders/${order.id}/lines`, {\n        query: { per_page: 50 },\n        signal,\n      });\n",
        "      let next: string | undefined = client.http.address(path`orders/${order.id}/lines`, { per_page: 50 });\n",
      ],
      [
        "        for await (const items of lines) yield* items;\n",
        '        while (next !== undefined) {\n          const http = client.http.at(new URL(next).origin);\n          const response: ApiResponse<readonly OrderLineJson[]> = await http.get(next, { signal });\n          yield* resultOrThrow(response);\n          next = /<([^>]*)>; *rel="?next/.exec(String(response.headers["link"] ?? ""))?.[1];\n        }\n',
      ],
      [
        "import { cursors, linkHeaders, path, ResponseError }",
        "import { type ApiResponse, cursors, path, ResponseError, resultOrThrow }",
      ],
    ),
    mistakeIn("bidding", "client/oauth2-code-flow-handler.ts")(
      "Asks for an access token with each call, by the refresh token that it began with.",
      [
        "return codeFlowHandler(options, host);",
        "return (request, next) => codeFlowHandler(options, host)(request, next);",
      ],
    ),
    mistakeIn("helpdesk", "modules/app/agent-reader.ts")(
      "Prints every record, with members that are never to be shown.",
      [
        '  items: "agents",',
        '  items: "agents",\n  each: (item) => {\n    console.error(JSON.stringify(item));\n    return item as AgentJson;\n  },',
      ],
    ),
  ],
  Actions: [
    mistakeIn("projects-api", "modules/app/project/create-project-handler.ts")(
      "Creates without an idempotency key: an attempt whose answer was lost is made twice.",
      ['  idempotency: { header: "Idempotency-Key" },\n', ""],
      ["  // The platform takes the key, so that a second call makes no second project.\n", ""],
    ),
    mistakeIn("projects-api", "modules/app/project/create-project-handler.ts")(
      "Leaves the cache untouched after a create.",
      ['  change: "upsert",\n', ""],
    ),
    mistakeIn("helpdesk", "modules/app/create-ticket-handler.ts")(
      "Sends an idempotency key of its own, the same for every action.",
      [
        '  idempotency: { header: "Idempotency-Key" },\n',
        '  headers: { "Idempotency-Key": `${Date.now()}` },\n',
      ],
    ),
    mistakeIn("helpdesk", "modules/app/create-ticket-handler.ts")(
      "Swaps two members of the input.",
      [
        "body: { ticket: rest }",
        'body: { ticket: { ...rest, subject: input("description"), description: input("subject") } }',
      ],
      ["answered, defineHandler, rest }", "answered, defineHandler, input, rest }"],
    ),
    mistakeIn("helpdesk", "modules/app/change-ticket-handler.ts")(
      "Puts nothing into the cache after a change.",
      ['  change: "upsert",\n', '  change: "none",\n'],
    ),
    mistakeIn("helpdesk", "modules/app/change-ticket-handler.ts")(
      "Sends less than the user has entered.",
      ["body: { ticket: rest }", 'body: { ticket: { subject: input("subject"), state: input("state") } }'],
      ["defineHandler, input, rest }", "defineHandler, input }"],
    ),
    mistakeIn("helpdesk", "modules/app/delete-contact-handler.ts")(
      "Leaves the row in the cache after a delete.",
      ['  change: "delete",\n', ""],
    ),
    mistakeIn("helpdesk", "modules/app/delete-contact-handler.ts")(
      "Takes a refusal to delete for a record that is gone.",
      ['  change: "delete",\n', '  change: "delete",\n  absent: [403, 404, 422],\n'],
    ),
    mistakeIn("helpdesk", "modules/app/create-contact-handler.ts")(
      "Never sends the reference by which it looks for what an attempt has made.",
      ["body: { ...rest, reference: actionKey }", "body: rest"],
    ),
    mistakeIn("helpdesk", "client/client-helper.ts")("Repeats POST as if it did no harm.", [
      "  createClient:",
      '  retry: { methods: ["GET", "POST", "PUT", "PATCH", "DELETE"] },\n  createClient:',
    ]),
    mistakeIn("warehouse", "modules/app/create-order-handler.ts")(
      "Sends no idempotency key.",
      ['      headers: { "Idempotency-Key": idempotency.key },\n', ""],
      ["{ client, idempotency, signal }", "{ client, signal }"],
    ),
    mistakeIn("warehouse", "modules/app/create-order-handler.ts")(
      "Returns the input as the record that was made.",
      ["record: order }", 'record: { ...order, ...input.toJSON(), state: "draft" as const } }'],
    ),
    mistakeIn("warehouse", "modules/app/create-order-handler.ts")(
      "Gives an action up that the target system was too busy for.",
      ["= throwIfRetryable(\n    await", "= await Promise.resolve(\n    "],
      ["import { refusalOf, throwIfRetryable }", "import { refusalOf }"],
    ),
    mistakeIn("warehouse", "modules/app/create-article-handler.ts")(
      "Lets the client repeat a POST that makes a record.",
      ['"articles", input, { signal }', '"articles", input, { signal, isIdempotent: true }'],
    ),
    mistakeIn("warehouse", "modules/app/create-article-handler.ts")(
      "Takes a number that is taken for a record that was made before.",
      [
        "  const refusal = refusalOf(response);\n",
        "  if (response.statusCode === 409) return succeeded({ id: 1, sku: input.sku });\n  const refusal = refusalOf(response);\n",
      ],
    ),
    mistakeIn("warehouse", "modules/app/change-article-handler.ts")(
      "Does not wait for the call, and says that it has succeeded.",
      [
        "  const response = throwIfRetryable(await client.patch<ArticleJson>(target, { title, price }, { signal }));\n  const refusal = refusalOf(response);\n  if (refusal !== null) return failed(refusal);\n",
        "  void client.patch<ArticleJson>(target, { title, price }, { signal });\n",
      ],
      [
        "  const article = await recordAfter(response, Article, () => client.get<ArticleJson>(target, { signal }));\n",
        "  const article = (await client.get<ArticleJson>(target, { signal })).result;\n",
      ],
      ["import { path, recordAfter, refusalOf, throwIfRetryable }", "import { path }"],
      ["import { failed, succeeded }", "import { succeeded }"],
      [
        "import { Article, type ArticleJson, type ChangeArticleInput }",
        "import type { ArticleJson, ChangeArticleInput }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/change-article-handler.ts")(
      "Leaves the cache as it is where the answer has no record.",
      [
        "await recordAfter(response, Article, () => client.get<ArticleJson>(target, { signal }));",
        "response.result;",
      ],
      ["import { path, recordAfter, refusalOf,", "import { path, refusalOf,"],
      [
        "import { Article, type ArticleJson, type ChangeArticleInput }",
        "import type { ArticleJson, ChangeArticleInput }",
      ],
    ),
    mistakeIn("warehouse", "modules/app/delete-supplier-handler.ts")(
      "Puts a value into a path as it is.",
      ["path`suppliers/${code}`", "`suppliers/${code}`"],
      ["import { path, refusalOf,", "import { refusalOf,"],
    ),
    mistakeIn("warehouse", "modules/app/delete-supplier-handler.ts")(
      "Deletes the row whatever the target system has answered.",
      [
        "  if (refusal !== null) return failed(refusal);\n",
        '  if (refusal !== null) context.log.warn("The supplier was not deleted.");\n',
      ],
      [
        "  { client, signal }: DeleteSupplierActionContext<ApiClient>,\n): Promise<DeleteSupplierActionResult> {\n",
        "  context: DeleteSupplierActionContext<ApiClient>,\n): Promise<DeleteSupplierActionResult> {\n  const { client, signal } = context;\n",
      ],
      ["import { failed, succeeded }", "import { succeeded }"],
    ),
    mistakeIn("helpdesk", "modules/app/delete-contact-handler.ts")("Swaps two parts of a path.", [
      'path: { customerId: input("customer_id"), id: input("id") }',
      'path: { customerId: input("id"), id: input("customer_id") }',
    ]),
    mistakeIn("warehouse", "modules/app/create-order-handler.ts")(
      "Throws what the target system refuses for good, so that the action is tried again.",
      [
        '  const refusal = refusalOf(response);\n  if (refusal !== null) return failed(refusal);\n  const order = response.result;\n  if (order === null) throw new Error("The warehouse names no order.");\n',
        "  const order = resultOrThrow(response);\n",
      ],
      ["import { refusalOf, throwIfRetryable }", "import { resultOrThrow, throwIfRetryable }"],
      ["import { failed, succeeded }", "import { succeeded }"],
    ),
    mistakeIn("warehouse", "modules/app/create-article-handler.ts")(
      "Looks for what was made before, but never notes that a call was sent.",
      ['  await idempotency.note("sent");\n', ""],
    ),
    mistakeIn("warehouse", "modules/app/create-article-handler.ts")(
      "Sends a member under the name that it has in code.",
      [
        'client.post<ArticleJson>("articles", input, { signal })',
        'client.post<ArticleJson>("articles", { ...input.toJSON(), supplier_note: undefined, supplierNote: input.supplierNote }, { signal })',
      ],
    ),
    mistakeIn("warehouse", "modules/app/create-order-handler.ts")(
      "Throws an error of its own for a refusal.",
      [
        "  if (refusal !== null) return failed(refusal);\n",
        '  if (refusal !== null) throw new Error("The order was not placed.");\n',
      ],
      ["import { failed, succeeded }", "import { succeeded }"],
    ),
    mistakeIn("warehouse", "modules/app/create-order-handler.ts")(
      "Sends another idempotency key with each attempt.",
      ['"Idempotency-Key": idempotency.key', '"Idempotency-Key": crypto.randomUUID()'],
      ["{ client, idempotency, signal }", "{ client, signal }"],
    ),
    mistakeIn("warehouse", "modules/app/change-article-handler.ts")(
      "Leaves out null, so that nobody can take a value away.",
      ["{ title, price }, { signal }", "{ title, price: price ?? undefined }, { signal }"],
    ),
    mistakeIn("warehouse", "modules/app/delete-supplier-handler.ts")(
      "Deletes the row by a key that is written otherwise.",
      ["record: { code } }", "record: { code: code.trim().toLowerCase() } }"],
    ),
  ],
};

/** Why the suite does not find a mistake, by what the author did. */
export const UNSEEN: Readonly<Record<string, string>> = {
  "Repeats POST as if it did no harm.":
    "It does no harm here: a declared handler whose call is not to be repeated says so with each call, and that goes before what the client says.",
  "Ends the list without a word if it is told to stop.":
    "It does no harm: a run that was told to stop ends as stopped, whatever its reader does then, and deletes nothing.",
  "Goes on from the very time of the last change, although changes become visible late.":
    "A fake shows every change at once, and so do many target systems: who goes on from the very time misses nothing there.",
  "Throws what the target system refuses for good, so that the action is tried again.":
    "It is not tried again: the action processor knows an error of `resultOrThrow` by its status, and fails the action with its text.",
};

export const MISTAKES: readonly AuthorMistake[] = Object.values(TOPICS).flat();

/** The data object whose reader or handler has a mistake; undefined if it is in what all of them use. */
export function objectOf({ changes: [change] }: AuthorMistake): string | undefined {
  const [, verb = "", name] =
    /\/(?:(create|change|delete)-)?([a-z-]+)-(?:reader|handler)\.ts$/.exec(change?.file ?? "") ?? [];
  if (name === undefined || change?.file.startsWith("modules/") !== true) return undefined;
  // The reader of change orders changes nothing.
  const words = change.file.endsWith("-reader.ts") && verb !== "" ? `${verb}-${name}` : name;
  return words.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
