/** The workspaces that workers serve while they are harmed. */
export const KEY = Buffer.alloc(32, 7).toString("base64");
export const ACTION = { object: "sites/app/1/site", action: "create" };
/** Short, so that what a killed worker held is soon taken again. */
export const LEASE_MS = 2_000;
export const HANDLED_MS = 100;
export const SETTINGS = {
  connection: { definitionKey: "apiKeyAuth", properties: { apiKey: "kept-from-all" } },
  services: {
    "app-1": { cacheWriter: {}, actionProcessor: { CreateSiteConfig: { ProcessQueuedEvent: true } } },
  },
};
