import { t } from "@vscode/l10n";
import {
  entriesOf,
  ifReadable,
  listOf,
  matching,
  numberFrom,
  object,
  text,
  type Shaped,
} from "../json/shape.ts";

/** Numbers are decimal texts there. */
const decimal = matching(/^\d{1,78}$/, () => t`decimal digits`);
const name = text(1_000);

/** A variable, or a member of a struct: the slot counts from the beginning of what it is in, the offset in bytes. */
const placedVariable = object({
  label: name,
  slot: decimal,
  offset: numberFrom(0, 31),
  type: name,
});

const storageType = object({
  encoding: text(50),
  label: name,
  numberOfBytes: decimal,
  /** Of a mapping. */
  key: ifReadable(name),
  value: ifReadable(name),
  /** Of an array. */
  base: ifReadable(name),
  /** Of a struct. */
  members: ifReadable(listOf(placedVariable, 1_000)),
});

/**
 * Where the variables of a contract lie, as compilers write it (docs.soliditylang.org, Layout of State Variables in
 * Storage, "JSON Output").
 */
export const storageLayout = object({
  storage: listOf(placedVariable, 10_000),
  /** By their id; a contract without variables has none. */
  types: ifReadable(entriesOf(storageType)),
});

export type StorageLayout = Shaped<typeof storageLayout>;
