import { t } from "@vscode/l10n";
import { TextMemory } from "./textMemory.ts";
import { type Pieces } from "../concurrency/turns.ts";
import { lineEndsBetween } from "../text/textPlace.ts";

/** Something in a source that should not be published. */
interface SourceSecret {
  /** "a private key", fit for a sentence; the secret itself is never repeated. */
  readonly what: string;
  /** From one. */
  readonly line: number;
}

/** More in one file tell nothing new. */
const MAX_SECRETS = 20;

/** A long source is looked at in parts of so many UTF-16 units. */
const PART_UNITS = 65_536;
/** What belongs together is not longer: the name of a key and the key, a phrase, an address. */
const OVERLAP_UNITS = 1024;

/**
 * Finds what looks like a private key, a seed phrase, or a key of a service in a source, comments included. Digits alone
 * prove nothing: hashes of roles, storage slots and init codes are 64 hexadecimal digits too, and so a number counts
 * only where its line names it as a key or hands it to something that takes one.
 */
export function* secretsInPieces(content: string): Pieces<readonly SourceSecret[]> {
  return found.get(content) ?? found.set(content, yield* lookedForInPieces(content));
}

const found = new TextMemory<readonly SourceSecret[]>();

function* lookedForInPieces(content: string): Pieces<SourceSecret[]> {
  const secrets: SourceSecret[] = [];
  const seen = new Set<string>();
  let line = 1;
  for (let from = 0; from < content.length && secrets.length < MAX_SECRETS; from += PART_UNITS) {
    const start = Math.max(0, from - OVERLAP_UNITS);
    const until = Math.min(from + PART_UNITS, content.length);
    const part = content.slice(start, until + OVERLAP_UNITS);
    // What begins before or behind belongs to the part before or behind.
    const places = placesIn(part).filter(({ at }) => start + at >= from && start + at < until);
    for (const { what, at } of places.sort((a, b) => a.at - b.at)) {
      const there = line + lineEndsBetween(content, from, start + at);
      if (secrets.length === MAX_SECRETS || seen.has(`${there} ${what}`)) continue;
      seen.add(`${there} ${what}`);
      secrets.push({ what, line: there });
    }
    line += lineEndsBetween(content, from, until);
    yield;
  }
  return secrets;
}

function placesIn(content: string): Place[] {
  return [
    ...privateKeys(content),
    ...seedPhrases(content),
    ...addressesWithKeys(content),
    ...assignedSecrets(content),
    ...tokens(content),
  ];
}

interface Place {
  readonly what: string;
  /** UTF-16 offset. */
  readonly at: number;
}

const WORD = /\b(?:0x)?([0-9a-fA-F]{64})\b/g;
/** Names of a private key, and functions of scripts and tests that take one. */
const KEY_WORDS =
  /\w*(?:private|priv|secret|signing|signer|deployer|wallet|operator)[ _-]?key\w*|\bpk\b|\b\w+_pk\b|\bpkey\b|\bnew\s+Wallet\s*\(|\b(?:startBroadcast|broadcast|rememberKey|addr|sign|createWallet|privateKeyToAccount)\s*\(|--private-key/gi;
/** What makes of a key something else. */
const NO_KEY =
  /hash|slot|topic|role|selector|salt|root|digest|public|commit|domain|storage|nonce|keccak|sha256/i;
const CONTEXT = 160;
/** The order of secp256k1, above which no private key is. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function privateKeys(content: string): Place[] {
  const places: Place[] = [];
  for (const match of content.matchAll(/-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----/g))
    places.push({ what: t`a private key`, at: match.index });
  for (const match of content.matchAll(WORD)) {
    const key = BigInt(`0x${match[1] ?? "0"}`);
    // Small numbers are padding or examples.
    if (key < 1n << 128n || key >= CURVE_ORDER) continue;
    const before = lineBefore(content, match.index);
    const name = [...before.matchAll(KEY_WORDS)].at(-1);
    if (name && !NO_KEY.test(before.slice(name.index)))
      places.push({ what: t`a private key`, at: match.index });
  }
  return places;
}

/** The line up to a place, with the line before where a declaration goes on from there. */
function lineBefore(content: string, at: number): string {
  const from = Math.max(0, at - CONTEXT);
  const text = content.slice(from, at);
  const start = text.lastIndexOf("\n") + 1;
  const line = text.slice(start);
  if (start === 0 || /\w/.test(line)) return line;
  return text.slice(text.lastIndexOf("\n", start - 2) + 1);
}

/** Words that English has everywhere and the lists of seed phrases (BIP-39) do not have. */
const NOT_IN_PHRASES = /\b(?:the|and|for|are|not|was|has|from|into|its|any|all|but|must|been|than)\b/;

/** A text that is nothing but words, and words behind a name for them. */
const PHRASES =
  /(?:["']|(?:mnemonic|(?:seed|recovery|secret)[ _-]?phrase|seed words)[^\n\w]{1,10}(?:is |= ?)?["']?)((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(["']|(?! ?[a-zA-Z]))/gi;

function seedPhrases(content: string): Place[] {
  return [...content.matchAll(PHRASES)].flatMap(({ 0: all, 1: phrase = "", 2: end, index }) => {
    const words = phrase.split(" ");
    const isOneLength = [12, 15, 18, 21, 24].includes(words.length);
    const isWhole = !/^["']/.test(all) || end !== "";
    // The phrase of development chains repeats one word and is public.
    const isPhrase = isOneLength && isWhole && new Set(words).size >= 6 && !NOT_IN_PHRASES.test(phrase);
    return isPhrase && phrase === phrase.toLowerCase() ? [{ what: t`a seed phrase`, at: index }] : [];
  });
}

const PLACEHOLDER = /your|example|placeholder|xxx|\.\.\.|[<>{}$*]|(.)\1{7}|0123456789|redacted|dummy/i;

/** Paths behind which providers expect the key of an account. */
const KEY_IN_PATH =
  /(?:infura\.io\/(?:ws\/)?v3|alchemy(?:api)?\.(?:com|io)\/(?:nft\/)?v[23]|quiknode\.pro|rpc\.ankr\.com\/\w+|(?:chainstack|core\.chainstack)\.com|getblock\.io|moralis-nodes\.com\/\w+|blastapi\.io|tenderly\.co)\/([\w-]{20,})/i;

function addressesWithKeys(content: string): Place[] {
  const places: Place[] = [];
  for (const { 0: address, index: at } of content.matchAll(/\b(?:https?|wss?):\/\/[^\s"'`<>\\)\]]{8,400}/g)) {
    const key =
      KEY_IN_PATH.exec(address)?.[1] ??
      /[?&](?:api[-_]?key|dkey|access[-_]?token|auth[-_]?token|token|secret|key)=([\w.~-]{16,})/i.exec(
        address,
      )?.[1];
    if (key !== undefined && !PLACEHOLDER.test(key))
      places.push({ what: t`an address with its access key`, at });
    const password = /^\w+:\/\/[^/:@]{1,80}:([^/@]{1,80})@/.exec(address)?.[1];
    if (password !== undefined && !PLACEHOLDER.test(password))
      places.push({ what: t`an address with its password`, at });
  }
  return places;
}

/** `PRIVATE_KEY=…` as in the files that hold an environment, often left in a comment. */
function assignedSecrets(content: string): Place[] {
  const places: Place[] = [];
  const assignment =
    /(?:PRIVATE_KEY|SECRET|API_?KEY|_TOKEN|PASSWORD)\w{0,20}\s{0,4}=\s{0,4}["']?([\w+/.-]{16,200})(?=["'\s;,]|$)/gm;
  for (const match of content.matchAll(assignment)) {
    const value = match[1] ?? "";
    const isRandom = /\d.*\d/.test(value) && /[a-zA-Z].*[a-zA-Z]/.test(value);
    if (isRandom && !PLACEHOLDER.test(value) && !NO_KEY.test(match[0]))
      places.push({
        what: match[0].includes("PRIVATE_KEY") ? t`a private key` : t`a secret of a service`,
        at: match.index,
      });
  }
  return places;
}

function tokens(content: string): Place[] {
  const known =
    /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22,}|AKIA[0-9A-Z]{16}|sk_live_[A-Za-z0-9]{16,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|glpat-[\w-]{20})/g;
  return [...content.matchAll(known)].map(({ index }) => ({ what: t`an access token`, at: index }));
}
