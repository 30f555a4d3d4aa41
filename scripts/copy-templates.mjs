/** Puts the templates beside the compiled generators, which look for them there. */
import { cpSync } from "node:fs";

cpSync(
  new URL("../generators/templates/", import.meta.url),
  new URL("../dist/generators/templates/", import.meta.url),
  {
    recursive: true,
  },
);
