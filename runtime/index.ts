/** What a running connector needs. */
export { recordKey } from "./record-key.js";
