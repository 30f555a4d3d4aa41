/** The readers of DatabaseModule. */
import type { ApiClient } from "../../client/api-client.js";
import type { DatabaseModuleServices } from "../../generated/registration.js";
import { databasesReader } from "./databases-reader.js";

export const databaseModuleServices: DatabaseModuleServices<ApiClient> = {
  readers: {
    Databases: databasesReader,
  },
  handlers: {},
};
