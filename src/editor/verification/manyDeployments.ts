import { deploymentKey } from "../../core/evm/deploymentKey.ts";
import { splitIdentifier } from "../../core/sources/contractIdentifier.ts";
import { t } from "@vscode/l10n";
import { noCodeSource, readDeployedCode } from "../../core/chains/deployedCode.ts";
import { diamondFacets } from "../../core/chains/diamondFacets.ts";
import { implementationOf } from "../../core/chains/proxyImplementation.ts";
import { ReachedChains } from "../../core/jobs/reachedChains.ts";
import { remembered } from "../../core/concurrency/remembered.ts";
import { Limit } from "../../core/concurrency/limit.ts";
import { isCancellation, LedgerLensError } from "../../core/errors.ts";
import { disassemble } from "../../core/evm/disassembly.ts";
import { codeBytes } from "../../core/evm/hex.ts";
import { delegatedTo, findProxy } from "../../core/evm/proxy.ts";
import {
  deploymentRows,
  deploymentTable,
  tableSummary,
  type DeploymentRow,
  type DeploymentResult,
} from "../../core/jobs/deploymentTable.ts";
import { wrongAnswer } from "../../core/http/httpError.ts";
import { ownValue } from "../../core/json/ownValue.ts";
import { placesNamed } from "../../core/languages/workspaceContract.ts";
import { checkAddress, checkChainId } from "../../core/service/parameters.ts";
import { deploymentOf, type Deployment } from "../../core/service/submissionRequest.ts";
import { noDeployments } from "../../core/tools/unreadableRecords.ts";
import { documentText } from "../../core/text/documentText.ts";
import { foreign, joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { contractAt } from "../../core/workspace/contractAt.ts";
import type { FoundDeployment } from "../../core/workspace/workspaceDeployments.ts";
import { optionalText, optionalTextOrNumber } from "../ui/arguments.ts";
import { mayAsk } from "../ui/asking.ts";
import { askSteps, type Step } from "../ui/multiStep.ts";
import { showMessage } from "../ui/notifications.ts";
import { withProgressMessage } from "../ui/progress.ts";
import { askText } from "../ui/questions.ts";
import { workspaceFolders } from "../workspaceFiles.ts";
import type { ChosenDeployment } from "./chosenDeployment.ts";
import { compilerInputOf, type CompilerChoice, type WorkspaceInput } from "./compilerInputOf.ts";
import { contractReference } from "./contractStep.ts";
import { copyTableText } from "./copyTable.ts";
import { deployedContract } from "./deployedContract.ts";
import { knownDeployment } from "./deploymentInspection.ts";
import { deploymentSteps, type PartialDeployment } from "./deploymentSteps.ts";
import type { ManyKind } from "./manySteps.ts";
import type { DeploymentParts, VerificationParts, WorkspaceParts } from "./verificationParts.ts";
import { NOT_DEPLOYED } from "../../core/matching/notDeployed.ts";

/** What a command resolves to that looked at many deployments. */
export interface DeploymentsAnswer {
  readonly rows: readonly DeploymentRow[];
  /** The rows as a table. */
  readonly markdown: string;
}

/** One of many deployments. */
interface ManyPlace extends Deployment {
  /** `path/to/File.sol:Name`, where it is known. */
  readonly contract?: string;
  /** Of the contract, as a record calls it that does not say which one of several it is. */
  readonly name?: string;
}

/** The deployments, or the diamond whose facets they are. */
type ChosenPlaces = { readonly places: readonly ManyPlace[] } | { readonly diamond: Deployment };

/** How one of many is looked at. */
export interface ManyLook extends ChosenDeployment {
  /** Those of the command, where nothing is asked twice. */
  readonly parts: VerificationParts;
  /** The compiler input of a contract, one question to a person at a time. */
  readonly inputOf: (contract: string, choice: CompilerChoice) => Promise<WorkspaceInput>;
  /** Of the command that may ask; nothing more is asked once a person declined. */
  readonly title: ShownText | undefined;
  /** When the command began, by `performance.now()`. */
  readonly started: number;
  readonly report: (message: ShownText) => void;
  readonly signal: AbortSignal;
}

/** What a command does with many deployments. */
interface ManyWork {
  readonly title: ShownText;
  /** While it lasts. */
  readonly message: ShownText;
  readonly kind: ManyKind;
  /** What a program gave; a person is asked for the rest. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Those of the project's records that a person chose; all that `kind` and `args` say by default. */
  readonly recorded?: readonly FoundDeployment[] | undefined;
  readonly atOnce: number;
  /** What is compiled. */
  readonly files: "work tree" | "commits";
  readonly look: (look: ManyLook) => Promise<DeploymentResult>;
  /** The same for what was left, once more. */
  readonly again: (earlier: EarlierLook) => Promise<unknown>;
  readonly earlier?: EarlierLook | undefined;
  /** Called where a person cancelled it. */
  readonly onCancelled?: (() => void) | undefined;
}

/** What came of a look at many, some of which could not be reached. */
export interface EarlierLook {
  readonly rows: readonly DeploymentRow[];
  readonly left: readonly ManyPlace[];
}

/** More addresses are a mistake: each is compiled for. */
const MAX_ADDRESSES = 500;

/**
 * Looks at many deployments, under a notification that can be cancelled, and shows what came of them as one table.
 *
 * @throws LedgerLensError for arguments that can't be used, `no_deployments`, `not_a_diamond`, and those of asking the node
 * of a diamond; of a single deployment it is told in its row
 */
export async function inspectMany(parts: VerificationParts, work: ManyWork): Promise<DeploymentsAnswer> {
  const { title, kind, args, recorded, atOnce, files, earlier } = work;
  const chosen = earlier
    ? { places: earlier.left }
    : recorded
      ? { places: placesOf(recorded) }
      : await chosenPlaces(parts, title, kind, args);
  const started = performance.now();
  const reached = new ReachedChains();
  let all: readonly ManyPlace[] = [];
  const found = await withProgressMessage(work.message, async (report, signal) => {
    signal.addEventListener("abort", () => work.onCancelled?.(), { once: true });
    const once = askedOnce(parts, signal);
    const deployments = "places" in chosen ? chosen.places : await facetsOf(once, chosen.diamond, signal);
    all = deployments;
    let asking: ShownText | undefined = mayAsk() ? title : undefined;
    const questions = new Limit(1);
    const asked = new Map<string, Promise<void>>();
    const ofCode = new Map<string, Limit>();
    let place = shown``;
    return deploymentRows({
      deployments,
      atOnce,
      signal,
      onProgress: (done, count) => {
        place = shown`${done} of ${count}`;
        report(place, done === 0 ? 0 : 100 / count);
      },
      onFailure: (error) => {
        if (isCancellation(error)) asking = undefined;
        else if (!(error instanceof LedgerLensError)) parts.log.error(error);
      },
      look: async (deployment, tell) => {
        const runtimeCode = await reached.ask(deployment, async () => {
          const code = await readDeployedCode(once.codeReaders, deployment, signal);
          await remembered(asked, deployment.chainId, () => checkNode(parts, deployment.chainId, signal));
          return code;
        });
        // What is alike is compiled once: the next one finds the verdicts.
        const turn = ofCode.get(runtimeCode) ?? new Limit(1);
        ofCode.set(runtimeCode, turn);
        return turn.run(async () => {
          signal.throwIfAborted();
          const context = {
            parts: once,
            place: deploymentOf(deployment),
            inputOf: (contract: string, choice: CompilerChoice) =>
              questions.run(() => compilerInputOf(parts, contract, choice, asking)),
            title: asking,
            started,
            report: (message: ShownText) => report(shown`${place} · ${message}`),
            signal,
          };
          const contract = deployment.contract ?? (await contractOf(context, deployment.name, runtimeCode));
          tell(named(contract));
          const known = await knownDeployment(once, contract, context.place);
          return work.look({ ...context, contract, known });
        });
      },
    });
  });
  const rows = earlier ? withNewer(earlier.rows, found) : found;
  const left = all.filter((one) => reached.isLeft(one));
  const markdown = deploymentTable(rows, files);
  const show = () =>
    parts.documents.show([foreign("deployments"), shown`${title}.md`], documentText(markdown));
  const isShown = mayAsk();
  if (isShown) await show();
  const { sentence } = reached;
  const summary = shown`${tableSummary(rows)}. Nothing was published.`;
  void showMessage(
    sentence === undefined ? "information" : "warning",
    sentence === undefined ? summary : joined([summary, sentence], " "),
    ...(left.length === 0 ? [] : [{ label: shown`Try Again`, run: () => work.again({ rows, left }) }]),
    { label: shown`Copy as Markdown`, run: () => copyTableText(markdown) },
    ...(isShown ? [] : [{ label: shown`Show Table`, run: show }]),
  );
  return { rows, markdown };
}

/** The earlier rows, those that were looked at again in their places. */
function withNewer(earlier: readonly DeploymentRow[], newer: readonly DeploymentRow[]): DeploymentRow[] {
  const byKey = new Map(newer.map((row) => [deploymentKey(row), row]));
  return earlier.map((row) => byKey.get(deploymentKey(row)) ?? row);
}

/**
 * Whether the user's node of a chain is on that chain: from another one come other contracts of the same addresses.
 *
 * @throws LedgerLensError `wrong_answer`
 */
async function checkNode(
  { node }: Pick<VerificationParts, "node">,
  chainId: string,
  signal: AbortSignal,
): Promise<void> {
  let said: string | undefined;
  try {
    said = await node(chainId)?.chainId(signal);
  } catch (error) {
    if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
  }
  if (said !== undefined && said !== chainId)
    throw wrongAnswer(t`The chain's node`, t`for chain ${said} where chain ${chainId} was asked`);
}

/** As a person names it. */
function named(contract: string): string {
  const [{ path, contractName }] = placesNamed(workspaceFolders(), contract);
  return contractReference({ path, name: contractName });
}

async function chosenPlaces(
  parts: WorkspaceParts & DeploymentParts,
  title: ShownText,
  kind: ManyKind,
  args: Readonly<Record<string, unknown>>,
): Promise<ChosenPlaces> {
  const chainId = optionalTextOrNumber(args, "chainId");
  const contract = optionalText(args, "contract");
  const known = chainId === undefined ? {} : { chainId: checkChainId(chainId) };
  if (contract !== undefined) placesNamed(workspaceFolders(), contract);
  const state: ManyPlaces = { ...known, ...givenPlaces(args) };
  if (kind === "deployments") return { places: await recordedPlaces(parts, known.chainId) };
  const [chainStep, addressStep] = deploymentSteps(parts);
  const last = kind === "diamond" ? addressStep && { ...addressStep, argument: "diamond" } : addressesStep;
  await askSteps<ManyPlaces>(
    title,
    state,
    [chainStep, last].filter((step) => step !== undefined),
  );
  const { chainId: chain = "", address = "", addresses = [] } = state;
  if (kind === "diamond") return { diamond: { chainId: chain, address } };
  return {
    places: addresses.map((one) => ({
      chainId: chain,
      address: one,
      ...(contract !== undefined && { contract }),
    })),
  };
}

/** What is known of the places while a command asks for the rest. */
type ManyPlaces = PartialDeployment & { addresses?: readonly string[] | undefined };

function givenPlaces(args: Readonly<Record<string, unknown>>): ManyPlaces {
  const deployments = optionalText(args, "deployments");
  if (deployments !== undefined && deployments !== "all") {
    throw new LedgerLensError(
      "invalid_argument",
      t`The argument deployments must be "all". Correct it and call the command again.`,
    );
  }
  const diamond = optionalText(args, "diamond");
  const addresses = ownValue(args, "addresses") ?? undefined;
  if (addresses === undefined) return diamond === undefined ? {} : { address: checkAddress(diamond) };
  if (Array.isArray(addresses) && addresses.every((one) => typeof one === "string"))
    return { addresses: checkAddresses(addresses) };
  throw new LedgerLensError(
    "invalid_argument",
    t`The argument addresses must be a list of texts. Correct it and call the command again.`,
  );
}

/** @throws LedgerLensError `invalid_address`, `invalid_argument` for none or too many */
function checkAddresses(addresses: readonly string[]): readonly string[] {
  if (addresses.length > 0 && addresses.length <= MAX_ADDRESSES) return addresses.map(checkAddress);
  throw new LedgerLensError(
    "invalid_argument",
    t`A list has 1 to ${MAX_ADDRESSES} addresses, this one has ${addresses.length}. Correct it and try again.`,
  );
}

const addressesStep: Step<ManyPlaces> = {
  argument: "addresses",
  isKnown: ({ addresses }) => addresses !== undefined,
  ask: async (state, frame) => {
    const list = (text: string) => text.split(/[\s,;]+/).filter((one) => one !== "");
    const text = await askText(frame, {
      prompt: shown`The addresses, with spaces or commas between them`,
      placeholder: shown`0x… 0x…`,
      value: (state.addresses ?? []).join(" "),
      check: (typed) => checkAddresses(list(typed)).join(" "),
    });
    state.addresses = list(text);
  },
};

/** What the records of the projects tell of. */
async function recordedPlaces(
  { workspace }: Pick<WorkspaceParts, "workspace">,
  chain: string | undefined,
): Promise<readonly ManyPlace[]> {
  const { found, unreadable, fault } = await workspace.readDeployments();
  if (fault !== undefined) throw fault;
  const places = placesOf(found.filter(({ chainId }) => chain === undefined || chainId === chain));
  if (places.length === 0) throw noDeployments(unreadable);
  return places;
}

/** Of two records that tell of the same place, one that says the contract. */
function placesOf(recorded: readonly FoundDeployment[]): readonly ManyPlace[] {
  const places = new Map<string, ManyPlace>();
  for (const one of recorded) {
    const { defined, contract } = one;
    const key = deploymentKey(one);
    if (places.get(key)?.contract !== undefined) continue;
    places.set(key, {
      ...deploymentOf(one),
      name: splitIdentifier(contract).name,
      ...(defined && { contract: contractReference(defined) }),
    });
  }
  return [...places.values()];
}

async function facetsOf(
  parts: VerificationParts,
  { chainId, address }: Deployment,
  signal: AbortSignal,
): Promise<readonly ManyPlace[]> {
  const node = await parts.anyNode(chainId, signal);
  if (!node) throw noCodeSource(chainId);
  return (await diamondFacets(address, node, signal)).map((facet) => ({
    chainId,
    address: checkAddress(facet),
  }));
}

/** The same parts, for a command that looks at many: codes and nodes are asked for once. */
function askedOnce(parts: VerificationParts, signal: AbortSignal): VerificationParts {
  const codes = new Map<string, Promise<string>>();
  const nodes = new Map<string, ReturnType<VerificationParts["anyNode"]>>();
  return {
    ...parts,
    codeReaders: [
      (deployment) =>
        remembered(codes, deploymentKey(deployment), () =>
          readDeployedCode(parts.codeReaders, deployment, signal),
        ),
    ],
    anyNode: (chainId) => remembered(nodes, chainId, () => parts.anyNode(chainId, signal)),
  };
}

/** The contract of the workspace that a code is of. */
async function contractOf(
  { parts, place, inputOf, title, started, report, signal }: Omit<ManyLook, "contract" | "known">,
  name: string | undefined,
  runtimeCode: string,
): Promise<string> {
  const found = await contractAt({
    index: parts.workspace.index,
    runtimeCode,
    name,
    compiled: async (contract) => {
      try {
        const known = await knownDeployment(parts, contract, place);
        const input = await inputOf(contract, known);
        const deployed = await deployedContract(parts, place, known, signal);
        const options = { title, started, needsCodes: true, onProgress: report, signal };
        const { verdict, engine } = await parts.local.verdict(input, deployed, options);
        return { verdict, runtimeCode: engine.recompiledRuntimeCode };
      } catch (error) {
        if (!(error instanceof LedgerLensError) || isCancellation(error)) throw error;
        parts.log.debug(`${contract} was not compared: ${error.message}`);
        return undefined;
      }
    },
  });
  if (found !== undefined) return found;
  const code = codeBytes(runtimeCode);
  if (code.length === 0) {
    throw new LedgerLensError("not_deployed", NOT_DEPLOYED);
  }
  const delegate = delegatedTo(code);
  if (delegate !== undefined) {
    throw new LedgerLensError(
      "contract_unknown",
      t`An account that runs the code of ${checkAddress(delegate)}: look at that address.`,
    );
  }
  const proxy = findProxy(disassemble(code));
  const node = proxy && (await parts.anyNode(place.chainId, signal).catch(() => undefined));
  const implementation = node && (await implementationOf(place.address, proxy, node, signal));
  throw new LedgerLensError(
    "contract_unknown",
    proxy
      ? t`A proxy that forwards calls${implementation === undefined ? "" : t` to ${checkAddress(implementation)}`}: look at that address.`
      : t`No contract of the workspace has these functions.`,
  );
}
