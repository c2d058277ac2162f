import { VYPER_SINCE } from "../languages/vyper/vyperCode.ts";
import { atLeast } from "../versions.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { asText, field } from "../json/looseData.ts";

/**
 * An input in the form in which the service takes it. Since June 2026 it refuses every part that it does not keep, of
 * which Vyper has two (argotorg/sourcify pull request 2823): `integrity`, a checksum that changes nothing in the code,
 * and `interfaces`, whose texts a modular Vyper (0.4.0 and newer) reads just as well among the sources, with the same
 * code and metadata hash. Earlier releases and interfaces without a text keep theirs, and the service says so.
 */
export function acceptedInput(input: StandardJsonInput, compilerVersion: string): StandardJsonInput {
  // Only Vyper has them.
  if (input.interfaces === undefined && input.integrity === undefined) return input;
  const isModular = atLeast(compilerVersion, VYPER_SINCE.modules);
  const interfaces = Object.entries(input.interfaces ?? {});
  const texts = isModular
    ? interfaces.flatMap(([name, value]) => {
        const content = asText(field(value, "content"));
        return content && !Object.hasOwn(input.sources, name) ? [[name, { content }] as const] : [];
      })
    : [];
  const moved = new Set(texts.map(([name]) => name));
  const others = interfaces.filter(([name]) => !moved.has(name));
  const kept = Object.entries(input).filter(([part]) => part !== "integrity" && part !== "interfaces");
  return {
    ...(Object.fromEntries(kept) as unknown as StandardJsonInput),
    sources: Object.fromEntries([...Object.entries(input.sources), ...texts]),
    ...(others.length > 0 && { interfaces: Object.fromEntries(others) }),
  };
}
