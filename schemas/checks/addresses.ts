/** Base addresses as texts: whole, made up, or with something secret in them. */
import { matchedWords } from "./matched-words.js";
import { SECRETS } from "./telling-words.js";

/** Whether `address` is an absolute http or https address of a host. */
export function isAddress(address: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(address) && !/\s/.test(address) && URL.canParse(address);
}

const PLACEHOLDERS: readonly RegExp[] = [
  // Hosts that are kept for documentation (RFC 2606), and a host that starts like one.
  /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:[^/?#]*\.)?example(?:\.(?:com|org|net|edu))?\.?(?::\d+)?(?:[/?#]|$)/i,
  /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:api|www)\.example\./i,
  /\b(?:your|my)[-_.]?(?:domain|host|company|server|tenant|instance|subdomain|api|organi[sz]ation)\b/i,
  /\b(?:todo|fixme|changeme|change-me|placeholder|replace-?me|insert-here)\b/i,
  /<[^>]*>|\{[^}]*\}|%7B|\$\{/i,
  /^(?:https?:\/\/)?(?:x{3,}|\.{3,}|…)/i,
];

/** Whether `address` still has to be replaced. `localhost` is an address to develop against. */
export function isPlaceholderAddress(address: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(address.slice(0, LONGEST)));
}

const LONGEST = 2_000;

/** Whether a user name, a password or a secret parameter stands in `address`. */
export function carriesCredentials(address: string): boolean {
  if (USER.test(address)) return true;
  if (!URL.canParse(address)) return false;
  return [...new URL(address).searchParams.keys()].some((name) => matchedWords(name, SECRETS) !== undefined);
}

/** The address as messages may show it: without user, parameters and fragment, which may be secret. */
export function shownAddress(address: string): string {
  return address.replace(USER, "//…@").replace(/[?#].*$/s, "");
}

const USER = /\/\/[^/?#]*@/;
