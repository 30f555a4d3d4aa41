/** Seals texts of a tenant with its data keys, and opens them. The data keys are kept wrapped, beside what they seal. */
import { createHmac, randomBytes } from "node:crypto";
import { StoreError } from "../store.js";
import { decrypt, encrypt, KeyError, type KeyWrapper } from "./key-wrapper.js";

/** A data key as it is kept. */
export interface WrappedKey {
  /** Counts up from 1; the last one seals. */
  readonly version: number;
  /** The key in base64, wrapped. */
  readonly wrapped: string;
  /** Name of the key that wrapped it. */
  readonly wrappedBy: string;
}

/** Where the data keys of a tenant are kept. */
export interface DataKeyStore {
  /** Names the store in messages. */
  readonly name: string;
  /** Name of the tenant. */
  readonly tenant: string;
  /** All keys, in the order of their versions. */
  list(): Promise<readonly WrappedKey[]>;
  /** Keeps a key, unless there is one of this version. */
  add(key: WrappedKey): Promise<void>;
  /** Replaces the key of the same version by the same one that was wrapped anew. */
  replace(key: WrappedKey): Promise<void>;
}

const PREFIX = "sealed:";
const DATA_KEY_BYTES = 32;
/** A data key has two halves: one seals, the other one makes fingerprints and is the same in all versions of a tenant. */
const BYTES = 2 * DATA_KEY_BYTES;

/** Whether a text was sealed. No JSON text looks like one. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Seals and opens texts of one tenant. */
export interface Seal {
  /**
   * `text`, to be read with the key alone, and at this place alone.
   * @throws StoreError `sealed` if the store is sealed and no key was given.
   */
  seal(text: string, place: readonly string[]): string;
  /**
   * What was sealed at this place. A text that was written before the store was sealed is returned as it is.
   * @throws StoreError `sealed` if no key was given, or if the text was changed or sealed at another place.
   */
  open(text: string, place: readonly string[]): Promise<string>;
  /** As `open`, with the data keys that are known: all that there were when the seal was opened. */
  openNow(text: string, place: readonly string[]): string;
  /** A hash in place of `hash` that nobody who lacks the key can compare with guesses; equal for equal ones. */
  fingerprint(hash: string): string;
  /** @throws StoreError `sealed` if the store is sealed and no key was given. */
  demandKey(): void;
}

/** What is said where a key is needed and none was given. */
export function noKeyError({ name }: Pick<DataKeyStore, "name">): StoreError {
  const advice = "Give the key: --key-file, the variable CONNECTORCLI_KEY, or sealing of a host.";
  return new StoreError(
    "sealed",
    `${name}: there is something to seal or sealed, and no key was given. ${advice}`,
  );
}

/** The seal of a store for which no key was given: what is sealed stays closed. Where nothing is, texts are kept as they are. */
export async function keylessSeal(keys: DataKeyStore): Promise<Seal & { readonly isLocked: boolean }> {
  const isLocked = (await keys.list()).length > 0;
  const demandKey = () => {
    if (isLocked) throw noKeyError(keys);
  };
  const openNow = (text: string) => {
    if (isSealed(text)) throw noKeyError(keys);
    return text;
  };
  const unchanged = (text: string) => {
    demandKey();
    return text;
  };
  return {
    ...{ isLocked, demandKey, openNow },
    seal: unchanged,
    fingerprint: unchanged,
    open: async (text) => openNow(text),
  };
}

/**
 * The seal of a tenant. Its first data key is made here if there is none.
 * @throws StoreError `sealed` if the data keys were wrapped by a key that was not given.
 */
export async function openSeal(keys: DataKeyStore, wrapper: KeyWrapper): Promise<Seal> {
  const seal = new KeyedSeal(keys, wrapper);
  if (await seal.load()) return seal;
  await addDataKey(keys, wrapper, { version: 1, fingerprintKey: randomBytes(DATA_KEY_BYTES) });
  // If somebody else was faster, it is that one's key.
  await seal.load();
  return seal;
}

/** How keys are rotated. */
export interface RotateOptions {
  /**
   * Whether a new data key is made, by which is sealed what is written from then on. Older data keys stay, for what they
   * have sealed.
   * @default false
   */
  readonly newDataKey?: boolean | undefined;
}

/** What became of the data keys of a tenant. */
export interface RotatedKeys {
  /** How many were wrapped anew. */
  readonly rewrapped: number;
  /** How many there are. */
  readonly dataKeys: number;
}

/** Wraps the data keys of a tenant with the key that `wrapper` wraps with now, and adds one if the options say so. */
export async function rotateKeys(
  keys: DataKeyStore,
  wrapper: KeyWrapper,
  { newDataKey = false }: RotateOptions = {},
): Promise<RotatedKeys> {
  const kept = await keys.list();
  let rewrapped = 0;
  for (const key of kept) {
    if (key.wrappedBy === wrapper.name) continue;
    const bytes = await unwrap(keys, wrapper, key);
    await keys.replace(await wrappedKey(keys, wrapper, { version: key.version, bytes }));
    rewrapped++;
  }
  const last = kept.at(-1);
  if (!newDataKey || last === undefined) return { rewrapped, dataKeys: kept.length };
  const fingerprintKey = (await unwrap(keys, wrapper, await keptKey(keys, last.version))).subarray(
    DATA_KEY_BYTES,
  );
  await addDataKey(keys, wrapper, { version: last.version + 1, fingerprintKey });
  return { rewrapped, dataKeys: kept.length + 1 };
}

async function keptKey(keys: DataKeyStore, version: number): Promise<WrappedKey> {
  const key = (await keys.list()).find((candidate) => candidate.version === version);
  if (key === undefined) throw new StoreError("sealed", `${keys.name} lost its data key ${version}.`);
  return key;
}

async function addDataKey(
  keys: DataKeyStore,
  wrapper: KeyWrapper,
  { version, fingerprintKey }: { readonly version: number; readonly fingerprintKey: Uint8Array },
): Promise<void> {
  const bytes = Buffer.concat([randomBytes(DATA_KEY_BYTES), fingerprintKey]);
  await keys.add(await wrappedKey(keys, wrapper, { version, bytes }));
}

async function wrappedKey(
  keys: DataKeyStore,
  wrapper: KeyWrapper,
  { version, bytes }: { readonly version: number; readonly bytes: Uint8Array },
): Promise<WrappedKey> {
  const place = placeOfKey(keys, version);
  const wrapped = await called(keys, () => wrapper.wrap(bytes, place));
  return { version, wrapped: Buffer.from(wrapped).toString("base64"), wrappedBy: wrapper.name };
}

async function unwrap(
  keys: DataKeyStore,
  wrapper: KeyWrapper,
  { version, wrapped, wrappedBy }: WrappedKey,
): Promise<Uint8Array> {
  const place = placeOfKey(keys, version);
  const bytes = await called(keys, () => wrapper.unwrap(Buffer.from(wrapped, "base64"), place, wrappedBy));
  if (bytes.length === BYTES) return bytes;
  throw new StoreError("sealed", `${keys.name}: the key ${wrappedBy} gave something else than a data key.`);
}

function placeOfKey({ tenant }: DataKeyStore, version: number): string {
  return JSON.stringify(["data key", tenant, version]);
}

/** What a wrapper fails with, as an error of the store: a key service that can't be reached is there again later. */
async function called({ name }: DataKeyStore, call: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await call();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof KeyError)
      throw new StoreError(
        "sealed",
        `${name} is sealed: ${why}. What is sealed can be read with that key alone.`,
      );
    if (/unable to authenticate/i.test(why))
      throw new StoreError(
        "sealed",
        `${name} is sealed, and its wrapped data key is damaged or of another tenant.`,
      );
    throw new StoreError("unavailable", `${name}: the key service has failed: ${why}`, { cause: error });
  }
}

class KeyedSeal implements Seal {
  readonly #keys: DataKeyStore;
  readonly #wrapper: KeyWrapper;
  /** By their versions; the last one seals. */
  readonly #opened = new Map<number, Uint8Array>();

  constructor(keys: DataKeyStore, wrapper: KeyWrapper) {
    this.#keys = keys;
    this.#wrapper = wrapper;
  }

  /** Loads the data keys that are not known yet; returns false if there is none at all. */
  async load(): Promise<boolean> {
    for (const key of await this.#keys.list())
      if (!this.#opened.has(key.version))
        this.#opened.set(key.version, await unwrap(this.#keys, this.#wrapper, key));
    return this.#opened.size > 0;
  }

  demandKey(): void {}

  seal(text: string, place: readonly string[]): string {
    const version = Math.max(...this.#opened.keys());
    const key = this.#keyOf(version).subarray(0, DATA_KEY_BYTES);
    const bytes = encrypt(key, Buffer.from(text), this.#bound(version, place));
    return `${PREFIX}${version}:${Buffer.from(bytes).toString("base64url")}`;
  }

  async open(text: string, place: readonly string[]): Promise<string> {
    const version = versionOf(text);
    // Another process may have begun with a new data key.
    if (version !== undefined && !this.#opened.has(version)) await this.load();
    return this.openNow(text, place);
  }

  openNow(text: string, place: readonly string[]): string {
    const version = versionOf(text);
    if (version === undefined) return text;
    const key = this.#keyOf(version).subarray(0, DATA_KEY_BYTES);
    const bytes = Buffer.from(text.slice(text.indexOf(":", PREFIX.length) + 1), "base64url");
    try {
      return Buffer.from(decrypt(key, bytes, this.#bound(version, place))).toString();
    } catch (error) {
      const what = `${this.#keys.name}: a sealed value (${place.join(", ")})`;
      throw new StoreError(
        "sealed",
        `${what} was changed, or put in another place. Restore it from a backup.`,
        {
          cause: error,
        },
      );
    }
  }

  fingerprint(hash: string): string {
    const key = this.#keyOf(Math.max(...this.#opened.keys())).subarray(DATA_KEY_BYTES);
    return createHmac("sha256", key).update(hash).digest("base64url").slice(0, Math.max(hash.length, 16));
  }

  #keyOf(version: number): Uint8Array {
    const key = this.#opened.get(version);
    if (key !== undefined) return key;
    throw new StoreError(
      "sealed",
      `${this.#keys.name} lost its data key ${version}: restore it from a backup.`,
    );
  }

  #bound(version: number, place: readonly string[]): string {
    return JSON.stringify([this.#keys.tenant, version, ...place]);
  }
}

/** The data key by which a text was sealed; undefined if it was not. */
function versionOf(text: string): number | undefined {
  const [, version] = /^sealed:(\d{1,9}):/.exec(text) ?? [];
  return version === undefined ? undefined : Number(version);
}
