import { VYPER_SINCE } from "./vyperCode.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import type { AdmittedSource, AdmittedSources } from "../../sources/admittedSources.ts";
import { joinPath, lastSegment, parentFolder, relativePath } from "../../files/fileReader.ts";
import { atLeast } from "../../versions.ts";
import { definedOnly, asItems, field, parseJson } from "../../json/looseData.ts";
import { inputFileOf } from "../../sources/inputFile.ts";
import { computedFindings, type InputFinding } from "../../sources/inputFinding.ts";
import { UnresolvedImportError, type UnresolvedImport } from "../solidity/solidityClosure.ts";
import { shapedSettings } from "../settingsShape.ts";
import { VYPER_SETTINGS } from "./vyperSettings.ts";
import { decodeSource, hasByteOrderMark } from "../../sources/sourceText.ts";
import type { CompilerInput, CompilerSettings, StandardJsonInput } from "../../sources/standardJsonInput.ts";
import type {
  CompilerRequirement,
  CompilationContext,
  LanguageOptions,
  SearchPath,
} from "../compilationContext.ts";
import { chooseVyper } from "./vyperChoice.ts";
import { scanVyper, type VyperImport, type VyperOutline } from "./vyperScanner.ts";
import { installedVyper } from "./sitePackages.ts";

/** One file of a Vyper compilation. */
interface VyperUnit {
  /** Its name in the input. */
  readonly name: string;
  readonly path: string;
  readonly source: AdmittedSource;
  readonly content: string;
  readonly hadByteOrderMark: boolean;
  readonly outline: VyperOutline;
  /** The file begins the compilation or is a module; else it serves as an interface. */
  readonly role: "source" | "interface";
}

/** Which rules a compiler finds imports by. */
interface Rules {
  /** Modules may be imported, not interfaces alone (0.4.0). */
  readonly hasModules: boolean;
  /** An absolute import is looked up beside the importing file first (0.4.0 only). */
  readonly looksBesideImporter: boolean;
  readonly isBuiltIn: (imported: VyperImport) => boolean;
}

function rulesOf(version: string): Rules {
  const hasModules = atLeast(version, VYPER_SINCE.modules);
  const hasMath = atLeast(version, "0.4.2");
  return {
    hasModules,
    looksBesideImporter: hasModules && !atLeast(version, "0.4.1"),
    isBuiltIn: ({ level, module, from }) =>
      level === 0 &&
      (hasModules
        ? module.startsWith("ethereum.ercs") || (hasMath && module.startsWith("math"))
        : from === "vyper.interfaces"),
  };
}

/**
 * The input of a Vyper contract: its modules and interfaces found as the compiler finds them in the project
 * (vyper/semantics/analysis/imports.py, vyper/cli/vyper_json.py at the tags), with the site-packages of the
 * project's virtual environment among the search paths.
 *
 * @throws LedgerLensError `contract_not_found`, `no_compiler`, `import_not_found`, `source_not_utf8`.
 */
export async function vyperContractInput(context: CompilationContext): Promise<CompilerInput> {
  const { files, root, sources, contract, options } = context;
  const stem = lastSegment(contract.path).replace(/\.vy$/, "");
  if (contract.contractName !== stem) {
    throw new LedgerLensError(
      "contract_not_found",
      t`${relativePath(contract.path, root) ?? contract.path} has no contract ${contract.contractName}. A Vyper contract has the name of its file: ${stem}.`,
    );
  }
  const configured = await context.configured();
  const searchPaths = await context.searchPaths();
  const evidence = {
    given: options.compilerVersion,
    configured: configured.version,
    deployed: options.deployedCompilerVersion,
    installed: await installedVyper(files, searchPaths),
  };
  const choose = (some: readonly VyperUnit[]) =>
    chooseVyper(some.flatMap(versionPragmas), evidence, options.releases.vyper);
  const entry = unitOf(relativePath(contract.path, root) ?? contract.path, contract.source, "source");
  // Which files there are depends on the compiler, and which compiler on the pragmas of the files.
  let compiler = choose([entry]);
  let units = await vyperClosure(sources, searchPaths, entry, rulesOf(compiler.version), root);
  const again = choose(units);
  if (again.version !== compiler.version) {
    units = await vyperClosure(sources, searchPaths, entry, rulesOf(again.version), root);
  }
  compiler = again;
  const pragmas = new Set(entry.outline.pragmas.map(({ name }) => name));
  // What a pragma of the file says must not be said again: the compiler takes it for a contradiction.
  const fallback = configured.isSaid ? { settings: {}, problems: [] } : fallbackSettings(options);
  const {
    evmVersion,
    ["optimize"]: optimize,
    ["enable_decimals"]: decimals,
    ["experimentalCodegen"]: experimentalCodegen,
  } = { ...configured.settings, ...configured.settingsFor?.(compiler.version) };
  const said = {
    ...fallback.settings,
    ...definedOnly({ evmVersion, optimize, enable_decimals: decimals, experimentalCodegen }),
  };
  const { hasModules } = rulesOf(compiler.version);
  const settings: CompilerSettings = {
    ...Object.fromEntries(
      Object.entries(said).filter(
        ([name]) => !pragmas.has(PRAGMA_OF.get(name) ?? "") && (name !== "enable_decimals" || hasModules),
      ),
    ),
    ...(hasModules && { search_paths: searchPathNames(searchPaths, units) }),
    outputSelection: { [entry.name]: ["*"] },
  };
  const marked = units.filter(({ hadByteOrderMark }) => hadByteOrderMark);
  const findings: InputFinding[] = [
    ...configured.findings.filter(
      ({ code }) => code !== "default_settings" || !pragmas.has(PRAGMA_OF.get("evmVersion") ?? ""),
    ),
    ...computedFindings(fallback.problems),
    ...compiler.findings,
    ...marked.map(({ name, path }): InputFinding => ({
      code: "byte_order_mark",
      severity: "warning",
      sentence: t`${name} begins with a byte-order mark, which is left out.`,
      path,
    })),
  ];
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier: `${entry.name}:${stem}`,
    stdJsonInput: vyperInput(units, settings, compiler.version),
    source: "derived",
    files: units.map(({ name, source, content }) => inputFileOf(name, source, Buffer.byteLength(content))),
    findings,
    warnings: [],
    project: root,
    changedSinceBuild: [],
  };
}

/** The settings that a folder without a configuration may have, each with the pragma that says the same. */
const PRAGMA_OF: ReadonlyMap<string, string> = new Map([
  ["evmVersion", "evm-version"],
  ["optimize", "optimize"],
  ["enable_decimals", "enable-decimals"],
  ["experimentalCodegen", "experimental-codegen"],
  ["venomExperimental", "experimental-codegen"],
  ["bytecodeMetadata", ""],
]);

/** What is set for folders that can't say any; what only solc reads of it is left out. */
function fallbackSettings({ defaultSettings = {} }: LanguageOptions): ReturnType<typeof shapedSettings> {
  const own = Object.fromEntries(Object.entries(defaultSettings).filter(([name]) => PRAGMA_OF.has(name)));
  return shapedSettings(own, "ledgerLens.compilerSettings", VYPER_SETTINGS);
}

function vyperInput(
  units: readonly VyperUnit[],
  settings: CompilerSettings,
  version: string,
): StandardJsonInput {
  const sorted = units.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isModular = atLeast(version, VYPER_SINCE.modules);
  const sources = sorted.filter(({ role }) => role === "source");
  const interfaces = sorted.filter(({ role }) => role === "interface");
  return {
    language: "Vyper",
    sources: Object.fromEntries(sources.map(({ name, content }) => [name, { content }])),
    ...(interfaces.length > 0 && {
      interfaces: Object.fromEntries(
        interfaces.map(({ name, content }) => [
          name,
          // The compiler's checksum over the sources is taken from a file's very text.
          !isModular && name.endsWith(".json") ? { abi: abiOf(content) } : { content },
        ]),
      ),
    }),
    settings,
  };
}

function abiOf(text: string): readonly unknown[] {
  const json = parseJson(text);
  return asItems(Array.isArray(json) ? json : field(json, "abi"));
}

/** Everything that the file needs, itself first. */
async function vyperClosure(
  sources: AdmittedSources,
  searchPaths: readonly SearchPath[],
  entry: VyperUnit,
  rules: Rules,
  root: string,
): Promise<VyperUnit[]> {
  const units = new Map([[entry.path, entry]]);
  const unresolved: UnresolvedImport[] = [];
  for (const unit of units.values()) {
    // Before 0.4 an interface's own imports are not followed.
    if (unit.path.endsWith(".json") || (!rules.hasModules && unit !== entry)) continue;
    for (const imported of unit.outline.imports) {
      if (rules.isBuiltIn(imported)) continue;
      const found = await findModule(sources, searchPaths, entry, unit, imported, rules, root);
      if ("unit" in found) {
        if (!units.has(found.unit.path)) units.set(found.unit.path, found.unit);
      } else {
        unresolved.push({
          importer: unit.path,
          line: imported.line,
          importPath: `${".".repeat(imported.level)}${imported.module}`,
          name: imported.module,
          ...found,
        });
      }
    }
  }
  const [first, ...others] = unresolved;
  if (first) throw new UnresolvedImportError([first, ...others], root);
  return [...units.values()];
}

async function findModule(
  sources: AdmittedSources,
  searchPaths: readonly SearchPath[],
  entry: VyperUnit,
  importer: VyperUnit,
  { level, module }: VyperImport,
  rules: Rules,
  root: string,
): Promise<{ unit: VyperUnit } | { lookedIn: readonly string[]; forbidden?: string }> {
  const relative = module.replaceAll(".", "/");
  const beside = (unit: VyperUnit, up: number): SearchPath => {
    let folder = parentFolder(unit.path);
    let name = unit.name.includes("/") ? unit.name.slice(0, unit.name.lastIndexOf("/")) : "";
    for (let at = 0; at < up; at++) {
      folder = parentFolder(folder);
      name = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
    }
    return { folder, name };
  };
  // The last search path goes first, and before them all the folder of the file that is compiled.
  const places =
    level > 0
      ? [beside(importer, level - 1)]
      : rules.hasModules
        ? [
            ...(rules.looksBesideImporter ? [beside(importer, 0)] : []),
            beside(entry, 0),
            ...searchPaths.toReversed(),
          ]
        : [beside(importer, 0), { folder: root, name: "" }];
  // Before 0.4 a place counts before a kind of file, from then on a kind before a place.
  const kinds = rules.hasModules ? [".vy", ".vyi", ".json"] : [".vy", ".json"];
  const candidates = rules.hasModules
    ? kinds.flatMap((suffix) => places.map((place) => ({ ...place, suffix })))
    : places.flatMap((place) => kinds.map((suffix) => ({ ...place, suffix })));
  const lookedIn: string[] = [];
  for (const { folder, name, suffix } of candidates) {
    const path = joinPath(folder, `${relative}${suffix}`);
    const found = await sources.at(path);
    if (found && "forbidden" in found) return { lookedIn: [], forbidden: found.forbidden };
    if (found) {
      const role = suffix === ".json" || !rules.hasModules ? "interface" : "source";
      const inside = relativePath(path, root);
      const full = inside ?? (name === "" ? `${relative}${suffix}` : `${name}/${relative}${suffix}`);
      return { unit: unitOf(full, found, role) };
    }
    lookedIn.push(path);
  }
  return { lookedIn };
}

function unitOf(name: string, source: AdmittedSource, role: VyperUnit["role"]): VyperUnit {
  const { path, bytes } = source;
  // The compiler reads files as Python reads text, and takes its checksum from what it read.
  const content = decodeSource(path, bytes).replace(/\r\n?/g, "\n");
  const outline = path.endsWith(".json")
    ? { imports: [], pragmas: [], versionPragmas: [] }
    : scanVyper(content);
  return { name, path, source, content, hadByteOrderMark: hasByteOrderMark(bytes), outline, role };
}

/** The search paths that the input needs: those of which a file goes, and the root. */
function searchPathNames(paths: readonly SearchPath[], units: readonly VyperUnit[]): string[] {
  return paths
    .filter(({ name }) => name === "." || units.some((unit) => unit.name.startsWith(`${name}/`)))
    .map(({ name }) => name);
}

/** What the version pragmas of a file ask for. */
function versionPragmas({ name, outline }: VyperUnit): CompilerRequirement[] {
  return outline.versionPragmas.map(({ value, line }) => ({ file: name, line, value, by: "pragma" }));
}
