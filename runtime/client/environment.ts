/** Where a host states proxies. Alone in its file: authors' compilers read it, and know no types of Node. */

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
