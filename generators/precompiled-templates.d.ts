/** What the build makes of `templates/`: functions for handlebars' runtime, by the name of their file. */
export declare const templates: Readonly<Record<string, object>>;
