import { isPassingStatus } from "../../core/http/httpError.ts";
import * as vscode from "vscode";
import type { LedgerLensError } from "../../core/errors.ts";
import { chainLabel } from "../../core/chains/chainNames.ts";
import { systemClock } from "../../core/concurrency/clock.ts";
import type { JsonClient, JsonResponse } from "../../core/http/jsonClient.ts";
import type { MeasuredService } from "../../core/status/serviceHealth.ts";
import { explainByStatus, explainedError, isServiceFailure } from "../../core/status/statusExplanation.ts";
import { StatusMonitor } from "../../core/status/statusMonitor.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import type { Own } from "../ownedParts.ts";
import { settings } from "../settings.ts";
import { storedValue } from "../storedValue.ts";
import { copyText } from "../ui/clipboard.ts";
import type { LateTree } from "../ui/lateTree.ts";
import { isHederaUsed, type UseMemory } from "./hederaUse.ts";
import { openOnTheWeb, openStatus, setWatched, showStatus, statusNotices } from "./showStatus.ts";
import { StatusBar } from "./statusBar.ts";
import type { StatusEntry } from "./statusEntry.ts";
import { showNotification } from "./statusNotification.ts";
import type { StatusParts } from "./statusParts.ts";
import type { StatusNode } from "./statusTree.ts";
import { StatusView } from "./statusView.ts";
import { watchChoice } from "./watchChoice.ts";

/** What the status is built of. */
interface StatusNeeds {
  readonly own: Own;
  readonly http: JsonClient;
  readonly tree: LateTree<StatusNode>;
  readonly entry: StatusEntry;
  /** State of all windows. */
  readonly memory: vscode.Memento;
  readonly use: UseMemory;
}

/** How the services are: what watches them, shows it and explains errors by it. */
export class StatusSubject {
  readonly parts: StatusParts;
  /** What its commands do. */
  readonly commands = {
    showStatus,
    openStatus,
    statusNotices,
    setWatched,
    openOnTheWeb,
    copyText: (text: string) => copyText(text, shown`Text copied`),
  };
  readonly #http: JsonClient;

  constructor({ own, http, tree, entry, memory, use }: StatusNeeds) {
    const monitor: StatusMonitor = own(
      new StatusMonitor({
        client: http,
        clock: systemClock,
        random: Math.random,
        work: entry.work,
        focused: vscode.window.state.focused,
        storage: storedValue(memory, "statusNotices"),
        settings: () => ({
          ...watchChoice(),
          statusUrl: settings.statusUrl,
          verificationUrl: settings.verificationUrl,
          ledgerUrl: settings.ledgerUrl,
          pollSeconds: settings.statusPollSeconds,
          notifications: settings.notifications,
        }),
        onNotification: (notification) => void showNotification(notification, monitor.memory),
      }),
    );
    own(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        monitor.focused = focused;
      }),
    );
    own(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("ledgerLens")) monitor.settingsChanged();
      }),
    );
    own(new StatusBar(monitor, entry, () => isHederaUsed(use)));
    this.#http = http;
    const view = new StatusView(monitor, tree, {
      onVisible: () => entry.begin(),
      isHederaUsed: () => isHederaUsed(use),
    });
    this.parts = { monitor, view: own(view) };
  }

  /** An error of a service with what the status page knows of its reason. */
  explained(service: MeasuredService, error: LedgerLensError): LedgerLensError {
    return explainedError(error, () =>
      explainByStatus(service, watchChoice().networkId, this.parts.monitor.known, { now: Date.now() }),
    );
  }

  /** The client of services whose failures are a reason to look at the page. */
  get alarming(): Observable {
    const { monitor } = this.parts;
    return observed(this.#http, {
      answered: ({ status }) => {
        if (isPassingStatus(status)) monitor.requestFailed();
      },
      failed: (error) => {
        if (isServiceFailure(error)) monitor.requestFailed();
      },
    });
  }

  /** The client of the node of a chain, whose answers tell how it is: nothing else asks for that. */
  observedNode(chainId: string): Observable {
    const { monitor } = this.parts;
    const node = (url: string) => ({ chain: { chainId, name: foreign(chainLabel(chainId)) }, url });
    return observed(this.#http, {
      answered: ({ durationMs: latencyMs, status, isRemembered }, url) => {
        // What it said before was told then.
        if (isRemembered !== true) monitor.reportNode(node(url), { latencyMs, status });
      },
      failed: (error, url) => monitor.reportNode(node(url), { error }),
    });
  }

  /** The client of the ledger, whose answers tell how it is. */
  get observedLedger(): Observable {
    const { monitor } = this.parts;
    return observed(this.alarming, {
      answered: ({ durationMs: latencyMs, status, isRemembered }, url) => {
        // What it said before was told then.
        if (isRemembered !== true) monitor.reportOutcome("ledger", { latencyMs, status }, url);
      },
      failed: (error, url) => monitor.reportOutcome("ledger", { error }, url),
    });
  }
}

/** A client that nothing is known of but how it asks. */
type Observable = Pick<JsonClient, "request">;

/** A client whose every request is told of as soon as its fate is known. */
function observed(
  client: Observable,
  tell: {
    readonly answered: (response: JsonResponse, url: string) => void;
    readonly failed: (error: unknown, url: string) => void;
  },
): Observable {
  return {
    request: async (request) => {
      let response: JsonResponse;
      try {
        response = await client.request(request);
      } catch (error) {
        tell.failed(error, request.url);
        throw error;
      }
      tell.answered(response, request.url);
      return response;
    },
  };
}
