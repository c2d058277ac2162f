import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ledgerLensError } from "../../core/errors.ts";
import {
  EXAMPLE_FILE,
  exampleName,
  examplePage,
  type MismatchExample,
} from "../../core/jobs/page/examplePage.ts";
import { BUTTONS } from "../../core/jobs/page/jobPage.ts";
import type { VerificationPageNews, VerificationPageRequest } from "../../core/jobs/page/pageModel.ts";
import { tabTitle } from "../../core/jobs/page/tabTitle.ts";
import { verificationPageRequest } from "../../core/jobs/page/pageRequest.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { Page } from "../ui/page.ts";
import { showCodes } from "./causeActions.ts";
import type { VerificationParts } from "./verificationParts.ts";
import { showFile, showInput, VERIFICATION_PAGE } from "./verificationPanel.ts";

/** The open page of the example that ships. It asks nothing of a service or a node. */
export class ExamplePanel {
  readonly #parts: Pick<VerificationParts, "documents" | "log">;
  readonly #key: string;
  readonly #example: Thenable<MismatchExample>;
  readonly page: Page<VerificationPageRequest, VerificationPageNews>;

  /** @param key by which the editor brings it back */
  constructor(
    parts: Pick<VerificationParts, "documents" | "log">,
    key: string,
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
  ) {
    this.#parts = parts;
    this.#key = key;
    this.#example = vscode.workspace.fs
      .readFile(vscode.Uri.joinPath(extension, ...EXAMPLE_FILE))
      .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as MismatchExample);
    this.page = new Page(
      panel,
      extension,
      VERIFICATION_PAGE,
      verificationPageRequest,
      (request) => void this.#handle(request),
    );
  }

  async #handle(request: VerificationPageRequest): Promise<void> {
    try {
      await this.#answer(request, await this.#example);
    } catch (error) {
      const { message } = ledgerLensError(error);
      this.#parts.log.warn(`Verification: ${message}`);
      this.page.tell({ type: "state", problem: foreignSentence(message) });
    }
  }

  async #answer(request: VerificationPageRequest, example: MismatchExample): Promise<void> {
    const { documents, log } = this.#parts;
    const compiled = { input: example.stdJsonInput, folder: [shown`example`] };
    if (request.type === "ready") {
      const page = await examplePage(example);
      this.page.retitle(tabTitle({ ...page, deployment: example }, []));
      log.debug(`Page: ${page.headline}`);
      this.page.tell({ type: "page", key: this.#key, page });
    } else if (request.type === "openFile") await showFile(documents, compiled, request.at);
    // None of its facts opens anything.
    else if (request.type === "open") return;
    else if (request.id === BUTTONS.rawInput.id) await showInput(documents, compiled);
    else if (request.id === BUTTONS.showDifference.id)
      await showCodes(documents, this.#key, exampleName(example), t`The example`, {
        error: example.error,
        input: example.stdJsonInput,
        side: "runtime",
      });
  }
}
