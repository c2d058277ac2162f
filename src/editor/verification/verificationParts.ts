import type { Memento } from "vscode";
import type { CodeReader } from "../../core/chains/deployedCode.ts";
import type { JsonRpc } from "../../core/chains/jsonRpc.ts";
import type { DeploymentStates } from "../../core/jobs/deploymentStates.ts";
import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import type { JobFollower } from "../../core/jobs/jobFollower.ts";
import type { LocalResult, LocalResults } from "../../core/jobs/localResults.ts";
import type { PublishConsent } from "../../core/jobs/publishConsent.ts";
import type { VerificationJobs } from "../../core/jobs/verificationJobs.ts";
import type { CompilerListRefresh, KnownCompilers } from "../../core/languages/compilerLists.ts";
import type { ServiceChain, VerificationService } from "../../core/service/verificationService.ts";
import type { Log } from "../ui/log.ts";
import type { ReadOnlyDocuments } from "../ui/readOnlyDocuments.ts";
import type { WatchedWorkspace } from "../watchedWorkspace.ts";
import type { ConfigurationAnswers } from "./configurationAnswers.ts";
import type { CompilerDiagnostics } from "./diagnostics.ts";
import type { LocalVerification } from "./localVerification.ts";
import type { JobDocuments } from "./jobDocuments.ts";

/** The verification service. */
export interface ServiceParts {
  /** The one at an address, the configured one by default. */
  service(url?: string): VerificationService;
}

/** The chains that deployments are on. */
export interface ChainParts {
  /** Who may have the code at an address, the user's own node first. */
  readonly codeReaders: readonly CodeReader[];
  /** The node of a chain, where `ledgerLens.rpcUrls` names one. */
  node(chainId: string): JsonRpc | undefined;
  /** The node of a chain: the user's own, else one that the verification service lists. */
  anyNode(chainId: string, signal?: AbortSignal): Promise<JsonRpc | undefined>;
  /** The chains that the verification service lists now, for a person who looks for one. */
  chainsNow(signal?: AbortSignal): Promise<readonly ServiceChain[]>;
}

/** What a contract is compiled with. */
export interface CompilerParts {
  /** The compilers that are known. */
  readonly compilers: () => KnownCompilers;
  /** What was said in this session where a configuration computes it. */
  readonly configurationAnswers: ConfigurationAnswers;
}

/** The open workspace, and where what is odd about it is written. */
export interface WorkspaceParts {
  readonly log: Log;
  readonly workspace: WatchedWorkspace;
}

/** What compiles and compares on this machine. */
export interface LocalParts {
  readonly local: LocalVerification;
  /** What that came to, for the view. */
  readonly localResults: LocalResults;
}

/** What asks for a deployment. */
export interface DeploymentParts extends ServiceParts, Pick<ChainParts, "node" | "chainsNow"> {
  readonly memory: Memento;
}

/** What makes a review of the workspace's files. */
export interface ReviewParts
  extends ServiceParts, CompilerParts, WorkspaceParts, Pick<ChainParts, "codeReaders"> {}

/** What shows read-only texts. */
export interface DocumentParts {
  readonly documents: ReadOnlyDocuments;
}

/** What explains why a job failed. */
export interface ExplanationParts extends CompilerParts, WorkspaceParts {
  readonly jobs: VerificationJobs;
}

/** What follows a job and tells what came of it. */
export interface FollowParts extends ServiceParts, ExplanationParts {
  /** Looks after jobs that no command waits for. */
  readonly follower: JobFollower;
  readonly jobDocuments: JobDocuments;
  /** The pages of verifications, which are loaded at the first one. */
  readonly pages: () => Promise<{
    showJob(record: Pick<JobRecord, "id">): void;
    showCauses(record: Pick<JobRecord, "id">): void;
    showLocal(result: LocalResult): void;
    showExample(): void;
  }>;
  readonly diagnostics: CompilerDiagnostics;
}

/** What submits again what was submitted before. */
export interface ResubmissionParts extends FollowParts, DocumentParts {}

/** What verifies a contract of the workspace, from the question which one to the answer of the service. */
export interface VerificationParts
  extends ResubmissionParts, ReviewParts, DeploymentParts, ChainParts, LocalParts {
  /** Where a person has agreed beforehand to what is published. */
  readonly consent: PublishConsent;
  /** What the service has on record for deployments that were found. */
  readonly deploymentStates: DeploymentStates;
}

/** What fetches the lists of compilers, for a person who asked for it. */
export interface CompilerListParts {
  refreshCompilers(signal?: AbortSignal): Promise<CompilerListRefresh>;
}
