/** Certificates of a connection: what proves who the client is, and which authorities are trusted. */
import tls from "node:tls";
import { RequestRefusedError } from "./errors.js";

/** Certificates of a connection, as PEM texts. Nothing switches the check of the server's certificate off. */
export interface TlsOptions {
  /**
   * The certificate that the client shows to a server that asks for one, with those between it and its authority.
   * @default none
   */
  readonly cert?: string | undefined;
  /** The private key of `cert`. The connection property that holds it must be sensitive. */
  readonly key?: string | undefined;
  /** What `key` is encrypted with. The connection property that holds it must be sensitive. */
  readonly passphrase?: string | undefined;
  /**
   * Certificates of authorities that are trusted beside the usual ones.
   * @default none
   */
  readonly ca?: string | undefined;
}

/** Options of got for the servers of a connection, and for those of other origins, which see no client certificate. */
export interface TlsSettings {
  readonly own: HttpsOptions;
  readonly foreign: HttpsOptions;
}

interface HttpsOptions {
  readonly rejectUnauthorized: true;
  readonly certificateAuthority?: string[];
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** @throws RequestRefusedError if a text is not what it should be; the message has nothing of it. */
export function tlsSettings({ cert, key, passphrase, ca }: TlsOptions = {}): TlsSettings {
  const [certificate, privateKey, authority] = [cert, key, ca].map(given);
  if ((certificate === undefined) !== (privateKey === undefined))
    throw new RequestRefusedError("A client certificate needs both cert and key.");
  requirePem(
    "ca",
    authority,
    () => tls.createSecureContext({ ca: authority }),
    /BEGIN (?:TRUSTED )?CERTIFICATE/,
  );
  const identity = {
    ...(certificate === undefined ? {} : { certificate }),
    ...(privateKey === undefined ? {} : { key: privateKey }),
    ...(given(passphrase) === undefined ? {} : { passphrase: passphrase as string }),
  };
  const context = { cert: certificate, key: privateKey, passphrase: given(passphrase) };
  requirePem("cert and key", certificate, () => tls.createSecureContext(context));
  const foreign = {
    rejectUnauthorized: true,
    ...(authority === undefined ? {} : { certificateAuthority: [...usualAuthorities(), authority] }),
  } as const;
  return { own: { ...foreign, ...identity }, foreign };
}

/** Connection properties that a user left empty count as absent. */
function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

function requirePem(
  name: string,
  text: string | undefined,
  load: () => unknown,
  form = /BEGIN CERTIFICATE/,
): void {
  if (text === undefined) return;
  try {
    if (form.test(text)) return void load();
  } catch {
    // The reason of the library may quote what it read.
  }
  throw new RequestRefusedError(
    `The certificates of the connection can't be used: ${name} is no PEM text, or key and passphrase do not belong to cert.`,
  );
}

/**
 * Those that Node trusts by itself: a list of one's own takes their place. Node before 22.15 can't tell those of
 * NODE_EXTRA_CA_CERTS.
 */
function usualAuthorities(): readonly string[] {
  if ("getCACertificates" in tls && typeof tls.getCACertificates === "function")
    return (tls.getCACertificates as (type: "default") => string[])("default");
  return tls.rootCertificates;
}
