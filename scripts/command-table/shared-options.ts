/** Options that several commands take, in the same words. */

/** Options of every command that reads a project. */
export const PROJECT_OPTIONS = {
  "connector-path": { type: "string", describe: "The connector's folder (default: the current one)" },
  "load-timeout": {
    type: "number",
    counts: "seconds",
    describe: "Seconds that the connector's modules may take to load (default: 30)",
  },
} as const;

/** Options of every command that works with the store. */
export const STORE_OPTIONS = {
  ...PROJECT_OPTIONS,
  store: { type: "string", describe: "The store's file (default: .connectorcli-cache/store.db)" },
} as const;

export const REVEAL_OPTION = {
  reveal: { type: "boolean", describe: "Show write-only values, which are hidden otherwise" },
} as const;

export const JSON_LINES_OPTION = { json: { type: "boolean", describe: "Print JSON, a line each" } } as const;

export const LIMIT_OPTION = {
  limit: { type: "number", counts: "items", describe: "At most so many (default: 20; 0 for all)" },
} as const;

export const SERVICE_OPTIONS = {
  ...STORE_OPTIONS,
  "module-id": { type: "string", describe: "Only this module, such as app-1" },
  "data-object-url": {
    type: "string",
    describe: "Only this data object: its part of the address, or its class",
  },
  connection: {
    type: "string",
    describe: "The definition key of the connection (default: the active one of the settings)",
  },
} as const;

export const JSON_OPTION = { json: { type: "boolean", describe: "Print the result as JSON" } } as const;
