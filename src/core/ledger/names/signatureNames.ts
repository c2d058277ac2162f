import { t } from "@vscode/l10n";
import { baseAddress, joinedAddress } from "../../http/joinedAddress.ts";
import { isLedgerOutOfReach } from "../../chains/privateChains.ts";
import { SharedAnswer } from "../../concurrency/toldLimits.ts";
import { systemClock, type Clock } from "../../concurrency/clock.ts";
import { entriesOf, flag, ifReadable, listOf, object, readAs, text, type Shaped } from "../../json/shape.ts";
import { HttpError } from "../../http/httpError.ts";
import { shownHost } from "../../http/shownAddress.ts";
import type { JsonClient } from "../../http/jsonClient.ts";
import type { NamedDefinition, NameScope, NameSource } from "./nameSource.ts";
import { readSelector, selectorNumber, topicOf, type MemberKind } from "../../evm/abiEntry.ts";
import { SharedAnswers } from "./sharedAnswers.ts";

interface SignatureNamesPorts {
  readonly http: Pick<JsonClient, "request">;
  /** The base address of the service as it is set now. */
  readonly url: () => string;
  /** Whether the user switched the service on; nothing is asked otherwise. */
  readonly isEnabled: () => boolean;
  readonly clock?: Clock;
}

const MAX_SELECTORS = 5_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Milliseconds that a question waits for others to go with it. */
const GATHER_MS = 20;
const SELECTORS_AT_ONCE = 100;
/** Of each selector; thousands of signatures can be made to have one. */
const MAX_SIGNATURES = 20;
const MAX_SIGNATURE = 1_000;

/**
 * Guesses by a public collection of signatures, where the user switched it on. It is told selectors and the topics
 * of events, and nothing else; of what is on a ledger of this machine nothing at all, unless it is near, too.
 * The interface is that of openchain.xyz as the service at api.4byte.sourcify.dev keeps it: errors are looked up as
 * functions, `filter` leaves out what is known as junk (argotorg/sourcify, services/4byte/src/api/handlers.ts).
 */
export class SignatureNames implements NameSource {
  readonly certainty = "guess";
  readonly #ports: SignatureNamesPorts;
  readonly #clock: Clock;
  readonly #signatures: SharedAnswers<readonly string[]>;
  readonly #gathering = new Map<string, Batch>();

  constructor(ports: SignatureNamesPorts) {
    this.#ports = ports;
    this.#clock = ports.clock ?? systemClock;
    this.#signatures = new SharedAnswers({
      clock: this.#clock,
      maxAnswers: MAX_SELECTORS,
    });
  }

  async definitions(
    type: MemberKind,
    selector: string,
    { network, signal }: NameScope,
  ): Promise<readonly NamedDefinition[]> {
    if (!this.#ports.isEnabled() || !isAskable(type, selector)) return [];
    const url = baseAddress(this.#ports.url());
    if (isLedgerOutOfReach(network, shownHost(url))) return [];
    const signatures = await this.#signatures.get(url, selector, signal, () => this.#lookUp(url, selector));
    return (signatures ?? []).map((signature) => ({ abi: `${type} ${signature}` }));
  }

  async #lookUp(url: string, selector: string): Promise<readonly string[]> {
    const parameter = selector.length === TOPIC_LENGTH ? "event" : "function";
    const key = `${parameter} ${url}`;
    let batch = this.#gathering.get(key);
    if (!batch) {
      const selectors = new Set<string>();
      batch = { selectors, answer: new SharedAnswer(() => this.#gather(key, url, parameter, selectors)) };
      this.#gathering.set(key, batch);
    }
    batch.selectors.add(selector);
    const { answer } = batch;
    return signaturesIn((await answer.toldTo(answer.value)).get(selector), selector);
  }

  async #gather(
    key: string,
    url: string,
    parameter: Parameter,
    selectors: ReadonlySet<string>,
  ): Promise<Answer> {
    await this.#clock.sleep(GATHER_MS);
    this.#gathering.delete(key);
    const all = [...selectors];
    const parts = Array.from({ length: Math.ceil(all.length / SELECTORS_AT_ONCE) }, (_, at) =>
      all.slice(at * SELECTORS_AT_ONCE, (at + 1) * SELECTORS_AT_ONCE),
    );
    const answers = await Promise.all(parts.map((part) => this.#ask(url, parameter, part)));
    return new Map(answers.flatMap((answer) => [...answer]));
  }

  async #ask(url: string, parameter: Parameter, selectors: readonly string[]): Promise<Answer> {
    const { status, body } = await this.#ports.http.request({
      url: joinedAddress(
        url,
        `/signature-database/v1/lookup?${parameter}=${selectors.join(",")}&filter=true`,
      ),
      base: url,
      service: t`The signature service`,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      retries: 1,
    });
    const { result } = readAs(signatureAnswer, body) ?? {};
    if (status === 200 && result) return result[parameter] ?? new Map();
    throw new HttpError(
      "unreachable",
      t`The signature service answered with status ${status}. Try again later.`,
      {
        status,
        sent: true,
      },
    );
  }
}

const signature = object({
  name: text(),
  filtered: ifReadable(flag),
  hasVerifiedContract: ifReadable(flag),
});

/** What the service has of each selector. */
const signatures = entriesOf(listOf(signature));
const signatureAnswer = object({
  result: object({ function: ifReadable(signatures), event: ifReadable(signatures) }),
});
type Answer = Shaped<typeof signatures>;

/** What the service is asked by: selectors of functions and errors, or whole topics of events. */
type Parameter = "function" | "event";

const TOPIC_LENGTH = "0x".length + 64;

function isAskable(type: MemberKind, selector: string): boolean {
  return (type === "event") === (selector.length === TOPIC_LENGTH) && readSelector(selector) !== undefined;
}

/** Selectors that are asked for together. */
interface Batch {
  readonly selectors: Set<string>;
  readonly answer: SharedAnswer<Answer>;
}

/** The signatures of a selector, those of verified contracts first; one that is another selector's is left out. */
function signaturesIn(found: Shaped<typeof signature>[] = [], selector: string): readonly string[] {
  const items = found.flatMap(({ name, filtered, hasVerifiedContract }) => {
    return filtered !== true && isSignature(name, selector)
      ? [{ name, isVerified: hasVerifiedContract === true }]
      : [];
  });
  return items
    .sort((a, b) => Number(b.isVerified) - Number(a.isVerified))
    .slice(0, MAX_SIGNATURES)
    .map(({ name }) => name);
}

function isSignature(text: string, selector: string): boolean {
  return (
    text.length <= MAX_SIGNATURE &&
    /^[A-Za-z_$][\w$]*\([\w,()[\]]*\)$/.test(text) &&
    (selector.length === TOPIC_LENGTH
      ? topicOf(text) === selector
      : selectorNumber(text) === readSelector(selector))
  );
}
