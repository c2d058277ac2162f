import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerLensError } from "../errors.ts";
import { isBreakdown } from "../compilers/compilerBreakdown.ts";
import { codeDistance } from "../evm/codeDistance.ts";
import type { Disassembly } from "../evm/disassembly.ts";
import { unlinkedCodeBytes } from "../evm/hex.ts";
import { asText, fieldAt, parseJson } from "../json/looseData.ts";
import type { Submittable } from "../matching/resubmission.ts";

/** Settings that were compiled, and how near their code comes to the deployed one. */
export interface SettingsAttempt {
  readonly submission: Submittable;
  /** Hexadecimal without 0x, places of libraries as zeros; `undefined` where the sources do not compile so. */
  readonly code: string | undefined;
  /** As the compiler wrote it. */
  readonly metadata: string | undefined;
  /** The compiler's messages where the sources do not compile so: `errors` of its output, not looked at. */
  readonly messages?: unknown;
  /** Why the compiler broke down over it, where it did. */
  readonly fault?: LedgerLensError;
  /** As {@link codeDistance} has it. */
  readonly distance: number;
  /** Where the code wants addresses of libraries: `linkReferences` of the compiler's output. */
  readonly linkReferences: unknown;
}

/** Standard JSON in, standard JSON out, by a release in full form; `undefined` where that release can't be had here. */
export type CompileRelease = (
  compilerVersion: string,
  input: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** What an attempt needs of a compiler: the code of one contract, and what it says of itself. */
const OUTPUTS = ["metadata", "evm.deployedBytecode.object", "evm.deployedBytecode.linkReferences"];

/**
 * Compiles one contract with its settings and compares its code with the deployed one.
 *
 * @returns `undefined` where the release can't be had here
 * @throws those of {@link CompileRelease}, without those of a compiler that breaks down
 */
export async function attemptSettings(
  submission: Submittable,
  deployed: Disassembly,
  compile: CompileRelease,
  signal: AbortSignal,
): Promise<SettingsAttempt | undefined> {
  const { compilerVersion, contractIdentifier, stdJsonInput } = submission;
  const { file, name } = splitIdentifier(contractIdentifier);
  const outputSelection = { [file]: { [name]: OUTPUTS } };
  const input = { ...stdJsonInput, settings: { ...stdJsonInput.settings, outputSelection } };
  let answer: string | undefined;
  try {
    answer = await compile(compilerVersion, JSON.stringify(input), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isBreakdown(error)) throw error;
    return { ...uncompiled(submission), fault: error };
  }
  if (answer === undefined) return undefined;
  const output = parseJson(answer);
  const contract = fieldAt(output, "contracts", file, name);
  const metadata = asText(fieldAt(contract, "metadata"));
  const object = asText(fieldAt(contract, "evm", "deployedBytecode", "object"));
  const bytes = unlinkedCodeBytes(object ?? "");
  if (bytes.length === 0) return { ...uncompiled(submission), metadata, messages: fieldAt(output, "errors") };
  return {
    submission,
    code: bytesToHex(bytes),
    metadata,
    distance: await codeDistance(deployed, bytes, signal),
    linkReferences: fieldAt(contract, "evm", "deployedBytecode", "linkReferences"),
  };
}

function uncompiled(submission: Submittable): SettingsAttempt {
  return { submission, code: undefined, metadata: undefined, distance: 1, linkReferences: undefined };
}
