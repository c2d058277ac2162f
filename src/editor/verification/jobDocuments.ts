import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { documentText, jsonDocument, type DocumentText } from "../../core/text/documentText.ts";
import { shownAddress } from "../../core/http/shownAddress.ts";
import type { VerificationJob } from "../../core/service/job.ts";
import type { UnreadableJob } from "../../core/jobs/jobFolder.ts";
import { recordTitle, type JobRecord } from "../../core/jobs/jobRecord.ts";
import type { JobStore } from "../../core/jobs/jobStore.ts";
import { outcomeSentence } from "../../core/jobs/jobWords.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { exactTime } from "../../core/text/timeWords.ts";
import type { LateDocuments } from "../ui/lateDocuments.ts";

const UNREADABLE = "unreadable";

/** Read-only documents with everything that is known of a job. */
export class JobDocuments implements vscode.Disposable {
  readonly #store: JobStore;
  readonly #scheme: string;
  readonly #stop: () => void;

  constructor(store: JobStore, documents: LateDocuments) {
    this.#store = store;
    this.#scheme = documents.scheme;
    this.#stop = store.onChange(() => documents.changed());
    documents.fill((uri) => this.#contentOf(uri));
  }

  async #contentOf(uri: vscode.Uri): Promise<DocumentText> {
    await this.#store.load();
    if (uri.authority === UNREADABLE)
      return documentText((await this.#store.unreadableText(uri.query)) ?? t`This is no longer stored.\n`);
    const record = this.#store.get(uri.query);
    return record
      ? describe(record, await this.#store.wholeJob(record.id))
      : documentText(t`This job is no longer in the list.\n`);
  }

  async show(record: JobRecord): Promise<void> {
    const title = recordTitle(record).replace(/[^\w.…-]+/g, "_");
    const uri = vscode.Uri.from({
      scheme: this.#scheme,
      path: `/${shown`${title} verification.jsonc`}`,
      query: record.id,
    });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** What can't be read, as it is stored. */
  async showUnreadable({ key, file }: UnreadableJob): Promise<void> {
    const uri = vscode.Uri.from({
      scheme: this.#scheme,
      authority: UNREADABLE,
      path: `/${file.replace(/[^\w.-]+/g, "_")}`,
      query: key,
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#stop();
  }
}

function describe(record: JobRecord, job: VerificationJob | undefined): DocumentText {
  const lines = [
    foreignSentence(outcomeSentence(record)),
    shown`Job ${record.verificationId ?? t`without an id`}, submitted ${exactTime(record.submittedAt, undefined)}.`,
  ];
  const comment = lines.map((line) => `// ${line}`).join("\n");
  const whole = { ...record, service: shownAddress(record.service), ...(job && { job }) };
  return jsonDocument(`${comment}\n${JSON.stringify(whole, null, 2)}\n`);
}
