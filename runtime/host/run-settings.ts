/** How a connector wants to be run, for whoever runs it. */
import type { ProcessorSettings } from "../action-processor/processor-options.js";
import type { CacheWriterSettings } from "../cache-writer/sync-options.js";

/**
 * What a project says of its services under `connectorcli.run` in its package.json. A built connector exports it as
 * `runSettings`.
 */
export interface RunSettings {
  /** For `runCacheWriter`, and for workers. */
  readonly cacheWriter: CacheWriterSettings;
  /** For `runActionProcessor`, and for workers. */
  readonly actionProcessor: ProcessorSettings;
  /**
   * For `enqueueAction`: the longest input as JSON, in bytes of UTF-8.
   * @default that of `enqueueAction`
   */
  readonly maxInputBytes?: number | undefined;
}
