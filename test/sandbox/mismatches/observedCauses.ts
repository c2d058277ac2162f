import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import { compileBuild, contractOf, type Build } from "./mismatchCase.ts";
import type { RegistryCase } from "./registryCases.ts";

/** How far two codes differ: not at all, in what follows the code alone, or in the code. */
export type Extent = "same" | "metadata" | "code";

/** What can be known of a case from its codes and its metadata. */
export interface Observed {
  readonly extent: Extent;
  /** Every cause that is right: what differs and shows, and what can't be told from it. */
  readonly causes: readonly CauseCode[];
}

/** The parts of a compiled contract that are compared. */
interface ComparedCode {
  /** Without metadata hashes, immutable values and library addresses. */
  readonly code: string;
  readonly whole: string;
  /** What follows the runtime code. */
  readonly auxdata: string;
}

/**
 * What can be observed of a case, by compiling both builds and those between them:
 *
 * - Runtime code that is the same to the last byte: nothing is to be explained. A constructor that differs shows in the
 *   hash of the metadata, where there is one.
 * - Only the metadata differs: its hash says that some input differs and not which one, so a source that was edited
 *   and a setting without effect look alike, and both are right. Where auxdata differs in more than the hash, they
 *   name the cause: the kind of hash is a metadata setting, and from 0.5.9 on the compiler writes its version there.
 *   Where the submitted metadata is on record, a setting can be proven by trying values, so an edited source is wrong.
 * - The code differs: every difference of which the code alone, or beside the others, differs. A compiler version that
 *   the auxdata show to be another one is right, too: whether it made the code is not to be seen.
 */
export async function observedCauses(compilers: SolidityCompilers, one: RegistryCase): Promise<Observed> {
  const [deployed, submitted] = [
    await compared(compilers, one.deployed),
    await compared(compilers, one.submitted),
  ];
  if (deployed.whole === submitted.whole) return { extent: "same", causes: [] };
  if (deployed.code === submitted.code) {
    const named = namedByAuxdata(deployed.auxdata, submitted.auxdata);
    const all = one.differences.flatMap(({ causes }) => causes);
    const isProvable = one.knowledge === "record" && one.differences.every(({ isProvable }) => isProvable);
    const unnamed: CauseCode[] = isProvable ? ["metadata_settings"] : ["metadata_settings", "edited_source"];
    const shown = named?.filter((cause) => all.includes(cause));
    // Before 0.5.9 no auxdata names a version, and 0.5.12 changed the kind of hash: all that was done is right then.
    if (named) return { extent: "metadata", causes: unique(shown?.length ? shown : all) };
    return { extent: "metadata", causes: unique([...all, ...unnamed]) };
  }
  const causes: CauseCode[] = [];
  if (namedByAuxdata(deployed.auxdata, submitted.auxdata)?.includes("compiler_version"))
    causes.push("compiler_version");
  for (const difference of one.differences) {
    const { alone } = difference;
    const shows =
      !alone ||
      (await compared(compilers, alone.ofSubmitted)).code !== submitted.code ||
      (await compared(compilers, alone.ofDeployed)).code !== deployed.code;
    const isProvable = one.knowledge === "record" && difference.isProvable && one.differences.length === 1;
    if (shows) causes.push(...difference.causes.filter((cause) => !isProvable || cause !== "edited_source"));
  }
  return { extent: "code", causes: unique(causes) };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** The causes that auxdata name by themselves. */
function namedByAuxdata(deployed: string, submitted: string): CauseCode[] | undefined {
  const [one, other] = [trailerShape(deployed), trailerShape(submitted)];
  const named: CauseCode[] = [
    ...(one.hash === other.hash ? [] : ["metadata_settings" as const]),
    ...(one.version === other.version || one.version === "" || other.version === ""
      ? []
      : ["compiler_version" as const]),
  ];
  return named.length > 0 ? named : undefined;
}

/** The kind of hash and the compiler's version of auxdata. */
function trailerShape(auxdata: string): { hash: string; version: string } {
  const text = Buffer.from(auxdata, "hex").toString("latin1");
  const hash = ["ipfs", "bzzr1", "bzzr0"].find((kind) => text.includes(kind)) ?? "";
  return {
    hash: auxdata === "" ? "no auxdata" : hash,
    version: /64736f6c6343(\w{6})/.exec(auxdata)?.[1] ?? "",
  };
}

async function compared(compilers: SolidityCompilers, build: Build): Promise<ComparedCode> {
  const { output, errors } = await compileBuild(compilers, build);
  if (errors.length > 0) throw new CaseDoesNotCompile(errors.join("\n"));
  const { contract } = contractOf(output, build.contract);
  const {
    object,
    linkReferences,
    immutableReferences = {},
  } = contract.evm.deployedBytecode as CodeWithReferences;
  // In old versions a function with another name can leave one of an interface undone, which makes a contract abstract.
  if (object === "") throw new CaseDoesNotCompile(`${build.contract} has no code.`);
  const links = Object.values(linkReferences ?? {}).flatMap((libraries) => Object.values(libraries).flat());
  let whole = object;
  for (const { start, length } of [...links, ...Object.values(immutableReferences).flat()])
    whole = whole.slice(0, 2 * start) + "0".repeat(2 * length) + whole.slice(2 * (start + length));
  const named = auxdataOf((contract.evm as { legacyAssembly?: unknown }).legacyAssembly);
  // The assembly of the oldest releases does not name it.
  const auxdatas = named.length > 0 ? named : [...(whole.match(OLD_AUXDATA) ?? [])];
  let code = whole;
  for (const one of auxdatas) code = code.replaceAll(one, "");
  const auxdata = auxdatas.findLast((one) => object.endsWith(one)) ?? "";
  return { code, whole, auxdata };
}

/** What the releases until 0.5.8 put behind a code: `{"bzzr0": <32 bytes>}` in CBOR, and its length. */
const OLD_AUXDATA = /a165627a7a72305820[0-9a-f]{64}0029/g;

interface CodeWithReferences {
  readonly object: string;
  readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly Place[]>>>>;
  readonly immutableReferences?: Readonly<Record<string, readonly Place[]>>;
}

interface Place {
  readonly start: number;
  readonly length: number;
}

/** Every metadata that the compiler put behind a code, in the contract and in those that it creates. */
function auxdataOf(assembly: unknown): string[] {
  if (typeof assembly !== "object" || assembly === null) return [];
  return Object.entries(assembly).flatMap(([key, value]) =>
    key === ".auxdata" && typeof value === "string" ? [value] : auxdataOf(value),
  );
}

/** Some draws are no contracts: too deep for the stack, or with a feature that an EVM version lacks. */
export class CaseDoesNotCompile extends Error {}
