import { t } from "@vscode/l10n";
import { shortAddress } from "../../text/shownText.ts";
import { entityIdText, fromLongZeroAddress } from "../references/entityId.ts";
import { systemContractAt } from "./systemContracts.ts";

/** Whether addresses and long values are shortened. */
export type WordForm = "short" | "whole";

/**
 * An address as a person reads it, in a row as in a copy: as the id that it is made of, which loses nothing, or as the
 * network's own contract there by its name; any other as it is, shortened unless it is to be whole. A precompiled contract of
 * the EVM has the address of an account, which is what is meant where it is not called.
 */
export function addressText(address: string, form: WordForm): string {
  const id = fromLongZeroAddress(address);
  if (!id) return form === "short" ? shortAddress(address) : address;
  if (/^0x0+$/.test(address)) return t`zero address`;
  const system = systemContractAt(address);
  return system?.kind === "hedera" ? system.name : entityIdText(id);
}
