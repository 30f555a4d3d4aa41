/** What a command and the process that runs an author's connector say to each other. */
import type { TestConnectionResult } from "../../runtime/host/index.js";
import type { ConnectionContainer } from "../../runtime/index.js";

/** What the process is to do: once. */
export interface RunTask {
  readonly kind: "testConnection";
  /** The bundled connector. */
  readonly bundleFile: string;
  readonly folder: string;
  /** The module that the bundle was made from. */
  readonly entry: string;
  readonly container: ConnectionContainer;
  readonly timeoutMs: number;
}

/** What the process says; `result` and `failed` are the last word. */
export type RunMessage =
  | { readonly kind: "result"; readonly result: TestConnectionResult }
  | { readonly kind: "failed"; readonly failure: RunFailure }
  | { readonly kind: "save"; readonly properties: Readonly<Record<string, string>> }
  | { readonly kind: "log"; readonly level: string; readonly message: string; readonly fields?: string };

/** Why a connector could not be run. */
export interface RunFailure {
  readonly code: "run-throws" | "run-exports-nothing" | "run-connection-unusable";
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}
