import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { CompilerInput } from "../../src/core/sources/standardJsonInput.ts";
import { completeSolcVersion } from "../../src/core/languages/solidity/solcReleases.ts";
import { SolidityCompilers, type CompilerOutput } from "../sandbox/solidityCompilers.ts";

/** Programs that answer like `solc`, and hand what they are given to the npm releases of solc in this process. */
export interface CompilerPrograms {
  /** The path of the program for a short version that is installed. */
  readonly program: (version: string) => string;
  readonly compilers: SolidityCompilers;
  stop(): Promise<void>;
}

/**
 * Build tools want to download compilers of their own; a configured path to one of these programs keeps them to
 * those that are installed, each loaded once however many builds there are.
 *
 * @param packages The `soljson.js` of each short version; those of the repository unless said.
 */
export async function startCompilerPrograms(
  packages?: ReadonlyMap<string, string>,
): Promise<CompilerPrograms> {
  const compilers = new SolidityCompilers(packages);
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-solc-"));
  const socket = join(folder, "solc.sock");
  const server = createServer({ allowHalfOpen: true }, (client) => void answer(client));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  server.unref();

  async function answer(client: Socket): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of client) chunks.push(chunk as Buffer);
    const { version, args, cwd, input } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
    client.end(
      JSON.stringify(
        await compileReadingFiles(compilers, version, JSON.parse(input) as SolcInput, args, cwd),
      ),
    );
  }

  return {
    compilers,
    program(version) {
      const path = join(folder, `solc-${version}`);
      writeFileSync(
        path,
        `#!${process.execPath}
const { connect } = require("node:net");
if (process.argv.includes("--version")) {
  console.log("solc, the solidity compiler commandline interface\\nVersion: ${completeSolcVersion(version)}.Linux.g++");
} else {
  const client = connect(${JSON.stringify(socket)});
  let input = "";
  process.stdin.on("data", (chunk) => (input += chunk));
  process.stdin.on("end", () => {
    client.end(JSON.stringify({ version: "${version}", args: process.argv.slice(2), cwd: process.cwd(), input }));
  });
  client.pipe(process.stdout);
}
`,
      );
      chmodSync(path, 0o755);
      return path;
    },
    async stop() {
      server.close();
      await compilers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface SolcInput {
  readonly sources: Record<string, { content: string }>;
}

interface Request {
  readonly version: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input: string;
}

/**
 * Compiles as the native program does, which reads from the folders of `--base-path` and `--include-path` what an
 * import asks for and the input does not have (ethereum/solidity, docs/path-resolution.rst).
 */
async function compileReadingFiles(
  compilers: SolidityCompilers,
  version: string,
  input: SolcInput,
  args: readonly string[],
  cwd: string,
): Promise<CompilerOutput | undefined> {
  const folders = args.flatMap((arg, at) =>
    at > 0 && /^--(?:base|include)-path$/.test(args[at - 1] ?? "") ? [resolve(cwd, arg)] : [],
  );
  for (;;) {
    const output = await compilers.compile(version, input);
    let read = 0;
    for (const { message } of output?.errors ?? []) {
      const name = /^Source "([^"]+)" not found/.exec(message)?.[1];
      const path = folders.map((folder) => resolve(folder, name ?? "")).find((one) => existsSync(one));
      if (name === undefined || path === undefined || Object.hasOwn(input.sources, name)) continue;
      input.sources[name] = { content: readFileSync(path, "utf8") };
      read++;
    }
    if (read === 0) return output;
  }
}

/** The metadata that the compiler of an input writes for its contract. */
export async function metadataOf(
  { compilers }: CompilerPrograms,
  { compilerVersion, stdJsonInput, contractIdentifier }: CompilerInput,
): Promise<string | undefined> {
  // Without code the compiler only analyses, which is enough for the metadata.
  const settings = { ...stdJsonInput.settings, outputSelection: { "*": { "*": ["metadata"] } } };
  const output = await compilers.compile(compilerVersion, { ...stdJsonInput, settings });
  const colon = contractIdentifier.lastIndexOf(":");
  return output?.contracts?.[contractIdentifier.slice(0, colon)]?.[contractIdentifier.slice(colon + 1)]
    ?.metadata;
}
