import { asRecord, asText, field, fieldAt, parseJson } from "../json/looseData.ts";
import type { LooseObject } from "../json/shape.ts";

/** The metadata in the compiler's output or in an artifact, byte for byte as solc wrote it. */
export function writtenMetadata(output: unknown): string | undefined {
  return asText(field(output, "rawMetadata")) ?? asText(field(output, "metadata"));
}

/**
 * The same as data. Foundry's artifacts hold it both ways: the object there has only what forge knows of, so that the text
 * counts.
 */
export function metadataOf(output: unknown): LooseObject | undefined {
  return asRecord(parseJson(writtenMetadata(output) ?? "")) ?? asRecord(field(output, "metadata"));
}

/** Which contract an artifact's metadata is of. What Foundry has as an object need not be read from text for that. */
export function compilationTarget(
  output: unknown,
): { readonly source: string; readonly name: string } | undefined {
  const metadata = asRecord(field(output, "metadata")) ?? metadataOf(output);
  const [entry] = Object.entries(asRecord(fieldAt(metadata, "settings", "compilationTarget")) ?? {});
  return entry && typeof entry[1] === "string" ? { source: entry[0], name: entry[1] } : undefined;
}
