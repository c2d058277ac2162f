import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import type { InputFinding } from "../sources/inputFinding.ts";
import { checkInputInPieces } from "../compilerInput/inputChecks.ts";
import { renamedSource } from "../sources/sourceNames.ts";
import type { CompilerInput, InputFile, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { LedgerLensError } from "../errors.ts";
import { atOnce, eachInPieces, mapInPieces, type Pieces } from "../concurrency/turns.ts";
import { deepFrozen, frozenInPieces } from "../json/deepFrozen.ts";
import { runsHere } from "../http/thisMachine.ts";
import { shownHost } from "../http/shownAddress.ts";
import { foreign, shown } from "../text/shownText.ts";
import type { ResubmitChanges } from "../matching/explanation.ts";
import { recordTitle, type JobRecord, type SubmittedInput } from "./jobRecord.ts";
import type { SubmissionParts, SubmittedFile, WholeSubmission } from "./submissionParts.ts";
import type { PublishScope } from "./publishConsent.ts";
import { publishReviewInPieces, type PublishedFile, type PublishReview } from "./publishReview.ts";
import { reviewDifference } from "./reviewDifference.ts";
import { withChanges } from "../matching/resubmission.ts";
import { serviceAddress } from "../service/serviceAddress.ts";
import { metadataHashPlace } from "../matching/metadataHashPlace.ts";
import {
  checkSize,
  similarityRequest,
  deploymentOf,
  submissionRequestInPieces,
  type Deployment,
  type SubmissionRequest,
} from "../service/submissionRequest.ts";

/** A compiler input of a contract of the workspace, with the file that the contract is in. */
export type ReviewedInput = CompilerInput & {
  readonly path: string;
  readonly contractName: string;
  /** True where the deployed code is known to carry no metadata hash. */
  readonly isDeployedBare?: boolean | undefined;
  /** True where the files are those of a commit: their texts may be in no file of the work tree. */
  readonly isOfCommit?: boolean | undefined;
};

/** What is submitted, to the byte, where, and what is kept of it. */
interface SubmissionContent extends Deployment {
  /** The service's base address. */
  readonly service: string;
  readonly request: SubmissionRequest;
  /** Absent for a similarity search. */
  readonly input?: SubmittedInput;
  readonly kept: SubmissionParts;
}

/** Set by {@link AgreedSubmission}, so that nothing but this module makes one. */
let sealed: (content: SubmissionContent) => AgreedSubmission;

/**
 * A submission that was shown and agreed to: the bytes of the request, and the service that they are for. It comes from
 * {@link SubmissionReview.agreed}, or from the record of an earlier one by {@link agreedBeforeInPieces}, and from nowhere else;
 * nothing that happens to files, settings or the configured service afterwards changes it.
 */
export class AgreedSubmission {
  readonly #content: SubmissionContent;

  private constructor(content: SubmissionContent) {
    this.#content = content;
    Object.freeze(this);
  }

  static {
    sealed = (content) => new AgreedSubmission(deepFrozen(content));
  }

  /** True for what was made by a review; false for an object that only looks so. */
  static isOne(value: object): value is AgreedSubmission {
    return #content in value;
  }

  get service(): string {
    return this.#content.service;
  }

  get deployment(): Deployment {
    return deploymentOf(this.#content);
  }

  get request(): SubmissionRequest {
    return this.#content.request;
  }

  /** What a record keeps of the input; absent for a similarity search. */
  get input(): SubmittedInput | undefined {
    return this.#content.input;
  }

  /** What is kept beside the record: the input, where its files are, and all of the build for a second try. */
  get kept(): SubmissionParts {
    return this.#content.kept;
  }
}

/** What was submitted once, as it is kept. */
export interface KeptSubmission {
  readonly stdJsonInput?: StandardJsonInput | undefined;
  readonly files?: readonly SubmittedFile[];
  readonly wholeBuild?: WholeSubmission | undefined;
}

/**
 * What is about to be submitted, frozen at the moment when it is shown: who agrees to it agrees to these bytes at this
 * service.
 */
export class SubmissionReview {
  readonly #content: SubmissionContent;
  readonly #input: StandardJsonInput | undefined;
  /** What a person sees. */
  readonly shown: PublishReview;
  /** What is to be said of the input, the worst first. */
  readonly findings: readonly InputFinding[];
  /** What an agreement to all of this is about. */
  readonly scope: PublishScope;

  private constructor(
    content: SubmissionContent,
    shown: PublishReview,
    findings: readonly InputFinding[],
    scope: PublishScope,
  ) {
    this.#content = deepFrozen(content);
    this.#input = content.kept.input;
    this.shown = deepFrozen(shown);
    this.findings = findings;
    this.scope = scope;
  }

  /**
   * A review of an input for a deployed contract.
   *
   * @param service base address of the service that gets it
   * @throws LedgerLensError for a parameter that the interface would refuse (see parameters.ts).
   */
  static *inPieces(service: string, deployment: Deployment, input: ReviewedInput): Pieces<SubmissionReview> {
    // Before the first pause: what others do meanwhile must change neither what is shown nor what goes.
    const taken = { ...input, stdJsonInput: deepFrozen(input.stdJsonInput) };
    deepFrozen(taken.wholeBuild?.stdJsonInput);
    const { compilerVersion, contractIdentifier, source, stdJsonInput, path, contractName } = taken;
    const metadataHashIn = taken.isDeployedBare ? "none" : metadataHashPlace(stdJsonInput, compilerVersion);
    const submitted = { compilerVersion, contractIdentifier, source, path, contractName, metadataHashIn };
    const place = deploymentOf(deployment);
    const shown = yield* publishReviewInPieces(taken, { host: shownHost(service) });
    return yield* SubmissionReview.#made(service, place, submitted, stdJsonInput, shown, taken);
  }

  /**
   * A review of what was submitted before, where it is to go to another service than then, or with other settings.
   *
   * @throws LedgerLensError `input_forgotten` when what was sent had to make room, and as {@link inPieces}.
   */
  static *ofKeptInPieces(
    service: string,
    record: JobRecord,
    kept: KeptSubmission,
    changes?: ResubmitChanges,
  ): Pieces<SubmissionReview> {
    const { submission } = record;
    if (!submission) return SubmissionReview.ofSimilarity(service, record);
    const { input, stdJsonInput, files: sent } = submittable(record, submission, kept, changes);
    deepFrozen(stdJsonInput);
    deepFrozen(kept.wholeBuild?.stdJsonInput);
    const files = yield* mapInPieces(sent, inputFile);
    const findings = yield* checkInputInPieces({
      stdJsonInput,
      contractIdentifier: input.contractIdentifier,
      files,
    });
    const wholeBuild = changes ? undefined : kept.wholeBuild;
    const described = {
      contractIdentifier: input.contractIdentifier,
      stdJsonInput,
      files,
      findings,
      project: "/",
      ...(wholeBuild && {
        wholeBuild: {
          stdJsonInput: wholeBuild.stdJsonInput,
          files: yield* mapInPieces(wholeBuild.files, inputFile),
        },
      }),
    };
    const shown = yield* publishReviewInPieces(described, { host: shownHost(service) });
    return yield* SubmissionReview.#made(service, record, input, stdJsonInput, shown, described);
  }

  /** A review of a search for the same code, with which no source goes. */
  static ofSimilarity(service: string, deployment: Deployment): SubmissionReview {
    const content = {
      ...deploymentOf(deployment),
      service: serviceAddress(service),
      request: similarityRequest(deployment),
      kept: {},
    };
    const host = foreign(shownHost(service));
    const review = {
      host,
      sentence: runsHere(host) ? shown`Sends no file to ${host}.` : shown`Publishes no file at ${host}.`,
      files: [],
      bytes: 0,
      concerns: [],
    };
    return new SubmissionReview(content, review, [], { kinds: ["search"], isUnremarkable: true });
  }

  static *#made(
    service: string,
    deployment: Deployment,
    submitted: Omit<SubmittedInput, "fileCount">,
    stdJsonInput: StandardJsonInput,
    shown: PublishReview,
    {
      findings,
      wholeBuild,
      project,
      isOfCommit,
    }: Pick<CompilerInput, "findings" | "project" | "wholeBuild"> & Pick<ReviewedInput, "isOfCommit">,
  ): Pieces<SubmissionReview> {
    const input = deepFrozen(stdJsonInput);
    const { compilerVersion, contractIdentifier } = submitted;
    const first = shown.files.filter(({ onlyIfNeeded }) => !onlyIfNeeded);
    const content: SubmissionContent = {
      ...deploymentOf(deployment),
      service: serviceAddress(service),
      request: yield* submissionRequestInPieces({
        ...deploymentOf(deployment),
        stdJsonInput: input,
        compilerVersion,
        contractIdentifier,
      }),
      input: { ...submitted, fileCount: first.length },
      kept: {
        input,
        files: yield* mapInPieces(first, keptFile),
        ...(wholeBuild &&
          shown.files.some(({ onlyIfNeeded }) => onlyIfNeeded) && {
            whole: {
              stdJsonInput: deepFrozen(wholeBuild.stdJsonInput),
              files: yield* mapInPieces(shown.files, keptFile),
            },
          }),
      },
    };
    const scope = yield* scopeOf(stdJsonInput.language, shown, findings, { project, isOfCommit });
    return new SubmissionReview(yield* frozenInPieces(content), shown, findings, scope);
  }

  /** The base address of the service. */
  get service(): string {
    return this.#content.service;
  }

  get host(): string {
    return this.shown.host;
  }

  /**
   * What is different in a later review of the same, in words for "because … changed": nothing for one that shows and
   * sends the very same.
   */
  changesIn(later: SubmissionReview): string | undefined {
    return atOnce(this.changesInPieces(later));
  }

  /** The same as {@link changesIn}, in pieces. */
  *changesInPieces(later: SubmissionReview): Pieces<string | undefined> {
    const side = (review: SubmissionReview) => ({
      ...review.#content,
      stdJsonInput: review.#input,
      wholeBuild: review.#content.kept.whole?.stdJsonInput,
      shown: review.shown,
      findings: review.findings,
    });
    return yield* reviewDifference(side(this), side(later));
  }

  /**
   * What a person or a caller agreed to.
   *
   * @throws LedgerLensError what the service would reject of it, and `too_large`.
   */
  agreed(): AgreedSubmission {
    const rejected = this.findings.find(({ severity }) => severity === "error");
    if (rejected) throw new LedgerLensError(rejected.code, rejected.sentence);
    checkSize(this.#content.request);
    return sealed(this.#content);
  }

  /**
   * What a program agreed to beforehand, which is shown nothing: a general yes is none to what only a person who looks
   * can judge.
   *
   * @param confirmed codes of findings that it knows of and lets go
   * @throws LedgerLensError `not_confirmed`, and as {@link agreed}.
   */
  agreedUnseen(confirmed: readonly string[]): AgreedSubmission {
    const agreed = this.agreed();
    const unknown = this.shown.concerns.find(({ code }) => FOR_EYES.has(code) && !confirmed.includes(code));
    if (!unknown) return agreed;
    throw new LedgerLensError(
      "not_confirmed",
      t`${unknown.sentence.replace(/\.$/, "")}. So nothing was sent. Verify the contract by hand to look at it, or add confirmFindings: ["${unknown.code}"] to the arguments.`,
    );
  }
}

/** Findings of which a program has to say that it knows. */
const FOR_EYES: ReadonlySet<string> = new Set<InputFinding["code"]>([
  "possible_secret",
  "not_a_source",
  "other_folder",
  "other_service",
  "unknown_setting",
]);

/**
 * What was agreed to once, for the service that it was agreed for: the same again, with other settings where a person
 * asks for them, or all of the build, whose files the review showed as sent only if needed.
 *
 * @throws LedgerLensError `input_forgotten` when what was sent had to make room.
 */
export function* agreedBeforeInPieces(
  record: JobRecord,
  kept: KeptSubmission,
  changes?: ResubmitChanges,
): Pieces<AgreedSubmission> {
  const { service, submission } = record;
  if (!submission)
    return sealed({ ...deploymentOf(record), service, request: similarityRequest(record), kept: {} });
  const { input, stdJsonInput, files } = submittable(record, submission, kept, changes);
  const request = yield* submissionRequestInPieces({ ...deploymentOf(record), ...input, stdJsonInput });
  checkSize(request);
  const content: SubmissionContent = {
    ...deploymentOf(record),
    service,
    request,
    input,
    kept: { input: stdJsonInput, files, ...(!changes && { whole: kept.wholeBuild }) },
  };
  return sealed(yield* frozenInPieces(content));
}

/**
 * The second try of a submission, with all of the build, whose files the review of the first one showed.
 *
 * @throws LedgerLensError `too_large`.
 */
export function* secondTryInPieces(
  record: JobRecord & { readonly submission: SubmittedInput },
  { stdJsonInput, files }: WholeSubmission,
): Pieces<AgreedSubmission> {
  const submission = { ...record.submission, fileCount: files.length };
  return yield* agreedBeforeInPieces({ ...record, submission }, { stdJsonInput, files });
}

/** What was submitted, with what a cause says should be different. */
function submittable(
  record: JobRecord,
  submission: SubmittedInput,
  { stdJsonInput, files = [] }: KeptSubmission,
  changes: ResubmitChanges = {},
): { input: SubmittedInput; stdJsonInput: StandardJsonInput; files: readonly SubmittedFile[] } {
  if (!stdJsonInput) {
    throw new LedgerLensError(
      "input_forgotten",
      t`What was submitted for ${recordTitle(record)} is no longer kept. Verify the contract from its files.`,
    );
  }
  const changed = withChanges({ ...submission, stdJsonInput }, changes);
  const { compilerVersion, contractIdentifier } = changed;
  const contractName = splitIdentifier(contractIdentifier).name;
  // What is deployed is known to have none where the input was not to blame.
  const isDeployedBare =
    submission.metadataHashIn === "none" &&
    metadataHashPlace(stdJsonInput, submission.compilerVersion) !== "none";
  const metadataHashIn = isDeployedBare ? "none" : metadataHashPlace(changed.stdJsonInput, compilerVersion);
  return {
    input: { ...submission, compilerVersion, contractIdentifier, contractName, metadataHashIn },
    stdJsonInput: changed.stdJsonInput,
    files: files.map((file) => ({ ...file, name: renamedSource(file.name, changes.sourceNames ?? {}) })),
  };
}

function keptFile({ unit, path, place, isRecorded }: PublishedFile): SubmittedFile {
  return { name: unit, path, place, ...(isRecorded && { isRecorded }) };
}

/** What is known of a file that was submitted before; without a place, by an earlier version, it counts as from outside. */
function inputFile({ name, path, place, isRecorded }: SubmittedFile): InputFile {
  return { name, path, bytes: 0, origin: ORIGINS[place ?? "outside"], ...(isRecorded && { isRecorded }) };
}

const ORIGINS = { project: "project", dependency: "dependency", outside: "workspace" } as const;

/** Notes that say nothing of what goes or where from; any other finding makes a submission remarkable. */
const UNREMARKABLE: ReadonlySet<string> = new Set<InputFinding["code"]>([
  "unneeded_sources",
  "several_profiles",
  "default_settings",
]);

function* scopeOf(
  language: string,
  { files, concerns }: PublishReview,
  findings: readonly InputFinding[],
  { project, isOfCommit = false }: Pick<ReviewedInput, "project" | "isOfCommit">,
): Pieces<PublishScope> {
  const kinds = new Set([`language ${language}`, `project ${project}`]);
  const origins = new Set<string>();
  let isPlain = true;
  yield* eachInPieces(files, ({ origin, onlyIfNeeded, place, isOnDisk }) => {
    origins.add(origin);
    if (onlyIfNeeded) kinds.add("whole build");
    if (place === "outside" || !isOnDisk) isPlain = false;
  });
  for (const origin of origins) kinds.add(`files ${origin}`);
  return {
    kinds: [...kinds].sort(),
    isUnremarkable:
      !isOfCommit &&
      concerns.length === 0 &&
      findings.every(({ code, severity }) => severity === "note" && UNREMARKABLE.has(code)) &&
      isPlain,
  };
}
