/** Starts the console: a page on this machine that shows what the workbench knows, and does what its commands do. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { packageFile } from "../system/package-files.js";
import { createApi } from "./api.js";
import type { ConsoleOptions } from "./console-options.js";
import { type PageFile, startServer } from "./server.js";
import { ConsoleSession } from "./session.js";

/** A console that runs. */
export interface RunningConsole {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /**
   * What to open in a browser: the address with the token of this start behind `#`, where no server and no log sees it.
   * Whoever has it can do what the page can.
   */
  readonly address: string;
  /** Fulfilled when it has ended: it was closed, or nobody looked at it for long. */
  readonly ended: Promise<void>;
  /** Ends it, and what runs in it. */
  close(): Promise<void>;
}

/** How a console is started. */
export interface StartConsoleOptions extends ConsoleOptions {
  /** Called with a line for the terminal: a value was revealed and why, or something went wrong. */
  readonly onLine?: ((line: string) => void) | undefined;
}

const TOKEN_BYTES = 32;
const IDLE_MINUTES = 60;

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/**
 * Starts a console on 127.0.0.1. It shows only, unless `isWritable` is true.
 * @throws Error if the port is taken.
 * @throws StoreError if there is a database that can't be used, or that lacks the workspace that was asked for.
 */
export async function startConsole(options: StartConsoleOptions): Promise<RunningConsole> {
  const { port = 0, idleMinutes = IDLE_MINUTES, onLine = () => {} } = options;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const session = new ConsoleSession(options);
  try {
    await session.open();
    const { origin, ended, close } = await startServer({
      ...{ port, token, files: pageFiles() },
      api: createApi(session, options, onLine),
      idleMs: idleMinutes * 60_000,
      onError: (error) => onLine(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    session.prepare();
    const allEnded = ended.then(() => session.close());
    return {
      ...{ origin, address: `${origin}/#token=${token}`, ended: allEnded },
      close: async () => {
        await close();
        await allEnded;
      },
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The files of the page by their paths. They are read once: nothing else of this machine can be asked for. */
function pageFiles(): ReadonlyMap<string, PageFile> {
  const folder = packageFile("dist/bundled/console/");
  const files = readdirSync(folder).map((name): [string, PageFile] => {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return [`/${name}`, { type, content: readFileSync(new URL(name, folder)) }];
  });
  const index = files.find(([path]) => path === "/index.html");
  return new Map(index === undefined ? files : [...files, ["/", index[1]]]);
}
