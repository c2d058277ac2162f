import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../src/core/languages/solidity/solidityPragma.ts";
import {
  scanSolidity,
  scanSolidityDirectives,
  type SolidityDirectives,
} from "../../src/core/languages/solidity/solidityScanner.ts";
import { resolveImportPath } from "../../src/core/sources/sourceUnitName.ts";
import { inPool } from "../../src/core/concurrency/inPool.ts";
import { proofSize } from "../rig/proofSize.ts";
import { random } from "../unit/random.ts";
import { oraclePackages } from "./oraclePackages.ts";
import { solcPackages, SolcThreads } from "./solcPackages.ts";

/** Where the libraries lie; what they bring along is read, too. */
const SCOPES = ["@openzeppelin", "@uniswap", "solady", "@aave", "@chainlink"];

/** Deeper than any `../` of these libraries climbs, so that what is imported has a name of its own. */
const FOLDERS = "a/b/c/d/e/f/g/h/i/j";

/** solc stops at 256 errors, and every import is one here. */
const MAX_IMPORTS = 200;
const MAX_FILES = 100;
/** An AST has about twenty times the bytes of its source. */
const MAX_AST_CHARACTERS = 400_000;
/** Files of which solc reads the imports, and of which it writes the AST, beside those that have the words elsewhere. */
const PLAIN_FILES = proofSize({ sample: 150, whole: Infinity });
const PLAIN_ASTS = proofSize({ sample: 24, whole: 150 });
/** Compilers at work at once. */
const THREADS = 2;

interface SourceFile {
  /** Below `node_modules`. */
  readonly path: string;
  readonly text: string;
  readonly scanned: SolidityDirectives;
}

interface AnalyzerResult {
  readonly imports: readonly string[];
  readonly versionPragmas: readonly string[];
}

interface ParsedNode {
  readonly nodeType: string;
  /** `start:length:source`, in bytes of UTF-8. */
  readonly src: string;
  readonly file?: string;
  readonly literals?: readonly string[];
}

/** What standard JSON output says of a parser's work. */
interface ParserOutput {
  readonly errors?: readonly {
    readonly severity: string;
    readonly message: string;
    readonly sourceLocation?: { readonly file: string; readonly start: number; readonly end: number };
  }[];
  readonly sources?: Readonly<Record<string, { readonly ast?: { readonly nodes: readonly ParsedNode[] } }>>;
}

describe("Reading imports and pragmas of the libraries that people use", () => {
  let packages = "";
  let files: readonly SourceFile[] = [];
  let compilers: ReadonlyMap<string, string> = new Map();
  let threads = new SolcThreads(compilers);

  before(async () => {
    packages = await oraclePackages();
    compilers = solcPackages(packages);
    threads = new SolcThreads(compilers);
    files = readFiles(packages);
    assert.ok(files.length > 1_000, `only ${files.length} files were found`);
    console.log(`${count(files.length, "different file")} of ${SCOPES.join(", ")}`);
  });

  after(() => threads.stop());

  it("gives the same with and without the definitions", () => {
    for (const { path, text, scanned } of files) {
      const { imports, versionPragmas } = scanSolidity(text);
      assert.deepEqual(imports, scanned.imports, path);
      assert.deepEqual(versionPragmas, scanned.versionPragmas, path);
    }
  });

  it("gives what Hardhat's analyzer gives", () => {
    const { analyze } = createRequire(join(packages, "package.json"))(
      "@nomicfoundation/solidity-analyzer",
    ) as { readonly analyze: (text: string) => AnalyzerResult };
    const differing = files.filter(({ text, scanned }) => {
      const { imports, versionPragmas } = analyze(text);
      return (
        !isEqual(
          imports,
          scanned.imports.map(({ path }) => path),
        ) ||
        !isEqual(
          versionPragmas,
          scanned.versionPragmas.map(({ expression }) => expression),
        )
      );
    });
    console.log(`${count(differing.length, "file")} on which the analyzer differs`);
    assert.deepEqual(
      differing.map(({ path }) => path),
      [],
    );
  });

  it("gives every import where solc's parser finds it, under the name that solc asks for", async () => {
    const chosen = chosenFiles(files, PLAIN_FILES, "files whose imports solc reads");
    const { byVersion, widened } = bySolc(chosen, [...compilers.keys()]);
    const unparsed: string[] = [];
    let imports = 0;
    await inPool([...byVersion], THREADS, async ([version, group]) => {
      const named = new Map(group.map((file, at) => [`${at}/${FOLDERS}/source.sol`, file]));
      const batches = inBatches([...named.keys()], (names) => {
        const batch = names.map((name) => named.get(name)?.scanned.imports.length ?? 0);
        return batch.length <= MAX_FILES && batch.reduce((sum, one) => sum + one, 0) <= MAX_IMPORTS;
      });
      const found = new Map<string, { name: string; start: number; end: number }[]>();
      for (const names of batches) {
        const { errors = [] } = await parse(threads, version, named, names, { outputSelection: {} });
        for (const { severity, message, sourceLocation } of errors) {
          if (severity !== "error") continue;
          const name = /^Source "(.*)" not found/.exec(message)?.[1];
          const { file = "", start = 0, end = 0 } = sourceLocation ?? {};
          if (name === undefined) unparsed.push(`${named.get(file)?.path ?? file}: ${message}`);
          else found.set(file, [...(found.get(file) ?? []), { name, start, end }]);
        }
      }
      for (const [unit, { path, text, scanned }] of named) {
        const expected = found.get(unit) ?? [];
        assert.deepEqual(
          scanned.imports.map((one) => resolveImportPath(one.path, unit)),
          expected.map(({ name }) => name),
          path,
        );
        for (const [at, { start }] of scanned.imports.entries()) {
          const bytes = Buffer.byteLength(text.slice(0, start));
          const directive = expected[at];
          assert.ok(directive && directive.start < bytes && bytes < directive.end, path);
        }
        imports += expected.length;
      }
    });
    console.log(
      `${count(imports, "import")}; exception: ${count(widened, "file")} for exact versions that are not installed, read by another solc with the version pragma replaced by *`,
    );
    assert.deepEqual(unparsed, []);
  });

  it("gives the imports and pragmas of solc's AST, above all where comments and strings have the words", async () => {
    // Writing an AST takes seven times as long as parsing.
    const chosen = chosenFiles(files, PLAIN_ASTS, "files whose AST is compared");
    const decoys = chosen.filter(hasDecoys);
    const { byVersion } = bySolc(chosen, [...compilers.keys()]);
    let asked = 0;
    await inPool([...byVersion], THREADS, async ([version, group]) => {
      const named = new Map(group.map((file, at) => [`${at}.sol`, file]));
      const batches = inBatches([...named.keys()], (names) => {
        const characters = names.map((name) => named.get(name)?.text.length ?? 0);
        return names.length === 1 || characters.reduce((sum, one) => sum + one, 0) <= MAX_AST_CHARACTERS;
      });
      const settings = { stopAfter: "parsing", outputSelection: { "*": { "": ["ast"] } } };
      const outputs: ParserOutput[] = [];
      for (const names of batches) outputs.push(await parse(threads, version, named, names, settings));
      for (const [unit, { path, scanned }] of named) {
        const nodes = outputs.find(({ sources }) => sources?.[unit])?.sources?.[unit]?.ast?.nodes;
        assert.ok(nodes, `${path}: solc gave no AST`);
        assert.deepEqual(
          scanned.imports.map((one) => one.path),
          nodes.flatMap(({ nodeType, file }) => (nodeType === "ImportDirective" ? [file] : [])),
          path,
        );
        const pragmas = nodes.flatMap(({ nodeType, literals = [] }) =>
          nodeType === "PragmaDirective" && literals[0] === "solidity" ? [literals.slice(1).join("")] : [],
        );
        assert.deepEqual(
          scanned.versionPragmas.map(({ expression }) => expression.replace(/\s+/g, "")),
          pragmas,
          path,
        );
        asked++;
      }
    });
    console.log(
      `${count(asked, "AST")} compared, ${count(decoys.length, "file")} with such words among them`,
    );
    assert.ok(asked >= PLAIN_ASTS && decoys.length > 0);
  });
});

/** The files that have the words elsewhere, and so many of all, which are drawn. */
function chosenFiles(files: readonly SourceFile[], count: number, name: string): SourceFile[] {
  const { next } = random(name);
  const drawn = files
    .map((file) => ({ file, order: next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ file }) => file);
  return [...new Set([...files.filter(hasDecoys), ...drawn])];
}

/** Every file of different content. */
function readFiles(packages: string): SourceFile[] {
  const folder = join(packages, "node_modules");
  const byText = new Map<string, string>();
  for (const scope of SCOPES) {
    for (const entry of globSync(`${scope}/**/*.sol`, { cwd: folder, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, "utf8");
      if (!byText.has(text)) byText.set(text, path.slice(folder.length + 1));
    }
  }
  return [...byText].map(([text, path]) => ({ path, text, scanned: scanSolidityDirectives(text) }));
}

/**
 * The files by the newest solc at hand that their pragmas allow. Where they allow none, the newest one takes the file
 * with other pragmas of the same length; `widened` is the number of such files.
 */
function bySolc(files: readonly SourceFile[], compilers: readonly string[]) {
  const versions = [...compilers].sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const [newest = ""] = versions;
  const byVersion = new Map<string, SourceFile[]>();
  let widened = 0;
  for (const file of files) {
    const expressions = file.scanned.versionPragmas.map((one) =>
      parseSolidityVersionExpression(one.expression),
    );
    const allowed = versions.find((one) =>
      expressions.every((expression) => expression && satisfiesSolidity(one, expression)),
    );
    if (allowed === undefined) widened++;
    const version = allowed ?? newest;
    const parsed = allowed === undefined ? widen(file) : file;
    byVersion.set(version, [...(byVersion.get(version) ?? []), parsed]);
  }
  return { byVersion, widened };
}

function widen({ path, text }: SourceFile): SourceFile {
  const widened = scanSolidityDirectives(text).versionPragmas.reduce(
    (all, { start, expression }) =>
      all.slice(0, start) + "*".padEnd(expression.length) + all.slice(start + expression.length),
    text,
  );
  return { path, text: widened, scanned: scanSolidityDirectives(widened) };
}

/** What solc makes of some of the files, whose imports it does not find. */
async function parse(
  threads: SolcThreads,
  version: string,
  named: ReadonlyMap<string, SourceFile>,
  names: readonly string[],
  settings: unknown,
): Promise<ParserOutput> {
  const sources = Object.fromEntries(names.map((name) => [name, { content: named.get(name)?.text ?? "" }]));
  return threads.compile(version, { input: { language: "Solidity", sources, settings }, lookIn: [] });
}

/** Cuts a list where the part so far with the next item would not fit. */
function inBatches(items: readonly string[], fits: (batch: readonly string[]) => boolean): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  for (const item of items) {
    if (batch.length > 0 && !fits([...batch, item])) {
      batches.push(batch);
      batch = [];
    }
    batch.push(item);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/** True where the words stand more often than there are directives. */
function hasDecoys({ text, scanned }: SourceFile): boolean {
  const pragmas = text.match(/\bpragma\s+solidity\b/g)?.length ?? 0;
  const words = text.match(/\b(?:import|pragma)\b/g)?.length ?? 0;
  const others = text.match(/^pragma (?:abicoder|experimental)\b/gm)?.length ?? 0;
  return (
    pragmas !== scanned.versionPragmas.length ||
    words !== scanned.imports.length + scanned.versionPragmas.length + others
  );
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
