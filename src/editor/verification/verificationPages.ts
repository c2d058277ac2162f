import * as vscode from "vscode";
import { inTurns } from "../../core/concurrency/turns.ts";
import { isCancellation, ledgerLensError } from "../../core/errors.ts";
import { contractFileOf } from "../../core/jobs/contractFile.ts";
import { hasPlace, isFinished, recordStatus, type JobRecord } from "../../core/jobs/jobRecord.ts";
import { localResultId, offeredLocalCauses, type LocalResult } from "../../core/jobs/localResults.ts";
import { jobPage, type JobDetails } from "../../core/jobs/page/jobPage.ts";
import { localPage } from "../../core/jobs/page/localPage.ts";
import type {
  VerificationPage,
  VerificationPageNews,
  VerificationPageRequest,
} from "../../core/jobs/page/pageModel.ts";
import { verificationPageRequest } from "../../core/jobs/page/pageRequest.ts";
import { tabTitle, type PageTab } from "../../core/jobs/page/tabTitle.ts";
import {
  causesByHistory,
  SHOW_DIFFERENCE,
  type Action,
  type Cause,
} from "../../core/matching/explanation.ts";
import { codeSummaryInPieces, creationSummaryInPieces } from "../../core/matching/codeSummary.ts";
import { immutablesInWordsInPieces } from "../../core/matching/immutables.ts";
import { isObject } from "../../core/json/shape.ts";
import { explorerVerifications } from "../../core/service/explorerVerification.ts";
import { isMatch } from "../../core/service/job.ts";
import { jsonDocument } from "../../core/text/documentText.ts";
import { foreign, foreignSentence, shown, type ShownText } from "../../core/text/shownText.ts";
import { isChosenChain, onChosenNetwork } from "../chosenNetwork.ts";
import { copyText } from "../ui/clipboard.ts";
import { OpenPages } from "../ui/openPages.ts";
import { openPagePanel, Page } from "../ui/page.ts";
import { showDifference, showLocalDifference } from "./causeActions.ts";
import { isInWorkspace } from "./editedFiles.ts";
import { hasHistory } from "../workTrees.ts";
import { ExamplePanel } from "./examplePanel.ts";
import { copyJobLink, showInLedger } from "./jobLinks.ts";
import { sentSummaryOf } from "./sentSummaryOf.ts";
import { sentFolder } from "./submittedFile.ts";
import { verifyLocally } from "./verifyLocally.ts";
import { showFile, showInput, VERIFICATION_PAGE, type CompiledDocuments } from "./verificationPanel.ts";
import { causeEdit, writeConfiguration } from "./writeSettings.ts";
import type { VerificationParts } from "./verificationParts.ts";

/** What changes within this time is told together. */
const TELL_AFTER_MS = 100;
/** How long a job has been running is told so often. */
const TIMES_EVERY_MS = 1_000;

/** What a page is of: `job` and our own id of it, or `local` and what tells a result of this machine from others. */
type PageKey = `job ${string}` | `local ${string}`;

/** The key of the page of the example that ships. */
const EXAMPLE = "example";

/** The pages of jobs and of results of this machine, one for each, and that of the example. */
export class VerificationPages implements vscode.Disposable {
  readonly #pages: OpenPages<OpenPage | ExamplePanel>;
  readonly #stops: readonly (() => void)[];

  /** @param shows is told of every page when it is shown or hidden */
  constructor(
    parts: VerificationParts,
    extension: vscode.Uri,
    shows: (page: object, isVisible: boolean) => void,
  ) {
    this.#pages = new OpenPages(
      (key, panel) =>
        key === EXAMPLE
          ? new ExamplePanel(parts, key, panel, extension)
          : new OpenPage(parts, key as PageKey, panel, extension, () => this.#retitle()),
      shows,
    );
    const changed = () => {
      for (const [, page] of this.#pages) if (page instanceof OpenPage) page.changed();
    };
    const network = onChosenNetwork(changed);
    this.#stops = [
      parts.jobs.store.onChange(changed),
      parts.localResults.onChange(changed),
      () => void network.dispose(),
    ];
  }

  /** Shows the page of a job, a new one where none is open. */
  showJob(record: Pick<JobRecord, "id">): void {
    this.#show(`job ${record.id}`);
  }

  /** The same, led to its causes where it is open: where it is in front, nothing else would be seen to happen. */
  showCauses(record: Pick<JobRecord, "id">): void {
    this.#show(`job ${record.id}`)?.page.tell({ type: "causes" });
  }

  /** Shows the page of a result of this machine. */
  showLocal(result: LocalResult): void {
    this.#show(`local ${localResultId(result)}`);
  }

  /** Shows what a failure looks like. */
  showExample(): void {
    this.#show(EXAMPLE);
  }

  /** Fills a page that the editor brings back after the window was loaded anew. */
  restore(key: string, panel: vscode.WebviewPanel): void {
    if (key === EXAMPLE || key.startsWith("job ") || key.startsWith("local ")) this.#pages.fill(key, panel);
    else panel.dispose();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#pages.dispose();
  }

  /** Gives the tabs their names: what one is called depends on which others are open. */
  #retitle(): void {
    const pages = [...this.#pages].flatMap(([, page]) =>
      page instanceof OpenPage && page.tab ? [{ page: page.page, tab: page.tab }] : [],
    );
    const open = pages.map(({ tab }) => tab);
    for (const { page, tab } of pages) page.retitle(tabTitle(tab, open));
  }

  #show(key: PageKey | typeof EXAMPLE): OpenPage | ExamplePanel | undefined {
    const panel = (focus: { readonly focus: boolean }) =>
      openPagePanel(VERIFICATION_PAGE, shown`Verification`, focus);
    return this.#pages.show(key, panel, { focus: true });
  }
}

/** A page that is open. */
class OpenPage {
  readonly #parts: VerificationParts;
  readonly #key: PageKey;
  readonly page: Page<VerificationPageRequest, VerificationPageNews>;
  readonly #closed = new AbortController();
  /** Of what state of the job the details are. */
  #read: { readonly of: string; readonly details: Promise<JobDetails> } | undefined;
  #details: JobDetails = {};
  /** Of which result of this machine the input is kept. */
  #hasInputOf: number | undefined;
  /** Whether the contract of a result of this machine has a history, once that is known. */
  #hasHistory: boolean | undefined;
  #offered: ReadonlySet<string> = new Set();
  /** What the buttons that were told last are of. */
  #pressable: {
    readonly result: LocalResult | undefined;
    readonly actions: readonly (Action | undefined)[];
  } = {
    result: undefined,
    actions: [],
  };
  /** What its facts open in the ledger view. */
  #openable: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  /** What its tab tells, once that is known and until it is closed. */
  tab: PageTab | undefined;
  readonly #retitle: () => void;

  /** @param retitle is called when what its tab tells is another */
  constructor(
    parts: VerificationParts,
    key: PageKey,
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    retitle: () => void,
  ) {
    this.#retitle = retitle;
    this.#parts = parts;
    this.#key = key;
    this.page = new Page(
      panel,
      extension,
      VERIFICATION_PAGE,
      verificationPageRequest,
      (request) => void this.#handle(request),
    );
    this.page.onClosed(() => {
      this.#closed.abort();
      clearTimeout(this.#timer);
      this.tab = undefined;
      retitle();
    });
  }

  /** What the page is of changed, or time passed. */
  changed(afterMs = TELL_AFTER_MS): void {
    if (!this.#isReady) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, afterMs);
  }

  get #record(): JobRecord | undefined {
    return this.#key.startsWith("job ") ? this.#parts.jobs.store.get(this.#key.slice(4)) : undefined;
  }

  get #result(): LocalResult | undefined {
    if (!this.#key.startsWith("local ")) return undefined;
    return this.#parts.localResults.all().find((one) => `local ${localResultId(one)}` === this.#key);
  }

  #tell(): void {
    const record = this.#record;
    const result = this.#result;
    if (record) {
      const isWaitedFor = this.#parts.jobs.isWaitedFor(record.id);
      const isInLedger = isChosenChain(record.chainId);
      this.#show(jobPage(record, this.#details, { now: Date.now(), isWaitedFor, isInLedger }), record);
      void this.#readDetails(record);
      if (!isFinished(record)) this.changed(TIMES_EVERY_MS);
    } else if (result) {
      this.#show(
        localPage(result, {
          hasInput: this.#hasInputOf === result.at,
          hasHistory: this.#hasHistory,
          canBePublished: !this.#parts.deploymentStates.isOutOfReach(result),
          isVerified: this.#parts.deploymentStates.isVerified(result, this.#parts.jobs.store.all()),
          isInLedger: isChosenChain(result.chainId),
        }),
        result,
      );
      void this.#lookAround(result);
    } else
      this.page.tell({
        type: "state",
        problem: shown`This verification is no longer in the list. Verify the contract again.`,
      });
  }

  #show(page: VerificationPage, deployment: PageTab["deployment"]): void {
    const { headline, lead, buttons, causes, codeButton, creationButton, sentButtons, explorers, facts } =
      page;
    this.tab = { title: page.title, outcome: page.outcome, deployment };
    this.#retitle();
    this.#offered = new Set(
      [
        lead,
        ...buttons,
        ...sentButtons,
        codeButton,
        creationButton,
        ...causes.map(({ button }) => button),
        ...explorers.map(({ button }) => button),
      ].flatMap((button) => button?.id ?? []),
    );
    this.#pressable = { result: this.#result, actions: this.#causes().map(({ action }) => action) };
    this.#openable = new Set(facts.flatMap(({ opens }) => opens ?? []));
    this.#parts.log.debug(`Page: ${headline}`);
    this.page.tell({ type: "page", key: this.#key, page });
  }

  /** Looks what lies beside a result of this machine. */
  async #lookAround(result: LocalResult): Promise<void> {
    const [isKept, isTracked] = await Promise.all([
      this.#parts.localResults.hasInput(result),
      hasHistory(result.path),
    ]);
    const isKnown = isKept === (this.#hasInputOf === result.at) && isTracked === this.#hasHistory;
    if (isKnown || this.#closed.signal.aborted) return;
    this.#hasInputOf = isKept ? result.at : undefined;
    this.#hasHistory = isTracked;
    this.changed();
  }

  /** Reads once for every state of a job what lies beside its record, and what the service says more. */
  async #readDetails(record: JobRecord): Promise<void> {
    const of = [recordStatus(record), record.explanation?.causes.length, record.finishedAt].join(" ");
    if (this.#read?.of === of) return;
    const details = this.#detailsOf(record);
    this.#read = { of, details };
    try {
      const read = await details;
      if (this.#read.details !== details || this.#closed.signal.aborted) return;
      this.#details = read;
      this.changed();
    } catch (error) {
      if (!isCancellation(error) && !this.#closed.signal.aborted)
        this.#parts.log.warn(`Verification: ${ledgerLensError(error).message}`);
    }
  }

  async #detailsOf(record: JobRecord): Promise<JobDetails> {
    const { jobs, log } = this.#parts;
    const { store } = jobs;
    const { submission } = record;
    const [input, files, whole] = await Promise.all([
      store.input(record.id),
      store.files(record.id),
      store.wholeJob(record.id),
    ]);
    const status = recordStatus(record);
    const sent =
      submission && input ? await sentSummaryOf({ ...submission, stdJsonInput: input }, files) : undefined;
    const { onchainRuntimeCode, onchainCreationCode, recompiledRuntimeCode, recompiledCreationCode } =
      whole?.error ?? {};
    const sources = input && {
      ...input,
      ...(submission && { contractIdentifier: submission.contractIdentifier }),
    };
    const code =
      onchainRuntimeCode && recompiledRuntimeCode
        ? await inTurns(
            codeSummaryInPieces(onchainRuntimeCode, recompiledRuntimeCode, sources, recompiledCreationCode),
            this.#closed.signal,
          )
        : undefined;
    const creationCode =
      onchainCreationCode && recompiledCreationCode
        ? await inTurns(
            creationSummaryInPieces(
              onchainCreationCode,
              recompiledCreationCode,
              sources,
              onchainRuntimeCode && recompiledRuntimeCode
                ? { deployed: onchainRuntimeCode, recompiled: recompiledRuntimeCode }
                : undefined,
            ),
            this.#closed.signal,
          )
        : undefined;
    const edit = status === "failed" && (await causeEdit(this.#parts, record).catch(() => undefined));
    const local: JobDetails = {
      ...(sent && { sent }),
      ...(code && { code }),
      ...(creationCode && { creationCode }),
      // What was not submitted has none to tell.
      ...(status === "failed" &&
        record.stage !== "refused" &&
        !code && {
          codeNote: shown`The service gave no codes to compare.`,
        }),
      ...(edit && { canWriteConfiguration: true }),
      ...((await isInWorkspace(contractFileOf(record)?.path)) && { hasFile: true }),
      ...(submission && { hasHistory: await hasHistory(submission.path) }),
    };
    if (!isMatch(status) || !hasPlace(record)) return local;
    this.#details = local;
    this.changed();
    // What the service says more is worth a request, and nothing that a person waits for.
    const verified = await this.#parts
      .service(record.service)
      .verifiedDetails(record, this.#closed.signal)
      .catch((error: unknown) => {
        log.info(`Verification: ${ledgerLensError(error).message}`);
        return undefined;
      });
    if (!verified) return local;
    const { constructorArguments } = await import("../../core/evm/constructorArguments.ts");
    const immutables =
      submission && input
        ? await inTurns(
            immutablesInWordsInPieces(verified.immutables, input, submission.contractIdentifier),
            this.#closed.signal,
          )
        : undefined;
    return {
      ...local,
      verified,
      ...(immutables !== undefined && { immutables }),
      constructorArguments: constructorArguments(
        verified.constructorArguments ?? "",
        verified.constructorInputs,
      ),
    };
  }

  async #handle(request: VerificationPageRequest): Promise<void> {
    try {
      switch (request.type) {
        case "ready":
          await this.#parts.jobs.store.load();
          this.#isReady = true;
          this.#tell();
          return;
        case "press":
          // What was not offered is not done, whatever the page says.
          if (!this.#offered.has(request.id)) return;
          await this.#press(request.id);
          this.page.tell({ type: "state" });
          return;
        case "openFile":
          await showFile(this.#parts.documents, await this.#compiled(), request.at);
          return;
        case "open":
          if (this.#openable.has(request.canonical)) await this.#open(request.canonical);
      }
    } catch (error) {
      if (isCancellation(error) || this.#closed.signal.aborted) return;
      const { message } = ledgerLensError(error);
      this.#parts.log.warn(`Verification: ${message}`);
      this.page.tell({ type: "state", problem: foreignSentence(message) });
    }
  }

  /** What a row offers is done by the row's own command, which asks, reports and says what failed. */
  async #press(id: string): Promise<void> {
    const record = this.#record;
    // What was found out again since the page was told is not what was pressed.
    const { result, actions } = this.#pressable;
    const { address } = record ?? result ?? {};
    const transaction = record?.creationTransactionHash;
    const row = record ? { record } : { localResult: result };
    const [kind, at] = splitId(id);
    const command = ROW_COMMANDS.get(id);
    if (command !== undefined) await vscode.commands.executeCommand(command, { row });
    else if (id === "copy address" && address !== undefined)
      this.#told(await copyText(address, shown`Address copied`));
    else if (id === "copy transaction" && transaction !== undefined)
      this.#told(await copyText(transaction, shown`Transaction hash copied`));
    else if (id === "copy link" && record) this.#told(await copyJobLink(this.#parts, record));
    else if (kind === "cause" || id === "show difference")
      await vscode.commands.executeCommand("ledgerLens.takeCauseAction", {
        row: { ...row, action: kind === "cause" ? actions[at] : SHOW_DIFFERENCE },
      });
    else if (id === "show creation difference") {
      if (record) await showDifference(this.#parts, record, "creation");
      else if (result) await showLocalDifference(this.#parts, result, "creation");
    } else if (kind === "explorer" && record?.job) {
      const link = explorerVerifications(record.job)[at]?.link;
      if (link !== undefined) await vscode.env.openExternal(vscode.Uri.parse(link));
    } else if (id === "raw input") await showInput(this.#parts.documents, await this.#compiled());
    else if (record) await this.#showMore(record, id);
    else if (result && id === "raw job") await this.#showResult(result);
    else if (result && id === "compare again") {
      const { path, contractName, chainId } = result;
      const args = { contract: `${path}:${contractName}`, chainId, address: result.address };
      await verifyLocally(this.#parts, args);
    }
  }

  async #open(canonical: string): Promise<void> {
    const record = this.#record;
    const { chainId } = record ?? this.#result ?? {};
    if (chainId === undefined) return;
    const kind = canonical === record?.creationTransactionHash ? "transaction" : "address";
    await showInLedger({ kind, id: canonical, chainId });
  }

  #told(words: ShownText): void {
    this.page.tell({ type: "told", words });
  }

  /** As the page has them, whose buttons are numbered by them. */
  #causes(): readonly Cause[] {
    const record = this.#record;
    const result = this.#result;
    if (record) return causesByHistory(record.explanation?.causes ?? [], this.#details.hasHistory);
    return result ? offeredLocalCauses(result, this.#hasHistory) : [];
  }

  async #showMore(record: JobRecord, id: string): Promise<void> {
    const parts = this.#parts;
    if (id === "raw job") await parts.jobDocuments.show(record);
    else if (id === "write configuration") {
      const edit = await causeEdit(parts, record);
      if (edit) await writeConfiguration(parts, edit);
    }
  }

  /** All that is known of a result of this machine. */
  async #showResult(result: LocalResult): Promise<void> {
    const { details, ...known } = result;
    const answer = await this.#parts.localResults.answer(result);
    const whole = isObject(answer) ? { ...known, ...answer } : { ...known, details };
    await this.#parts.documents.show(
      [...compiledHere(result), shown`${result.contractName} verification.json`],
      jsonDocument(`${JSON.stringify(whole, null, 2)}\n`),
    );
  }

  /** What was sent, or compiled here, and where documents of it are. */
  async #compiled(): Promise<CompiledDocuments> {
    const record = this.#record;
    const result = this.#result;
    const { jobs, localResults } = this.#parts;
    if (record)
      return {
        input: await jobs.store.input(record.id),
        folder: sentFolder(record),
      };
    if (result) return { input: await localResults.input(result), folder: compiledHere(result) };
    return { input: undefined, folder: [] };
  }
}

/** Where documents of a result of this machine are; another comparison of the same contract has others. */
function compiledHere({ chainId, address, at }: LocalResult): ShownText[] {
  return [shown`what was compiled`, foreign(chainId), foreign(address), foreign(String(at))];
}

/** Buttons that a row has, too, with the command of that row. */
const ROW_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["find settings", "ledgerLens.findSettingsOfRow"],
  ["find commit", "ledgerLens.findRowCommit"],
  ["compare with workspace", "ledgerLens.compareRowWithWorkspace"],
  ["open explorer", "ledgerLens.openJobInExplorer"],
  ["open service", "ledgerLens.openJobAtService"],
  ["check", "ledgerLens.checkThisJob"],
  ["stop waiting", "ledgerLens.stopWaiting"],
  ["retry", "ledgerLens.retryJob"],
  ["verify locally", "ledgerLens.verifyDeploymentLocally"],
  ["choose chain", "ledgerLens.chooseAnotherChain"],
  ["publish", "ledgerLens.publishLocalResult"],
]);

/** "cause 3" is the third of its kind, from 0. */
function splitId(id: string): [kind: string, at: number] {
  const [, kind = "", at = "-1"] = /^([a-z]+) (\d+)$/.exec(id) ?? [];
  return [kind, Number(at)];
}
