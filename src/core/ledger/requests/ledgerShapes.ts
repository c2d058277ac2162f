import { t } from "@vscode/l10n";
import { isAddress } from "../../evm/address.ts";
import { matching, Misfit, type Shape } from "../../json/shape.ts";
import { isEntityId } from "../references/entityId.ts";
import { integerText } from "../../text/exactDecimal.ts";

/** A text that says something; the ledger's numbers as texts, since servers differ in which of them they quote. */
export const said: Shape<string> = (value) => {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : new Misfit(() => t`a text`);
};

/** `shard.realm.num`: what becomes part of the address of a request is an id and nothing else. */
export const entityIdShape = matching({ test: isEntityId }, () => t`an id`);

/** The address that the EVM has something at, with `0x`. */
export const addressShape = matching({ test: isAddress }, () => t`an address`);

/** Bytes as the ledger writes them: any number of hex digits, in any case, with `0x`. */
export const hex = matching(/^0x[0-9a-fA-F]*$/, () => t`hex`);

/** The exact decimal digits of an integer, however it is written. */
export const integer: Shape<string> = (value) => integerText(value) ?? new Misfit(() => t`an integer`);
