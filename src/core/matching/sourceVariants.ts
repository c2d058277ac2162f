import { t } from "@vscode/l10n";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { atLeast } from "../versions.ts";
import { ipfsCid } from "../evm/ipfsHash.ts";
import { swarmHash0, swarmHash1 } from "../evm/swarmHash.ts";
import type { MetadataSource } from "./compilerMetadata.ts";

/** Another way to write the same text. */
export interface SourceVariant {
  /** What was done, as the end of a sentence: "with Windows line endings (CRLF)". */
  readonly description: string;
  readonly apply: (content: string) => string;
}

const lf = (content: string) => content.replaceAll("\r\n", "\n");
const crlf = (content: string) => lf(content).replaceAll("\n", "\r\n");
const END = /\s+$/;

/** The ways in which editors, version control and build tools rewrite a file, the commonest first. */
export const sourceVariants: readonly SourceVariant[] = [
  { description: t`with Unix line endings (LF)`, apply: lf },
  { description: t`with Windows line endings (CRLF)`, apply: crlf },
  {
    description: t`with Unix line endings (LF) and one at the end`,
    apply: (content) => `${lf(content).replace(END, "")}\n`,
  },
  {
    description: t`with Windows line endings (CRLF) and one at the end`,
    apply: (content) => `${crlf(content).replace(END, "")}\r\n`,
  },
  {
    description: t`with Unix line endings (LF) and none at the end`,
    apply: (content) => lf(content).replace(END, ""),
  },
  {
    description: t`with Windows line endings (CRLF) and none at the end`,
    apply: (content) => crlf(content).replace(END, ""),
  },
  {
    description: t`with Unix line endings (LF) and one more at the end`,
    apply: (content) => `${lf(content)}\n`,
  },
  {
    description: t`with Windows line endings (CRLF) and one more at the end`,
    apply: (content) => `${crlf(content)}\r\n`,
  },
  {
    description: t`without spaces at the ends of lines`,
    apply: (content) => content.replace(/[ \t]+(?=\r?\n|$)/g, ""),
  },
  // solc refuses a byte-order mark, so no deployed build has one.
  {
    description: t`without a byte-order mark`,
    apply: (content) => content.replace(/^\ufeff/, ""),
  },
];

/** Keccak-256 of a source as metadata has it, `0x` and 64 digits. */
export function sourceHash(content: string): string {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(content)))}`;
}

/** What metadata says of a content without the content itself. */
export type ContentHashes = Pick<MetadataSource, "keccak256" | "urls">;

/** The hashes of another content of a source, in the schemes of its entry. */
export function contentHashes({ urls }: MetadataSource, content: string): ContentHashes {
  const bytes = utf8ToBytes(content);
  return {
    keccak256: `0x${bytesToHex(keccak_256(bytes))}`,
    ...(urls && { urls: urls.map((url) => urlOf(url, bytes)) }),
  };
}

/** The entry that metadata would have for another content of a source. */
export function withContent(
  source: MetadataSource,
  content: string,
  hashes = contentHashes(source, content),
): MetadataSource {
  return { ...source, ...hashes, ...(source.content !== undefined && { content }) };
}

/** The entry with the content in the place of its addresses. */
export function asLiteral(
  { urls: _urls, ...source }: MetadataSource,
  content: string | undefined,
): MetadataSource {
  return content === undefined ? source : { ...source, content };
}

/**
 * The entry with addresses in the place of the content, in the schemes of a release: one of Swarm alone until 0.5.8, one
 * of IPFS beside it since 0.5.9, that of Swarm by its newer hash since 0.5.12.
 */
export function asAddresses(
  { content, ...source }: MetadataSource,
  known: string | undefined,
  compilerVersion: string,
): MetadataSource {
  const bytes = utf8ToBytes(content ?? known ?? "");
  const isFrom = (release: string) => atLeast(compilerVersion, release);
  return {
    ...source,
    urls: [
      isFrom("0.5.12")
        ? `bzz-raw://${bytesToHex(swarmHash1(bytes))}`
        : `bzzr://${bytesToHex(swarmHash0(bytes))}`,
      ...(isFrom("0.5.9") ? [`dweb:/ipfs/${ipfsCid(bytes)}`] : []),
    ],
  };
}

/** The address of a content in the scheme of another one. */
function urlOf(url: string, bytes: Uint8Array): string {
  if (url.startsWith("dweb:/ipfs/")) return `dweb:/ipfs/${ipfsCid(bytes)}`;
  if (url.startsWith("bzz-raw://")) return `bzz-raw://${bytesToHex(swarmHash1(bytes))}`;
  if (url.startsWith("bzzr://")) return `bzzr://${bytesToHex(swarmHash0(bytes))}`;
  return url;
}
