/** What the build makes of `templates/`: functions for handlebars' runtime, by the name of their file. */
import type Handlebars from "handlebars";

export const templates: Readonly<Record<string, Parameters<typeof Handlebars.template>[0]>>;
