import pg from "pg";
import { openPostgres, type PostgresStores } from "../../../runtime/store/postgres/open-store.js";
import { openSqliteStore } from "../../../runtime/store/sqlite/open-store.js";
import { type TestDatabase, testDatabase } from "../../support/postgres.js";
import { runs, SLOW_TEST_MS } from "../../support/repository.js";
import { type ModelPlace, storeIsAsItsModel } from "./model.js";

describe("whatever is done to actions and runs, and whoever stands still or dies", function () {
  this.timeout(SLOW_TEST_MS);

  it("the embedded store is as its model", async () => {
    const realNow = Date.now;
    let passed = 0;
    Date.now = () => realNow() + passed;
    try {
      await storeIsAsItsModel(async (): Promise<ModelPlace> => {
        passed = 0;
        const store = await openSqliteStore({ file: ":memory:" });
        return {
          store,
          isClockMoved: true,
          advance: async (milliseconds) => {
            passed += milliseconds;
          },
          remove: () => store.close(),
        };
      }, runs(120));
    } finally {
      Date.now = realNow;
    }
  });

  describe("on PostgreSQL", () => {
    let database: TestDatabase | undefined;
    let stores: PostgresStores;
    let clock: pg.Client;
    let places = 0;

    before(async function () {
      database = await testDatabase();
      if (database === undefined) return this.skip();
      stores = await openPostgres({ url: database.url });
      clock = new pg.Client({ connectionString: database.url });
      await clock.connect();
    });
    after(async () => {
      await clock?.end();
      await stores?.close();
      await database?.remove();
    });

    it("the store is as its model", async () => {
      await storeIsAsItsModel(newPlace, runs(25));
    });

    /** The server's clock is nobody's to set: what was planned by it comes nearer instead. */
    async function newPlace(): Promise<ModelPlace> {
      const tenant = `model ${++places}`;
      let store = await stores.open(tenant);
      const here = "workspace = (SELECT id FROM connectorcli.workspaces WHERE name = $1)";
      return {
        store,
        isClockMoved: false,
        advance: async (milliseconds) => {
          const by = "$2 * interval '1 millisecond'";
          const sql = `UPDATE connectorcli.actions
            SET due_at = due_at - ${by}, leased_until = leased_until - ${by} WHERE ${here}`;
          await clock.query(sql, [tenant, milliseconds]);
        },
        freeze: async () => {
          const sql = `UPDATE connectorcli.objects SET leased_until = now() - interval '1 second' WHERE ${here}`;
          await clock.query(sql, [tenant]);
        },
        kill: async () => {
          await store.close();
          store = await stores.open(tenant);
          return store;
        },
        remove: () => store.close(),
      };
    }
  });
});
