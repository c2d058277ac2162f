import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { targetEvmVersion } from "../languages/codeRules.ts";
import { solcCode } from "../languages/solidity/solcCode.ts";
import { asRecord, asTexts } from "../json/looseData.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";
import { sortedJson, type MetadataSource } from "./compilerMetadata.ts";
import { asAddresses, sourceHash } from "./sourceVariants.ts";
import { atLeast, plainVersion } from "../versions.ts";

/** The input that a build would have, with the contract that is meant. */
interface MetadataInput {
  /** Full form. */
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
  readonly settings: CompilerSettings;
  /** Contents by source unit name: those that the contract needs, and no others. */
  readonly sources: Readonly<Record<string, string>>;
}

/** What of metadata only the compiler knows: it depends on the sources, and on no setting. */
interface CompiledInterface {
  readonly abi: readonly unknown[];
  readonly devdoc?: unknown;
  readonly userdoc?: unknown;
}

/** From this release on, metadata has the form that is written here. */
const FIRST_RELEASE = "0.8.0";

/**
 * The metadata that solc would write, without compiling: all of it but the contract's interface stands in the input
 * (libsolidity/interface/CompilerStack.cpp, `createMetadata`). Where the documentation is not known, it is empty as
 * long as no source has any.
 *
 * @returns `undefined` where that can't be done: before solc 0.8, with settings that the compiler completes, or with documentation that is not known
 */
export function builtMetadata(
  { compilerVersion, contractIdentifier, settings, sources }: MetadataInput,
  { abi, devdoc, userdoc }: CompiledInterface,
): string | undefined {
  if (!atLeast(compilerVersion, FIRST_RELEASE)) return undefined;
  if (settings.optimizer?.["details"] !== undefined || settings["viaSSACFG"] === true) return undefined;
  const isDocumented = Object.values(sources).some((content) => /\/\/\/|\/\*\*/.test(content));
  if (isDocumented && (devdoc === undefined || userdoc === undefined)) return undefined;
  const noDocs = (kind: string) => ({ kind, methods: {}, version: 1 });
  const { file, name } = splitIdentifier(contractIdentifier);
  const target = { [file]: name };
  const hasLiteralContent = asRecord(settings["metadata"])?.["useLiteralContent"] === true;
  const whole = {
    compiler: { version: plainVersion(compilerVersion) },
    language: "Solidity",
    output: { abi, devdoc: devdoc ?? noDocs("dev"), userdoc: userdoc ?? noDocs("user") },
    settings: { ...metadataSettings(settings, compilerVersion), compilationTarget: target },
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [
        name,
        entryOf(content, hasLiteralContent, compilerVersion),
      ]),
    ),
    version: 1,
  };
  return sortedJson(whole, compilerVersion);
}

/** The settings as metadata has them: what a compiler fills in by itself stands there, too, and always in the same form. */
export function metadataSettings(
  settings: CompilerSettings,
  compilerVersion: string,
): Record<string, unknown> {
  const { optimizer, remappings } = settings;
  const metadata = asRecord(settings["metadata"]);
  const revertStrings = asRecord(settings["debug"])?.["revertStrings"];
  return {
    evmVersion: targetEvmVersion(settings, solcCode, compilerVersion),
    libraries: metadataLibraries(settings["libraries"]),
    metadata: {
      bytecodeHash: metadata?.["bytecodeHash"] ?? "ipfs",
      ...(metadata?.["useLiteralContent"] === true && { useLiteralContent: true }),
      ...(metadata?.["appendCBOR"] === false && { appendCBOR: false }),
    },
    optimizer: { enabled: optimizer?.enabled === true, runs: optimizer?.runs ?? 200 },
    remappings: [
      ...new Set((asTexts(remappings) ?? []).map((one) => (one.includes(":") ? one : `:${one}`))),
    ].sort(),
    ...(settings["viaIR"] === true && { viaIR: true }),
    ...(settings["experimental"] === true && { experimental: true }),
    ...(typeof revertStrings === "string" && revertStrings !== "default" && { debug: { revertStrings } }),
  };
}

/** `file:Name` → address, as metadata has libraries. */
function metadataLibraries(libraries: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(asRecord(libraries) ?? {}).flatMap(([file, names]) =>
      Object.entries(asRecord(names) ?? {}).map(
        ([name, address]) => [`${file}:${name}`, String(address).toLowerCase()] as const,
      ),
    ),
  );
}

function entryOf(content: string, isLiteral: boolean, compilerVersion: string): MetadataSource {
  const license = /SPDX-License-Identifier:\s*([^\s*/]+(?: [^\s*/]+)*)/.exec(content)?.[1];
  const source = { keccak256: sourceHash(content), ...(license !== undefined && { license }) };
  return isLiteral ? { ...source, content } : asAddresses(source, content, compilerVersion);
}
