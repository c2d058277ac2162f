/** A link that runs a command of the editor, and an icon that Ledger Lens has no use for. */
export const LINK = "[Sign in](command:workbench.action.files.newUntitledFile) $(flame)";
/** The same, with what hides and a line of its own. */
export const HOSTILE = `${LINK} a\u202eb\u200b\nsecond line`;
/** And so much of it that it is not read. */
export const ENDLESS = `${HOSTILE} ${"x".repeat(5_000)}`;

export const ADDRESS = `0x${"ab".repeat(20)}`;
const JOB = "2f2a4d13-6d41-4d6d-9f0d-1c7f0a3c1b11";

/** What a verification service and a ledger say to a request. */
export function hostileAnswer(method: string, url: string): readonly [status: number, body: unknown] {
  if (url.startsWith("/chains")) return [200, chains()];
  if (method === "POST") return [202, { verificationId: JOB }];
  if (url.startsWith("/v2/verify/")) return [200, failedJob()];
  if (url.startsWith("/api/v1/tokens/")) return [200, token()];
  if (url.startsWith("/api/v1/schedules/")) return [200, schedule()];
  if (/\/contracts\/results\/.*\/actions/.test(url))
    return [200, { actions: [revert()], links: { next: null } }];
  return [404, { customCode: "not_found", message: ENDLESS, errorId: JOB }];
}

/** One with a name of no sense, and one that contracts are submitted on. */
function chains() {
  return [
    { chainId: 77_777, name: ENDLESS, supported: true },
    { chainId: 296, name: "Hedera Testnet", supported: true },
  ];
}

/** A job that failed, as a service reports it. */
export function failedJob() {
  return {
    isJobCompleted: true,
    verificationId: JOB,
    jobStartTime: "2026-01-01T00:00:00Z",
    jobFinishTime: "2026-01-01T00:00:01Z",
    compilationTime: "1000",
    contract: { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: ADDRESS },
    error: {
      customCode: "compiler_error",
      message: ENDLESS,
      errorId: JOB,
      errorData: {
        compilerErrors: [
          {
            severity: "error",
            message: ENDLESS,
            errorCode: LINK,
            sourceLocation: { file: `src/${LINK}/Vault.sol`, start: 70, end: 75 },
          },
        ],
      },
    },
  };
}

/** A stored record of a verification that came to other code, as the extension keeps it. */
export function failedRecord(
  id: string,
  {
    path,
    service,
    contractName,
    chainId,
  }: {
    readonly path: string;
    readonly service: string;
    readonly contractName: string;
    readonly chainId: string;
  },
): object {
  const code = "6080604052600080fd";
  return {
    id,
    stage: "submitted",
    service,
    chainId,
    address: ADDRESS,
    verificationId: JOB,
    submittedAt: Date.now(),
    finishedAt: Date.now(),
    difference: ENDLESS.slice(0, 1_000),
    submission: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: `Vault.sol:${contractName}`,
      contractName,
      path,
      source: "derived",
      fileCount: 1,
    },
    job: {
      ...failedJob(),
      error: {
        customCode: "no_match",
        message: ENDLESS,
        errorId: JOB,
        onchainRuntimeCode: `0x${code}00`,
        recompiledRuntimeCode: `0x${code}01`,
      },
    },
  };
}

function token(): object {
  return {
    token_id: "0.0.5",
    name: ENDLESS,
    symbol: HOSTILE,
    memo: ENDLESS,
    type: HOSTILE,
    decimals: "2",
    total_supply: "100",
    treasury_account_id: HOSTILE,
    pause_status: HOSTILE,
    created_timestamp: "1700000000.000000000",
    custom_fees: { created_timestamp: "1700000000.000000000", fixed_fees: [], fractional_fees: [] },
  };
}

function schedule(): object {
  return {
    schedule_id: "0.0.6",
    memo: ENDLESS,
    creator_account_id: HOSTILE,
    payer_account_id: HOSTILE,
    consensus_timestamp: "1700000000.000000000",
    deleted: false,
    executed_timestamp: null,
    expiration_time: null,
    signatures: [{ type: HOSTILE, public_key_prefix: HOSTILE, consensus_timestamp: HOSTILE }],
    transaction_body: HOSTILE,
    wait_for_expiry: false,
  };
}

function revert(): object {
  return {
    call_depth: 0,
    call_type: "CALL",
    call_operation_type: "CALL",
    caller: HOSTILE,
    recipient: HOSTILE,
    gas: 100,
    gas_used: 50,
    index: 0,
    input: "0x",
    result_data: ENDLESS,
    result_data_type: "REVERT_REASON",
    timestamp: "1700000000.000000000",
    value: 0,
  };
}
