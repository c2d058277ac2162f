import { t } from "@vscode/l10n";
import { megabytes } from "../../core/text/counted.ts";
import { whenWords } from "../../core/text/timeWords.ts";
import { foreign, shown } from "../../core/text/shownText.ts";
import { mayAsk } from "../ui/asking.ts";
import { showMessage } from "../ui/notifications.ts";
import { pick } from "../ui/questions.ts";
import type { LocalParts } from "./verificationParts.ts";

/** What `manageCompilers` resolves to: the compilers that are kept, the one that was used last first. */
type KeptCompilers = readonly {
  readonly sha256: string;
  readonly version?: string;
  readonly bytes: number;
}[];

/** `ledgerLens.manageCompilers` `{}`: lists the compilers that were downloaded; a person can remove them. */
export async function manageCompilers({ local }: Pick<LocalParts, "local">): Promise<KeptCompilers> {
  const kept = await local.kept();
  const answer = kept.map(({ sha256, version, bytes }) => ({ sha256, ...(version && { version }), bytes }));
  if (!mayAsk()) return answer;
  if (kept.length === 0) {
    void showMessage("information", shown`No compiler is kept on this machine.`);
    return [];
  }
  const all = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  const isRemoved = await pick(
    { title: shown`Manage Compilers`, step: 1, totalSteps: 1, canGoBack: false },
    {
      placeholder: shown`Compilers that Ledger Lens downloaded, ${megabytes(all)} in all`,
      choices: [
        ...kept.map(({ sha256, version, bytes, lastUsed }) => ({
          icon: "versions",
          label: shown`solc ${version ?? t`of another release`}`,
          description: shown`${megabytes(bytes)} · used ${whenWords(lastUsed, Date.now(), undefined)}`,
          detail: shown`SHA-256 ${sha256}`,
          value: false,
        })),
        { icon: "trash", label: shown`Remove All`, description: foreign(megabytes(all)), value: true },
      ],
    },
  );
  if (!isRemoved) return answer;
  const bytes = await local.removeKept();
  void showMessage(
    "information",
    shown`The downloaded compilers were removed: ${megabytes(bytes)} are free.`,
  );
  return [];
}
