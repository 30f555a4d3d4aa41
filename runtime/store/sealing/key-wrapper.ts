/** The key that data keys are wrapped with: one that is given as a text, or one that a key service keeps to itself. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/**
 * Wraps data keys, so that they can be kept beside what they seal. A host whose keys are in a key service implements it with
 * the calls of that service; {@link localKeys} is the one for keys from a file or a variable.
 */
export interface KeyWrapper {
  /** Names the key that wraps now. It is kept beside what was wrapped, and messages show it: no secret is in it. */
  readonly name: string;
  /** Wraps a data key of 64 bytes. `place` says whose it is; what is wrapped for one place opens at no other. */
  wrap(dataKey: Uint8Array, place: string): Promise<Uint8Array>;
  /** The data key. `name` is the one that the wrapper had when it was wrapped, which may be an older key's. */
  unwrap(wrapped: Uint8Array, place: string, name: string): Promise<Uint8Array>;
}

/** A key that can't be used. No part of it is in the message. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Wraps with keys that are given as a text: each 32 random bytes in base64, separated by white space. The first one wraps;
 * what one of the others has wrapped can still be opened, so that a new key can be put before an old one.
 * @throws KeyError if the text holds no key, or something else than keys.
 * @example
 * const key = localKeys("PPyjzMXmKkd2OFPnZvq3BnbkB2Yk7QZ2b8pFLHBkUqY=");
 * const store = await openSqliteStore({ file: "cache.db", sealing: { key } });
 */
export function localKeys(text: string): KeyWrapper {
  const parts = text.split(/\s+/).filter((part) => part !== "");
  const keys = new Map(parts.map((part, index) => namedKey(part, index + 1)));
  const [first] = keys;
  if (first === undefined) throw new KeyError(`There is no key in the text. ${ADVICE}`);
  const [name, key] = first;
  return {
    name,
    wrap: async (dataKey, place) => encrypt(key, dataKey, place),
    unwrap: async (wrapped, place, wrappedBy) => {
      const used = keys.get(wrappedBy);
      if (used === undefined)
        throw new KeyError(`the key ${wrappedBy} was not given, but ${[...keys.keys()].join(" and ")}`);
      return decrypt(used, wrapped, place);
    },
  };
}

const ADVICE = "A key is 32 random bytes in base64, as npx connectorcli key new writes one.";

function namedKey(text: string, number: number): readonly [name: string, key: Buffer] {
  const key = Buffer.from(text, "base64");
  const digits = text.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  if (key.length !== KEY_BYTES || key.toString("base64").replace(/=+$/, "") !== digits)
    throw new KeyError(`Key ${number} of the text is none. ${ADVICE}`);
  // Of a hash of 32 random bytes nobody finds them again.
  return [
    `local:${createHash("sha256").update("name of a key").update(key).digest("hex").slice(0, 16)}`,
    key,
  ];
}

/** Nonce, tag and cipher text; `place` is bound to them. */
export function encrypt(key: Uint8Array, plain: Uint8Array, place: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
  const text = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...text]);
}

/** @throws Error if the bytes are not what was encrypted with this key for this place. */
export function decrypt(key: Uint8Array, bytes: Uint8Array, place: string): Uint8Array {
  const text = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(NONCE_BYTES, text));
  return Buffer.concat([decipher.update(bytes.subarray(text)), decipher.final()]);
}
