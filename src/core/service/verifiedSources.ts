import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { entriesOf, ifReadable, nullable, object, readAs, text } from "../json/shape.ts";

/** The files that a contract was verified with. Their names are the service's: they name nothing on this machine. */
export interface VerifiedSources {
  /** Empty where the service does not tell. */
  readonly contractName: string;
  /** Texts by source unit name: the file of the contract first, the others in the order of the service. */
  readonly files: ReadonlyMap<string, string>;
}

/** The field of a look-up that names the contract. */
export const NAME_FIELD = "compilation.fullyQualifiedName";

/** The fields of a look-up that {@link readVerifiedSources} reads (argotorg/sourcify, services/server/src/apiv2.yaml). */
export const SOURCE_FIELDS = `sources,${NAME_FIELD}`;

const answer = object({
  sources: ifReadable(nullable(entriesOf(object({ content: text() })))),
  compilation: ifReadable(nullable(object({ fullyQualifiedName: ifReadable(text()) }))),
});

/** Reads the answer of a look-up with {@link SOURCE_FIELDS}; a file without a text is left out. */
export function readVerifiedSources(body: unknown): VerifiedSources {
  const { sources, compilation } = readAs(answer, body) ?? {};
  const { file: main, name: contractName } = splitIdentifier(compilation?.fullyQualifiedName ?? "");
  const texts = [...(sources ?? [])].map(([name, { content }]) => [name, content] as const);
  return {
    contractName,
    files: new Map([...texts.filter(([name]) => name === main), ...texts.filter(([name]) => name !== main)]),
  };
}
