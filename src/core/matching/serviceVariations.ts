import { t } from "@vscode/l10n";

/** One try of the service: contents by source unit name, and what was done to them. */
interface ServiceTry {
  readonly contents: Readonly<Record<string, string>>;
  /** As the end of a sentence: "with Unix line endings (LF) and one at the end". */
  readonly description: string;
}

const lineEndings: readonly (readonly [name: string, apply: (content: string) => string])[] = [
  [t`Windows line endings (CRLF)`, (content) => content.replace(/\r?\n/g, "\r\n")],
  [t`Unix line endings (LF)`, (content) => content.replace(/\r\n/g, "\n")],
];
const ends: readonly (readonly [name: string, apply: (content: string) => string])[] = [
  [t`none at the end`, (content) => content.trimEnd()],
  [t`one at the end`, (content) => `${content.trimEnd()}\n`],
  [t`a Windows one at the end`, (content) => `${content.trimEnd()}\r\n`],
  [t`one more at the end`, (content) => `${content}\n`],
  [t`one more, of Windows, at the end`, (content) => `${content}\r\n`],
];

/**
 * What the service tries by itself when the metadata hash differs, in its order (argotorg/sourcify, lib-sourcify,
 * `variationsUtils.ts` and `SolidityMetadataContract.ts`, `tryToFindPerfectMetadata`): ten spellings of every file.
 * A text that several spellings or several files come to counts for the last of them only, and a file that a spelling
 * leaves out stays out of all that follow, so files of different spellings are often not found.
 *
 * @param sources the submitted contents in the order of the metadata's sources
 */
export function serviceTries(sources: Readonly<Record<string, string>>): ServiceTry[] {
  const byContent = new Map<string, { name: string; variation: string; description: string }>();
  for (const [name, content] of Object.entries(sources))
    lineEndings.forEach(([style, withStyle], first) => {
      ends.forEach(([end, withEnd], second) => {
        byContent.set(withEnd(withStyle(content)), {
          name,
          variation: `${first}.${second}`,
          description: t`with ${style} and ${end}`,
        });
      });
    });
  const tries = new Map<string, { contents: Map<string, string>; description: string }>();
  for (const [content, { name, variation, description }] of byContent) {
    const known = tries.get(variation);
    if (known) known.contents.set(name, content);
    else tries.set(variation, { contents: new Map([[name, content]]), description });
  }
  let left = new Set(Object.keys(sources));
  return [...tries.values()].map(({ contents, description }) => {
    const kept = Object.fromEntries([...contents].filter(([name]) => left.has(name)));
    left = new Set(Object.keys(kept));
    return { contents: kept, description };
  });
}

/** An object with the keys of every object in it in the order that the service writes metadata. */
export function inServiceOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b, "en"))
      .map(([key, member]) => [key, inServiceOrder(member)]),
  );
}
