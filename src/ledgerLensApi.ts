// What the extension ledger-lens.ledger-lens exports, for authors of other extensions: copy this file, which imports nothing.
//
//   const ledgerLens = await vscode.extensions.getExtension<LedgerLensApi>("ledger-lens.ledger-lens")?.activate();
//   const { prediction } = await ledgerLens.predict({ contract: "src/Vault.sol:Vault", chainId: "1", address: "0x…" });

/** Every method but `submit` asks for nothing and publishes nothing; each rejects with a {@link LedgerLensFailure}. */
export interface LedgerLensApi {
  /** Goes up when something is taken away or changes its meaning; what is added leaves it. */
  readonly version: 1;
  /** What a verification would come to, from the deployed code and the local build. */
  predict(contract: DeployedContractReference): Promise<MatchPrediction>;
  /** Compiles on this machine and compares with the deployed code. */
  verifyLocally(contract: DeployedContractReference): Promise<LocalVerificationResult>;
  /** How a job of the verification service stands, and why it failed; waits up to `waitSeconds` (300) for its end. */
  explain(job: {
    readonly verificationId: string;
    readonly waitSeconds?: number;
  }): Promise<VerificationResult>;
  /** The contract actions of a transaction (its id, hash or consensus timestamp) on the network that is selected. */
  showTransaction(of: { readonly transaction: string }): Promise<TransactionResult>;
  /** A token's record on the network that is selected, now or as of a consensus timestamp; large integers are decimal strings. */
  showToken(of: {
    readonly tokenId: string;
    readonly timestamp?: string;
  }): Promise<Readonly<Record<string, unknown>>>;
  /** How the network's services are doing. Texts are as the status page wrote them. */
  status(): Promise<ServiceStatusResult>;
  /**
   * Shows a person what would be published, each time, and submits it where they agree. Rejects with `cancelled` when they
   * leave: nothing was sent. What is missing in `request` they are asked for.
   */
  submit(request: Partial<DeployedContractReference>): Promise<VerificationResult>;
}

/** A contract of the workspace and where it is deployed. */
export interface DeployedContractReference {
  /** `path/to/File.sol:Name`, relative to the workspace folder or absolute. */
  readonly contract: string;
  /** Decimal digits. */
  readonly chainId: string;
  /** `0x` and 40 hex digits. */
  readonly address: string;
  /** `0x` and 64 hex digits. */
  readonly creationTransactionHash?: string;
  /** Another one than the project's own, such as `0.8.28`. */
  readonly compilerVersion?: string;
}

export interface MatchPrediction {
  readonly prediction: "exact_match" | "match" | "mismatch" | "unknown";
  /** Sentences, the decisive one first. */
  readonly reasons: readonly string[];
  /** Where a proxy forwards its calls to. */
  readonly implementation?: string;
}

export interface LocalVerificationResult {
  readonly verdict: "exact_match" | "match" | "mismatch";
  /** `null` for no match; of the creation code also where it is not known. */
  readonly runtimeMatch: "exact_match" | "match" | null;
  readonly creationMatch: "exact_match" | "match" | null;
  readonly compiler: { readonly version: string; readonly source: string; readonly sha256?: string };
  readonly explanation?: MismatchExplanation;
}

export interface VerificationResult {
  /** Empty when the service had the contract already and began no job. */
  readonly verificationId: string;
  readonly status: "exact_match" | "match" | "failed" | "pending";
  /** The last job status as the service sent it. */
  readonly job: Readonly<Record<string, unknown>> | null;
  readonly explanation?: MismatchExplanation;
}

export interface MismatchExplanation {
  readonly summary: string;
  /** The most likely first. */
  readonly causes: readonly {
    /** A stable word, such as `optimizer_runs` or `edited_source`. */
    readonly code: string;
    /** From 0 to 1. */
    readonly confidence: number;
    readonly evidence: string;
    readonly fix?: string;
  }[];
}

export interface TransactionResult {
  /** In order of execution, with the ledger's own field names; large integers are decimal strings. */
  readonly actions: readonly Readonly<Record<string, unknown>>[];
  readonly tree: readonly NestedPosition[];
  /** Whether the ledger has no more. */
  readonly complete: boolean;
}

/** An action by its place in the list, with what it called. */
export interface NestedPosition {
  readonly position: number;
  readonly children: readonly NestedPosition[];
}

export interface ServiceStatusResult {
  readonly page: { readonly name: string; readonly url: string | null };
  /** `indicator` is `none`, `minor`, `major`, `critical`, `maintenance`, or as it came. */
  readonly status: { readonly indicator: string; readonly description: string };
  readonly components: readonly { readonly name: string; readonly status: string; readonly group: boolean }[];
  readonly incidents: readonly { readonly name: string; readonly status: string }[];
  readonly scheduled_maintenances: readonly { readonly name: string; readonly status: string }[];
}

/** What methods reject with. `message` is one sentence for a person. */
export interface LedgerLensFailure extends Error {
  /** Stable; other codes than these may come, so that a program needs a way for those that it does not know. */
  readonly code: LedgerLensFailureCode | (string & {});
}

export type LedgerLensFailureCode =
  /** The person left the review, or stopped what was going on. */
  | "cancelled"
  /** An argument that is needed was not given. */
  | "missing_argument"
  /** An argument is of another kind than it has to be. */
  | "invalid_argument"
  | "invalid_address"
  | "invalid_chain_id"
  | "invalid_transaction_hash"
  | "invalid_verification_id"
  | "contract_not_found"
  /** No node is known that could be asked for the deployed code. */
  | "no_code_source"
  /** There is no code at the address. */
  | "not_deployed"
  /** The compiler is not on this machine, and no person has agreed to download one. */
  | "compiler_not_here"
  /** No person has agreed to run the installed Vyper. */
  | "vyper_not_allowed"
  | "local_compiler_off"
  /** A ledger has no such transaction or token. */
  | "not_found"
  | "job_not_found"
  /** A fault of Ledger Lens. */
  | "internal";
