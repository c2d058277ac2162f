import { t } from "@vscode/l10n";
import { listed } from "../../text/counted.ts";
import { shown } from "../../text/shownText.ts";
import { factRow as fact, rowText, type LedgerRow } from "../../rows/ledgerRow.ts";
import { opening } from "../references/opening.ts";
import { ledgerKeyRow } from "../tokens/ledgerKey.ts";
import { holderText, otherSigners } from "./keyHolders.ts";
import type { MissingKey, Signer } from "./missingSignatures.ts";
import type { Schedule } from "./schedule.ts";

/** "0.0.2003 has not signed", "0.0.1010 has signed in part" */
export function missingText(signers: readonly Signer[]): string[] {
  const missing = signers.filter(({ state }) => state === "missing");
  const none = missing.filter(({ isPart }) => !isPart).map(holderText);
  const part = missing.filter(({ isPart }) => isPart).map(holderText);
  const names = { none: listed(none), part: listed(part) };
  return [
    ...(none.length === 0
      ? []
      : [none.length === 1 ? t`${names.none} has not signed` : t`${names.none} have not signed`]),
    ...(part.length === 0
      ? []
      : [part.length === 1 ? t`${names.part} has signed in part` : t`${names.part} have signed in part`]),
  ];
}

/** Those that have to sign, each with what it lacks, and what is not known of others. */
export function signerRows(schedule: Schedule, signers: readonly Signer[]): LedgerRow[] {
  const others = otherSigners(schedule);
  return [
    ...signers.map(signerRow),
    ...(others === undefined
      ? []
      : [{ ...fact("others", t`Other signatures`, others), icon: "question" as const }]),
  ];
}

const ICONS: Readonly<Record<Signer["state"], string>> = {
  signed: "pass",
  missing: "circle-large-outline",
  unknown: "question",
  none: "warning",
};

function signerRow(signer: Signer, at: number): LedgerRow {
  const { kind, id, state, key, missing } = signer;
  const name = holderText(signer);
  const children =
    state === "unknown" && key ? [ledgerKeyRow("key", t`Key`, key)] : missing.map(missingRow(t`Missing`));
  return {
    ...fact(`signer ${at} ${name}`, name, stateWords(signer), id === "" ? undefined : id),
    icon: ICONS[state],
    ...(kind === "receiver" ? opening("account", id) : {}),
    ...(kind === "account" || kind === "contract" || kind === "token" || kind === "schedule"
      ? opening(kind, id)
      : {}),
    ...(children.length > 0 && { children }),
  };
}

function stateWords({ state, isPart, key }: Signer): string {
  switch (state) {
    case "signed":
      return t`has signed`;
    case "missing":
      return isPart ? t`has signed in part` : t`has not signed`;
    case "none":
      return t`not set: this will fail`;
    case "unknown":
      if (!key) return t`unknown: its key was not found`;
      return key.kind === "unreadable"
        ? t`unknown: its key was not decoded`
        : t`unknown: a contract may sign for it`;
  }
}

/** What is missing: a key, or so many of some keys, which are its children. */
function missingRow(label: string): (missing: MissingKey, at: number) => LedgerRow {
  return (missing, at) => {
    if (missing.kind === "key")
      return ledgerKeyRow(`key${at}`, missing.isUnknown ? t`Unknown` : label, missing.key);
    const { needed, of, threshold, count, given } = missing;
    return {
      id: `some${at}`,
      label: rowText(
        needed === 1
          ? t`1 of these ${of.length} is missing`
          : needed < of.length
            ? t`${needed} of these ${of.length} are missing`
            : t`These ${of.length} are missing`,
      ),
      description: shown`${threshold} of ${count}, ${given} given`,
      icon: "key",
      expanded: true,
      children: of.map(missingRow(t`Key`)),
    };
  };
}
