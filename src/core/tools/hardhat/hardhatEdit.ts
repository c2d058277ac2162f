import type { Node, Program } from "@babel/types";
import { relativePath } from "../../files/fileReader.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { withOtherText } from "../../files/laidOver.ts";
import { asRecord } from "../../json/looseData.ts";
import { ownValue } from "../../json/ownValue.ts";
import { targetEvmVersion } from "../../languages/codeRules.ts";
import { solcCode } from "../../languages/solidity/solcCode.ts";
import type { CompilerSettings } from "../../sources/standardJsonInput.ts";
import { isIdentifier } from "../../text/identifier.ts";
import { shortVersion } from "../../versions.ts";
import {
  exportedObject,
  isLiteral,
  literalText,
  propertyOf,
  withNode,
  withProperty,
} from "../scripts/scriptEdit.ts";
import { readHardhatConfig, type ConfiguredCompiler, type HardhatConfig } from "./hardhatConfig.ts";

/** A value that is written here. */
type Scalar = string | number | boolean;

/** What counts where a setting is not written: standard JSON input, by its path. */
const UNSET: readonly (readonly [path: readonly string[], value: Scalar])[] = [
  [["optimizer", "enabled"], false],
  [["optimizer", "runs"], 200],
  [["viaIR"], false],
  [["metadata", "bytecodeHash"], "ipfs"],
  [["metadata", "appendCBOR"], true],
  [["metadata", "useLiteralContent"], false],
  [["debug", "revertStrings"], "default"],
];

/** Members of standard JSON input that Hardhat makes by itself. */
const NOT_CONFIGURED = new Set(["outputSelection", "remappings"]);

/** A compiler in full form, and its settings whole. */
interface CompilerSetup {
  readonly compilerVersion: string;
  readonly settings: CompilerSettings;
}

/** Where a configuration lies, and the file of the contract that is compiled by it. */
interface HardhatPlace {
  readonly files: FolderReader;
  readonly root: string;
  /** The configuration. */
  readonly path: string;
  readonly contract: string;
  readonly opened: string;
}

/**
 * The text of a Hardhat configuration with another compiler and other settings for a contract; of `solidity` nothing but
 * literals is changed, and the rest stays to the byte.
 *
 * @param given what the contract is compiled with as the text is
 * @returns `undefined` where anything of `solidity` is computed, or where the text that comes out, read again, does not say
 *   just what is wanted
 */
export async function withHardhatSettings(
  text: string,
  place: HardhatPlace,
  given: CompilerSetup,
  wanted: CompilerSetup,
): Promise<string | undefined> {
  if (JSON.stringify(given.settings.remappings) !== JSON.stringify(wanted.settings.remappings))
    return undefined;
  const { parseScript } = await import("../scripts/scriptParser.ts");
  const program = (code: string) => {
    const parsed = parseScript(code);
    return "program" in parsed ? parsed.program : undefined;
  };
  const before = await readAs(place, text);
  const spot = compilerSpot(before, place, given);
  if (!spot) return undefined;
  const put = (code: string, path: readonly string[], value: Scalar) => {
    const parsed = program(code);
    return parsed && withLeaf(code, parsed, spot, path, value);
  };
  const short = shortVersion(wanted.compilerVersion);
  // Of several compilers Hardhat takes the newest that the sources allow: another release may be taken for other files.
  if (before.compilers.length > 1 && spot.of(before)?.version !== short) return undefined;
  let changed = spot.of(before)?.version === short ? text : put(text, ["version"], short);
  const leaves = effective(wanted);
  for (const [name, { path, value }] of leaves) {
    if (changed === undefined) return undefined;
    const now = spot.of(await readAs(place, changed));
    if (!now) return undefined;
    const current = effective(setupOf(now, wanted)).get(name);
    if (current?.value !== value) changed = put(changed, ["settings", ...path], value);
  }
  if (changed === undefined) return undefined;
  const after = await readAs(place, changed);
  const own = spot.of(after);
  const isWanted =
    own?.version === short &&
    own.unknown.length === 0 &&
    sameLeaves(effective(setupOf(own, wanted)), leaves) &&
    JSON.stringify(spot.others(after)) === JSON.stringify(spot.others(before));
  return isWanted ? changed : undefined;
}

function readAs({ files, root, path, opened }: HardhatPlace, text: string): Promise<HardhatConfig> {
  return readHardhatConfig(withOtherText(files, path, text), root, path, undefined, opened);
}

/** A compiler as it is read, with the release in full form. */
function setupOf({ settings }: ConfiguredCompiler, { compilerVersion }: CompilerSetup): CompilerSetup {
  return { compilerVersion, settings };
}

/** Which of the compilers of a configuration it is. */
interface CompilerSpot {
  readonly of: (config: HardhatConfig) => ConfiguredCompiler | undefined;
  /** All but that one. */
  readonly others: (config: HardhatConfig) => unknown;
  /** Where it is written. */
  readonly node: (solidity: Node) => Node | undefined;
}

/** The compiler of a contract: the one of its override, else that of its release, else the only one. */
function compilerSpot(
  config: HardhatConfig,
  { contract, root }: HardhatPlace,
  { compilerVersion }: CompilerSetup,
): CompilerSpot | undefined {
  const name = relativePath(contract, root) ?? contract;
  if (ownValue(config.overrides, name)) {
    return {
      of: ({ overrides }) => ownValue(overrides, name),
      others: ({ compilers, overrides }) => [
        compilers,
        Object.entries(overrides).filter(([one]) => one !== name),
      ],
      node: (solidity) => propertyOf(propertyOf(solidity, "overrides")?.value, name)?.value,
    };
  }
  const short = shortVersion(compilerVersion);
  const ofRelease = config.compilers.flatMap(({ version }, at) => (version === short ? [at] : []));
  const all = config.compilers.map((_, at) => at);
  const [at, ...more] = ofRelease.length > 0 ? ofRelease : all;
  if (at === undefined || more.length > 0) return undefined;
  return {
    of: ({ compilers }) => compilers[at],
    others: ({ compilers, overrides }) => [compilers.filter((_, each) => each !== at), overrides],
    node: (solidity) => {
      if (literalText(solidity) !== undefined) return solidity;
      const list = propertyOf(solidity, "compilers")?.value;
      if (list) return list.type === "ArrayExpression" ? (list.elements[at] ?? undefined) : undefined;
      return propertyOf(solidity, "version") && !propertyOf(solidity, "profiles") ? solidity : undefined;
    },
  };
}

/** A text with one value of a compiler; `undefined` where that is not written as a literal. */
function withLeaf(
  text: string,
  program: Program,
  spot: CompilerSpot,
  path: readonly string[],
  value: Scalar,
): string | undefined {
  const solidity = propertyOf(exportedObject(program), "solidity")?.value;
  const compiler = solidity && isLiteral(solidity) ? spot.node(solidity) : undefined;
  if (!solidity || !compiler) return undefined;
  const quoteOf = (node: Node | undefined) => /^['"`]/.exec(text.slice(node?.start ?? text.length))?.[0];
  const quote = quoteOf(propertyOf(compiler, "version")?.value ?? compiler) ?? '"';
  const written = (one: Scalar, mark = quote) =>
    typeof one === "string" ? mark + JSON.stringify(one).slice(1, -1) + mark : String(one);
  const nested = (names: readonly string[]): string => {
    const [first, ...rest] = names;
    return first === undefined ? written(value) : `{ ${keyOf(first, quote)}: ${nested(rest)} }`;
  };
  const version = literalText(compiler);
  if (version !== undefined) {
    const [first = "", ...rest] = path;
    return first === "version"
      ? withNode(text, compiler, written(value))
      : withNode(text, compiler, `{ version: ${written(version)}, ${first}: ${nested(rest)} }`);
  }
  let at: Node = compiler;
  for (const [depth, name] of path.entries()) {
    if (at.type !== "ObjectExpression") return undefined;
    const property = propertyOf(at, name);
    if (!property) return withProperty(text, at, keyOf(name, quote), nested(path.slice(depth + 1)));
    at = property.value;
  }
  return at.type === "ObjectExpression" || at.type === "ArrayExpression"
    ? undefined
    : withNode(text, at, written(value, quoteOf(at)));
}

function keyOf(name: string, quote: string): string {
  if (isIdentifier(name)) return name;
  // A template is no key.
  const mark = quote === "`" ? '"' : quote;
  return mark + JSON.stringify(name).slice(1, -1) + mark;
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** All that settings say, by its path, with what counts where they say nothing. */
function effective({ settings, compilerVersion }: CompilerSetup): Map<string, Leaf & { value: Scalar }> {
  const leaves = new Map<string, Leaf & { value: Scalar }>();
  const all = [
    ...UNSET.map(([path, value]) => ({ path, value })),
    ...leavesOf(settings),
    { path: ["evmVersion"], value: targetEvmVersion(settings, solcCode, compilerVersion) },
  ];
  for (const { path, value } of all)
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      leaves.set(path.join("\0"), { path, value });
  return leaves;
}

function leavesOf(settings: CompilerSettings): Leaf[] {
  const within = (value: unknown, path: readonly string[]): Leaf[] => {
    const members = asRecord(value);
    return members
      ? Object.entries(members).flatMap(([name, member]) => within(member, [...path, name]))
      : value === undefined
        ? []
        : [{ path, value: typeof value === "object" ? JSON.stringify(value) : value }];
  };
  return Object.entries(settings).flatMap(([name, value]) =>
    NOT_CONFIGURED.has(name) ? [] : within(value, [name]),
  );
}

function sameLeaves(one: ReadonlyMap<string, Leaf>, other: ReadonlyMap<string, Leaf>): boolean {
  return one.size === other.size && [...one].every(([name, { value }]) => other.get(name)?.value === value);
}
