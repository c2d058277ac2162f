import { t } from "@vscode/l10n";
import type { ToolPlace } from "../toolShape.ts";
import { writtenChainId } from "../../chainId.ts";
import { shapedSettings } from "../../languages/settingsShape.ts";
import { SOLC_SETTINGS } from "../../languages/solidity/solcSettingsShape.ts";
import type { CompilerSettings } from "../../sources/standardJsonInput.ts";
import { joinPath, lastSegment, parentFolder } from "../../files/fileReader.ts";
import { readText } from "../../json/dataFile.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { computedIn, isComputed, withoutComputed, withPaths } from "../scripts/computed.ts";
import { readExportedLiteral } from "../scripts/literalScript.ts";
import { asRecord, asText, field } from "../../json/looseData.ts";
import {
  leftOutAsComputed,
  takenOver,
  unknownSettings,
  unknownVersion,
  type UnknownSetting,
} from "../unknownSettings.ts";
import { aText, misshapen, aTable } from "../scripts/scriptShape.ts";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../languages/solidity/solidityPragma.ts";
import { solcReleases } from "../../languages/solidity/solcReleases.ts";
import { lineNumberOf } from "../../text/textPlace.ts";
import { shortVersion } from "../../versions.ts";
import { DEFAULT_OPTIMIZER } from "../../languages/solidity/solcCode.ts";

/** What a Truffle configuration says about compiling. */
interface TruffleConfig {
  /** Folder of the sources, absolute; like that of the artifacts it may lie outside the root. */
  readonly contracts: string;
  /** Folder of the artifacts, absolute. */
  readonly artifacts: string;
  /** The ids of networks, which its records have in place of chain ids, that may be of more than one chain. */
  readonly sharedNetworkIds: ReadonlySet<string>;
  /** The releases that it allows, short; Truffle's own where it names none, and none where it leaves them to the pragmas. */
  readonly versions: readonly string[];
  readonly settings: CompilerSettings;
  /** What is computed of the compiler and its settings, so that it is not known. */
  readonly unknown: readonly UnknownSetting[];
  readonly problems: readonly string[];
}

/** The solc that the last Truffle brings along (trufflesuite/truffle, packages/compile-solidity). */
const BUNDLED_SOLC = "0.5.16";

/** The settings that name folders. */
const FOLDERS = ["contracts_directory", "contracts_build_directory"] as const;

/** What is read of a configuration. */
const TRUFFLE_SHAPE = aTable({
  contracts_directory: aText,
  contracts_build_directory: aText,
  compilers: aTable({ solc: aTable({ version: aText, settings: aTable({}) }) }),
});

/**
 * Reads a Truffle configuration as data, without running it.
 *
 * @param opened The folder from which it may take other files; of a monorepo the open one.
 */
export async function readTruffleConfig(
  files: FolderReader,
  path: string,
  opened = parentFolder(path),
): Promise<TruffleConfig> {
  const text = await readText(files, path);
  const place = { files, path, opened };
  const exported = text === undefined ? undefined : await readExportedLiteral(text, place);
  const name = lastSegment(path);
  const compilers = isComputed(exported) ? exported : takenOver(exported, "compilers");
  const written = isComputed(compilers) ? compilers : takenOver(compilers, "solc");
  const solc = withoutComputed(written);
  const { settings, problems } = shapedSettings(asRecord(field(solc, "settings")) ?? {}, name, SOLC_SETTINGS);
  const asked = asText(field(solc, "version"));
  const versions = asked === undefined ? [BUNDLED_SOLC] : releasesAskedFor(asked);
  const folders = new Map(FOLDERS.map((setting) => [setting, withPaths(field(exported, setting))]));
  const folder = (setting: (typeof FOLDERS)[number], usual: string) =>
    joinPath(parentFolder(path), asText(folders.get(setting)) ?? usual);
  return {
    contracts: folder("contracts_directory", "contracts"),
    artifacts: folder("contracts_build_directory", "build/contracts"),
    sharedNetworkIds: sharedNetworkIds(field(exported, "networks")),
    versions: versions ?? [],
    settings: {
      ...settings,
      optimizer: { ...DEFAULT_OPTIMIZER, ...asRecord(settings["optimizer"]) },
    },
    unknown: isComputed(written)
      ? unknownVersion(written, "compilers.solc")
      : [
          ...unknownVersion(takenOver(written, "version"), "compilers.solc.version"),
          ...(versions === undefined && asked !== undefined ? [ofThisMachine(text ?? "", asked)] : []),
          ...unknownSettings(written, "compilers.solc"),
        ],
    problems: [
      ...problems,
      ...misshapen(TRUFFLE_SHAPE, exported, name, "Truffle"),
      ...[...folders]
        .flatMap(([setting, value]) => computedIn(value, setting))
        .concat(computedIn(written, "compilers.solc"))
        .map((one) => leftOutAsComputed(name, one)),
      ...(asked !== undefined && versions !== undefined && versions.length !== 1
        ? [
            t`${name} asks for solc "${asked}", which is no single release; the newest that the pragmas allow is taken, or what the deployed code names.`,
          ]
        : []),
    ],
  };
}

/**
 * The releases that `compilers.solc.version` stands for: a release, a range of them, or `pragma` for whichever the sources
 * allow; `undefined` for what only a machine knows, such as `native`, a path or a tag of Docker's
 * (trufflesuite/truffle, packages/compile-solidity/src/compilerSupplier).
 */
function releasesAskedFor(asked: string): readonly string[] | undefined {
  if (asked === "pragma") return [];
  const release = /^v?(\d+\.\d+\.\d+)(?:\+commit\.[0-9a-f]{8})?$/.exec(asked)?.[1];
  if (release !== undefined) return [release];
  const range = /^[\d^~<>=*]/.test(asked) ? parseSolidityVersionExpression(asked) : undefined;
  const allowed = range && solcReleases.filter((one) => satisfiesSolidity(one, range)).map(shortVersion);
  return allowed && allowed.length > 0 ? allowed : undefined;
}

/** That only a machine knows which compiler the configuration means. */
function ofThisMachine(text: string, asked: string): UnknownSetting {
  const at = text.search(/\bversion\b\s*:/);
  return {
    setting: "version",
    place: "compilers.solc.version",
    line: lineNumberOf(text, Math.max(at, 0)),
    code: `"${asked}"`,
  };
}

/** The configuration of a project. */
export function truffleConfigOf({
  files,
  root,
  opened,
  configuration = joinPath(root, "truffle-config.js"),
}: ToolPlace): Promise<TruffleConfig> {
  return readTruffleConfig(files, configuration, opened);
}

/** The id of the network of Ethereum, and of Ethereum Classic, whose chain id is 61 (EIP-155). */
const ETHEREUM = "1";
const CLASSIC = /(?:^|[^a-z])etc(?:[^a-z]|$)|classic/i;

/** By what the configuration says of its networks: several with the id of Ethereum, or one of Ethereum Classic. */
function sharedNetworkIds(networks: unknown): ReadonlySet<string> {
  const own = Object.entries(asRecord(networks) ?? {}).filter(
    ([, network]) => writtenChainId(field(network, "network_id")) === ETHEREUM,
  );
  const isOfClassic = ([name, network]: (typeof own)[number]) =>
    [name, asText(field(network, "host")), asText(field(network, "url"))].some(
      (said) => said !== undefined && CLASSIC.test(said),
    );
  return new Set(own.length > 1 || own.some(isOfClassic) ? [ETHEREUM] : []);
}
