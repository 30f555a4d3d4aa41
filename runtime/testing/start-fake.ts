/** A target system that is made from a connector alone: a real HTTP server on loopback, for tests. */
import type { ConnectorRegistration } from "../registration/registration.js";
import type { FakeOptions, FakeTarget } from "./fake-options.js";
import { startWatchedFake } from "./watched-fake.js";

/**
 * Starts a target system on a loopback address, made from a connector alone: its declared readers, schemas and connection
 * definition. No call of the connector leaves the machine.
 * @throws TypeError for a name that the connector does not have; Error if OAuth 2 needs a package that is not installed.
 * @example
 * const fake = await startFake(registration, { records: 250, seed: 7, faults: [{ name: "resetInBody", at: [3] }] });
 * const connector = startConnector(registration, fake.settings);
 * const services = connect(connector, fake.connection, { transport: fake.transport });
 */
export async function startFake<Client>(
  registration: ConnectorRegistration<Client>,
  options: FakeOptions = {},
): Promise<FakeTarget> {
  return (await startWatchedFake(registration as ConnectorRegistration, options)).fake;
}
