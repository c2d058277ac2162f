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

/**
 * Whether two layouts say the same of each variable, as those of two builds of one source do: the ids of types are the
 * compiler's own and differ from build to build.
 */
export function saysTheSame(one: StorageLayout, other: StorageLayout): boolean {
  // A type may name itself, in a mapping of a struct; a pair that is being compared is taken for the same.
  const pairs = new Set<string>();
  const isSameType = (left: string | undefined, right: string | undefined): boolean => {
    if (left === undefined || right === undefined) return left === right;
    const pair = JSON.stringify([left, right]);
    if (pairs.has(pair)) return true;
    if (pairs.size >= MAX_PAIRS) return false;
    pairs.add(pair);
    const [a, b] = [one.types?.get(left), other.types?.get(right)];
    if (!a || !b) return a === b && left === right;
    return (
      a.encoding === b.encoding &&
      a.label === b.label &&
      a.numberOfBytes === b.numberOfBytes &&
      isSameType(a.key, b.key) &&
      isSameType(a.value, b.value) &&
      isSameType(a.base, b.base) &&
      areSame(a.members ?? [], b.members ?? [])
    );
  };
  const areSame = (left: StorageLayout["storage"], right: StorageLayout["storage"]): boolean =>
    left.length === right.length &&
    left.every((variable, at) => {
      const { label, slot, offset, type } = right[at] ?? {};
      return (
        variable.label === label &&
        variable.slot === slot &&
        variable.offset === offset &&
        isSameType(variable.type, type)
      );
    });
  return areSame(one.storage, other.storage);
}

/** Types within types recurse; no contract has so many. */
const MAX_PAIRS = 2_000;
