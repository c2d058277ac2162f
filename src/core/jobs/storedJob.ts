import { storedChainIdShape } from "../chains/chainIdShape.ts";
import { t } from "@vscode/l10n";
import { PROXY_KINDS } from "../evm/proxy.ts";
import { keptAddress } from "../http/keptAddress.ts";
import { LANGUAGE_NAMES } from "../languages/language.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import {
  allEntriesOf,
  anyJson,
  asItCame,
  entriesOf,
  flag,
  ifReadable,
  instant,
  listOf,
  mapped,
  matching,
  nullable,
  numberFrom,
  object,
  oneOf,
  openObject,
  optional,
  text,
  Misfit,
  type Shape,
} from "../json/shape.ts";
import { CAUSE_CODES, type Action, type Cause, type Explanation } from "../matching/explanation.ts";
import { verificationJob, verifiedContract, type JobError } from "../service/job.ts";
import { JOB_ID } from "./jobId.ts";
import type { JobRecord } from "./jobRecord.ts";
import type { SubmittedFile, WholeSubmission } from "./submissionParts.ts";

/** What a sentence of ours, or an id, has at most. */
const sentence = text(5_000);
const word = text(500);
/** A path, or a name in a source tree. */
const path = text(10_000);
const count = numberFrom(0, 1e9);

const proxy = object({
  kind: oneOf(...PROXY_KINDS),
  implementation: ifReadable(word),
  slot: ifReadable(word),
  beacon: ifReadable(word),
  addresses: ifReadable(listOf(word, 100)),
  readSlots: ifReadable(listOf(word, 100)),
});

/** An action as it was written: of a kind that is known, with what that kind needs. */
const action: Shape<Action> = (value) => {
  const labelled = object({ label: word });
  const shapes: Readonly<Record<Action["kind"], Shape<unknown>>> = {
    resubmit: object({ label: word, localLabel: optional(word), changes: resubmitChanges }),
    "submit full input": object({ label: word, localLabel: optional(word) }),
    "choose contract": object({ label: word, contract: optional(word) }),
    "verify implementation": object({ label: word, implementation: optional(word), proxy }),
    "check address": labelled,
    "show errors": labelled,
    "show difference": labelled,
    "find commit": labelled,
    retry: labelled,
  };
  const head = object({ kind: oneOf(...(Object.keys(shapes) as Action["kind"][])) })(value);
  if (!("kind" in head)) return head;
  const read = asItCame<Action>(shapes[head.kind])(value);
  if (read instanceof Misfit || (read.kind !== "resubmit" && read.kind !== "submit full input")) return read;
  // An earlier version wrote one label.
  const kept: { readonly localLabel?: string } = read;
  return { ...read, localLabel: kept.localLabel ?? read.label };
};

const resubmitChanges = object({
  compilerVersion: optional(word),
  contractIdentifier: optional(path),
  settings: optional(asItCame(entriesOf(anyJson))),
  sourceNames: optional(mapped(entriesOf(path), (names) => Object.fromEntries(names))),
});

/** A cause as it was written. */
export const storedCause: Shape<Cause> = openObject({
  code: oneOf(...CAUSE_CODES),
  confidence: numberFrom(0, 1),
  evidence: sentence,
  fix: ifReadable(sentence),
  action: ifReadable(action),
});

const explanation: Shape<Explanation> = openObject({ summary: sentence, causes: listOf(storedCause, 100) });

const secondTry = openObject({ id: word, because: word, isWithheld: ifReadable(flag) });

const hashPlace = oneOf("runtime code", "creation code", "none");
const recordId = matching(JOB_ID, () => t`an id of a job`);

/**
 * Reads a record of an earlier session. What names the job and what says whether it was sent has to be there; what the
 * service said can be asked again, so that of it only what can't be read is left out.
 */
export const storedJob: Shape<JobRecord> = openObject({
  id: recordId,
  stage: oneOf("prepared", "submitting", "unconfirmed", "refused", "adopted", "submitted"),
  // An earlier version kept the address with what gives access to it.
  service: mapped(text(2_000), keptAddress),
  chainId: storedChainIdShape,
  address: text(100),
  creationTransactionHash: ifReadable(word),
  // Without it a retry would look for similar contracts: an unreadable one is not as good as none.
  submission: optional(
    mapped(
      openObject({
        compilerVersion: word,
        contractIdentifier: path,
        source: oneOf("build-info", "metadata", "derived"),
        path,
        contractName: path,
        fileCount: count,
        metadataHashIn: ifReadable(hashPlace),
        // What an earlier version called it.
        fingerprint: ifReadable(hashPlace),
      }),
      ({ fingerprint, ...submission }) => ({
        ...(fingerprint !== undefined && { metadataHashIn: fingerprint }),
        ...submission,
      }),
    ),
  ),
  // Without it nothing says that what is kept is what was sent: an unreadable one is not as good as none.
  requestSha256: optional(word),
  wholeSha256: optional(word),
  verificationId: ifReadable(word),
  sender: ifReadable(word),
  submittedAt: instant,
  checkedAt: ifReadable(instant),
  finishedAt: ifReadable(instant),
  before: ifReadable(verifiedContract),
  job: ifReadable(verificationJob),
  contract: ifReadable(verifiedContract),
  explanation: ifReadable(explanation),
  difference: ifReadable(sentence),
  problem: ifReadable(object({ code: word, message: sentence })),
  secondTryOf: ifReadable(secondTry),
  secondTry: ifReadable(secondTry),
});

/** Reads a compiler input that was kept, to the byte as it was submitted. */
export const storedInput: Shape<StandardJsonInput> = asItCame(
  object({
    language: oneOf(...LANGUAGE_NAMES),
    sources: allEntriesOf(object({ content: text() })),
    settings: entriesOf(anyJson),
  }),
);

/** Reads where submitted sources were. */
export const storedFiles: Shape<SubmittedFile[]> = listOf(
  object({
    name: path,
    path,
    place: ifReadable(oneOf("project", "dependency", "outside")),
    isRecorded: ifReadable(flag),
  }),
);

/** Reads what a second try would send. */
export const storedWhole: Shape<WholeSubmission> = object({ stdJsonInput: storedInput, files: storedFiles });

/** Reads the bytecodes of a failure. */
export const storedCodes: Shape<Partial<JobError>> = object({
  recompiledCreationCode: ifReadable(nullable(text())),
  recompiledRuntimeCode: ifReadable(nullable(text())),
  onchainCreationCode: ifReadable(nullable(text())),
  onchainRuntimeCode: ifReadable(nullable(text())),
});
