import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { soljsonName } from "../../src/core/languages/solidity/solcReleases.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";

/** A file that the server has. */
export interface ListedCompiler {
  /** Such as "0.8.28+commit.7893614a". */
  readonly longVersion: string;
  readonly file: string;
  readonly bytes: number;
  /** Of the file, lower-case hexadecimal. */
  readonly sha256: string;
}

/** A server of the official list's form: `list.json`, and the files beside it. */
export interface CompilerList extends LoopbackServer {
  /** Where the list lies. */
  readonly listUrl: string;
  readonly compilers: readonly ListedCompiler[];
}

/** Answers a request for a file itself where it returns `true`. */
export type Interference = (
  request: IncomingMessage,
  response: ServerResponse,
  compiler: ListedCompiler,
) => boolean;

/** What a server is started with. */
interface CompilerListOptions {
  readonly compilers: readonly ListedCompiler[];
  /** Releases of which the file is changed by one byte, while the list says what it would have to be. */
  readonly wrong?: readonly string[];
  readonly interfere?: Interference;
}

/** Starts a server of compilers that understands ranges. */
export async function startCompilerList({
  compilers,
  wrong = [],
  interfere = () => false,
}: CompilerListOptions): Promise<CompilerList> {
  const byPath = new Map(compilers.map((one) => [`/bin/${soljsonName(one.longVersion)}`, one]));
  const list = JSON.stringify(listOf(compilers), undefined, 2);
  const server = await startServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const compiler = byPath.get(decodeURIComponent(pathname));
    if (pathname === "/bin/list.json")
      response.writeHead(200, { "content-type": "application/json" }).end(list);
    else if (!compiler) response.writeHead(404).end("Not found");
    else if (!interfere(request, response, compiler))
      send(request, response, compiler, wrong.includes(compiler.longVersion));
  });
  return { ...server, listUrl: `${server.url}/bin/list.json`, compilers };
}

/** As ethereum/solc-bin has it, `bin/list.json`. */
function listOf(compilers: readonly ListedCompiler[]) {
  const versionOf = ({ longVersion }: ListedCompiler) => longVersion.split("+")[0] ?? "";
  const builds = compilers.map((one) => ({
    path: soljsonName(one.longVersion),
    version: versionOf(one),
    build: one.longVersion.split("+")[1],
    longVersion: one.longVersion,
    sha256: `0x${one.sha256}`,
    urls: [],
  }));
  const newestFirst = [...builds].reverse();
  return {
    builds,
    releases: Object.fromEntries(newestFirst.map(({ version, path }) => [version, path])),
    latestRelease: newestFirst[0]?.version,
  };
}

function send(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  { file, bytes }: ListedCompiler,
  isWrong: boolean,
): void {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
  const common = { "content-type": "application/javascript", "accept-ranges": "bytes" };
  if (start >= bytes) {
    response.writeHead(416, { ...common, "content-range": `bytes */${bytes}` }).end();
    return;
  }
  response.writeHead(headers.range === undefined ? 200 : 206, {
    ...common,
    "content-length": bytes - start,
    ...(headers.range !== undefined && { "content-range": `bytes ${start}-${bytes - 1}/${bytes}` }),
  });
  if (method === "HEAD") {
    response.end();
    return;
  }
  const stream = createReadStream(file, { start });
  let at = start;
  stream.on("data", (chunk) => {
    const sent = Buffer.from(chunk);
    at += sent.length;
    // The last byte is another one: everything before it is what was released.
    if (isWrong && at === bytes) sent.writeUInt8(sent.readUInt8(sent.length - 1) ^ 1, sent.length - 1);
    if (!response.write(sent)) stream.pause();
  });
  response.on("drain", () => stream.resume());
  response.on("close", () => stream.destroy());
  stream.on("end", () => response.end());
}
