import { lastSegment } from "../files/fileReader.ts";

/**
 * The contract's name in that of an artifact: `Vault.json`, or where several compilers built one contract, as Foundry has it,
 * `Vault.0.8.28.json`.
 *
 * @returns `undefined` for what is no JSON
 */
export function nameOfArtifact(path: string): string | undefined {
  return /^(.+?)(?:\.\d+\.\d+\.\d+)?\.json$/.exec(lastSegment(path))?.[1];
}
