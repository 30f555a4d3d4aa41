/** The formats by which a value can be refused; every other name says nothing to a validator. */
import { TEXT_FORMATS } from "../../keywords.js";

export const FORMATS_THAT_DECIDE: ReadonlySet<string> = new Set([...TEXT_FORMATS, "int32", "int64"]);
