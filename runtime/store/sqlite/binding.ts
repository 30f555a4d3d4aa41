/** The connection to which a file belongs: the first one that uses it, until another one takes it over. */
import { type BindOptions, type ConnectionIdentity, OtherConnectionError } from "../store.js";
import type { Connection } from "./connection.js";

/** @throws OtherConnectionError if the file belongs to another connection. */
export function bindFile(
  connection: Connection,
  { definition, environment, address }: ConnectionIdentity,
  { adopt = false }: BindOptions,
): void {
  const identity = { definition, environment, address };
  const text = JSON.stringify(identity);
  if (ownerOf(connection) === text) return;
  connection.transaction(() => {
    const owner = ownerOf(connection);
    if (owner !== undefined && owner !== text && !adopt)
      throw new OtherConnectionError(connection.file, JSON.parse(owner), identity);
    connection.run("UPDATE tenant SET connection = ?", text);
  });
}

function ownerOf(connection: Connection): string | undefined {
  const owner = connection.row("SELECT connection FROM tenant")?.[0];
  return typeof owner === "string" ? owner : undefined;
}
