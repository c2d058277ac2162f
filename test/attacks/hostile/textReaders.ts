// Every reader of a text that comes from a file, a server, a chain or a person. What reads text anew is listed here, and
// is thereby held to growing no faster than its input, to never throwing what is no error of ours, and to touching nothing
// that all objects share.
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { feContractsIn, completeFeVersion } from "../../../src/core/languages/fe/feInput.ts";
import { librariesByFile } from "../../../src/core/languages/solidity/librariesByFile.ts";
import { settingsFromMetadata } from "../../../src/core/compilerInput/metadataInput.ts";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../../src/core/languages/solidity/solidityPragma.ts";
import {
  applyRemappings,
  parseRemapping,
  remappingsIn,
} from "../../../src/core/languages/solidity/remapping.ts";
import {
  scanSolidity,
  scanSolidityDirectives,
} from "../../../src/core/languages/solidity/solidityScanner.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { secretsInPieces } from "../../../src/core/sources/sourceSecrets.ts";
import { resolveImportPath } from "../../../src/core/sources/sourceUnitName.ts";
import { satisfiesSpecifier, satisfiesVyper } from "../../../src/core/languages/vyper/vyperPragma.ts";
import { completeVyperVersion } from "../../../src/core/languages/vyper/vyperReleases.ts";
import { scanVyper } from "../../../src/core/languages/vyper/vyperScanner.ts";
import { yulObjectOf } from "../../../src/core/languages/yul/yulInput.ts";
import { joinPath } from "../../../src/core/files/fileReader.ts";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import { failureOf } from "../../../src/core/ledger/actions/actionFailure.ts";
import { parseEntityId } from "../../../src/core/ledger/references/entityId.ts";
import { groupDigits, integerText } from "../../../src/core/text/exactDecimal.ts";
import { visibleJson } from "../../../src/core/json/jsonText.ts";
import { statusError } from "../../../src/core/ledger/requests/ledgerError.ts";
import { parseLedgerReference } from "../../../src/core/ledger/references/ledgerReference.ts";
import { readLedgerKey } from "../../../src/core/ledger/tokens/ledgerKey.ts";
import { readTokenMetadata as readTokenMetadata } from "../../../src/core/ledger/tokens/tokenMetadata.ts";
import { selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { kindWords } from "../../../src/core/ledger/schedules/kindWords.ts";
import {
  expiryNanos,
  timestampNanos,
  timestampQueryOf,
} from "../../../src/core/ledger/references/timestamp.ts";
import { readDotenv } from "../../../src/core/tools/foundry/dotenvFile.ts";
import { figmentValue } from "../../../src/core/tools/foundry/figmentValue.ts";
import { readFoundryConfig } from "../../../src/core/tools/foundry/foundryConfig.ts";
import { foundryRemappings } from "../../../src/core/tools/foundry/foundryRemappings.ts";
import { globCovers } from "../../../src/core/files/globPattern.ts";
import { computedIn, withoutComputed } from "../../../src/core/tools/scripts/computed.ts";
import { readHardhatConfig } from "../../../src/core/tools/hardhat/hardhatConfig.ts";
import { readExportedLiteral } from "../../../src/core/tools/scripts/literalScript.ts";
import { parseJson } from "../../../src/core/json/looseData.ts";
import { machinePath } from "../../../src/core/files/machinePath.ts";
import { readMoccasinConfig } from "../../../src/core/tools/moccasin/moccasinConfig.ts";
import { plainProject, projectAt } from "../../../src/core/tools/project.ts";
import { readTruffleConfig } from "../../../src/core/tools/truffle/truffleConfig.ts";
import { webAddress } from "../../../src/core/status/statusSummary.ts";
import { componentLevel, statusWords } from "../../../src/core/status/statusLevel.ts";
import { networkWordsIn } from "../../../src/core/status/statusWatch.ts";
import { compilerProblems } from "../../../src/core/jobs/compilerProblems.ts";
import { isCompilerUnavailable } from "../../../src/core/service/compilerErrors.ts";
import {
  compilerErrorCauses,
  unavailableCompilerCauses,
} from "../../../src/core/matching/causes/compilerMessages.ts";
import { constructorParameters, nearestName } from "../../../src/core/matching/sourceOutline.ts";
import { failureSentence, firstCompilerError } from "../../../src/core/service/failure.ts";
import {
  checkAddress,
  checkChainId,
  checkCompilerVersion,
  checkContractIdentifier,
  checkVerificationId,
} from "../../../src/core/service/parameters.ts";
import { serviceTries } from "../../../src/core/matching/serviceVariations.ts";
import { sourceVariants } from "../../../src/core/matching/sourceVariants.ts";
import { readMetadata } from "../../../src/core/matching/compilerMetadata.ts";
import {
  foreign,
  foreignLine,
  foreignLines,
  foreignSentence,
  foreignWhole,
} from "../../../src/core/text/shownText.ts";
import { readArtifactBytes } from "../../../src/core/workspace/artifact.ts";
import { evaluateConstant } from "../../../src/core/languages/solidity/constantExpression.ts";
import { placedContractsInPieces } from "../../../src/core/workspace/contracts.ts";
import { placeFinder } from "../../../src/core/text/definitionPlace.ts";
import { solidityDeclarationsInPieces } from "../../../src/core/languages/solidity/solidityDeclarations.ts";
import { readVyperDeclarations } from "../../../src/core/languages/vyper/vyperDeclarations.ts";
import { isVyperContract } from "../../../src/core/languages/vyper/vyperModules.ts";
import { languageConfig } from "../../../src/core/tools/languageConfig.ts";
import { memoryFolders } from "../../unit/files/memoryFolders.ts";

/** A reader, and texts that it takes as they are, from which others are made. */
export interface TextReader {
  readonly name: string;
  readonly read: (text: string) => unknown;
  /** Whole examples of what it reads. */
  readonly examples: readonly string[];
  /** What stands around a text that would else be dropped at the first look; `…` is its place. */
  readonly frames?: readonly string[];
}

const NETWORK = selectableNetwork("testnet");
const VERSION = "0.8.28+commit.7893614a";

const build = (content: string) => ({
  compilerVersion: VERSION,
  contractIdentifier: "A.sol:A",
  stdJsonInput: { language: "Solidity" as const, sources: { "A.sol": { content } }, settings: {} },
});

const SOLIDITY = [
  `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {A as B, C} from "../../unit/hostile/a/B.sol";
import * as X from "../../unit/x.sol";
import "y.sol" as Y;
/* a "comment" */ struct Point { uint x; uint[2 ** 3] y; }
error Bad(uint code, string why);
enum Side { Left, Right }
type Price is uint128;
uint constant N = 4 * (3 + 1);
abstract contract Base { constructor(uint a, bytes memory b) {} modifier only() { _; } }
library L { function f(Point storage p) internal returns (uint) { return p.x; } }
contract A is Base(1, hex"00"), C {
  constructor(uint a, string[] memory b) {}
  mapping(address owner => mapping(uint => Point[3])) public points;
  event Sent(address indexed from, uint value) anonymous;
  function transfer(address to, uint[] calldata amounts, function (uint) external returns (bool) f) external payable override(Base, C) returns (bool ok, Point memory) { assembly { let x := "}" } }
  string public constant NAME = unicode"é\\"\\u00e9";
  receive() external payable {}
}`,
  `interface I { function a(uint) external view returns (uint); } using {f} for uint global;`,
] as const;

const VYPER = [
  `# pragma version ~=0.4.0
"""A "docstring"."""
import a.b as c
from . import d
from ethereum.ercs import (IERC20, IERC721)
implements: IERC20
struct Point:
    x: uint256
    y: DynArray[HashMap[address, uint256], 3]
flag Side:
    LEFT
    RIGHT
interface Other:
    def f(a: uint256, b: Bytes[32] = b"") -> (uint256, bool): view
event Sent:
    who: indexed(address)
    value: decimal
N: constant(uint256) = 2 ** 3
points: public(HashMap[address, HashMap[uint256, String[32]]])
total: public(immutable(uint256))
@external
@view
def g(a: uint256[N], b: Point, c: uint256 = 3) -> DynArray[uint256, 4]:
    return [1, 2]  # said
`,
] as const;
import { amountText } from "../../../src/core/text/counted.ts";

const HARDHAT = `import { defineConfig } from "hardhat/config";
const runs = 2 ** 8;
const base = { version: "0.8.28", settings: { optimizer: { enabled: true, runs } } } as const;
export default defineConfig({
  solidity: { profiles: { default: base, production: { ...base, isolated: true } }, npmFilesToBuild: ["a/b.sol"] },
  paths: { sources: \`./contracts\`, tests: { solidity: './test' } },
  networks: { main: { url: process.env.URL ?? "x", accounts: [1_000, -0x1f, /a[/]b/g] } },
  async hook() { return 1; }, [\`computed\`]: !0, "quoted\\u{1f}": null,
});
module.exports = { solidity: { compilers: [{ version: "0.8.1" }], overrides: { "a.sol": { version: "0.7.6" } } } };`;

const FOUNDRY = `[profile.default]
src = "src"
remappings = ["@oz/=lib/oz/", "ctx:a/=b/"]
libraries = ["src/L.sol:L:0xabababababababababababababababababababab"]
optimizer_runs = 200
additional_compiler_profiles = [{ name = "via-ir", via_ir = true }]
compilation_restrictions = [{ paths = "src/{a,b}/**/*.sol", via_ir = true }]
[profile.default.optimizer_details]
yul_details = { stack_allocation = true }
[profile.ci]
extends = { path = "base.toml" }
`;

const DOTENV = `# of the deployment
PRIVATE_KEY=0x1234
export FOUNDRY_PROFILE=ci # taken
P="a\\n$X" # don't
FOUNDRY_REMAPPINGS='@oz/=lib/oz/
c/=d/'
FOUNDRY_SRC=a\\ b"\${P}c"
DAPP_LIBRARIES=src/L.sol:L:0xabababababababababababababababababababab,b:c:d
FOUNDRY_OPTIMIZER_DETAILS.YUL=true
FOUNDRY_OPTIMIZER_DETAILS={yulDetails={stackAllocation=true}}
FOUNDRY_VYPER_OPTIMIZE=gas
X={"a": 1}
`;

const METADATA = JSON.stringify({
  compiler: { version: VERSION },
  language: "Solidity",
  output: { abi: [{ type: "function", name: "a", inputs: [], outputs: [], stateMutability: "view" }] },
  settings: {
    compilationTarget: { "A.sol": "A" },
    evmVersion: "cancun",
    libraries: { "L.sol:L": `0x${"ab".repeat(20)}` },
    metadata: { bytecodeHash: "ipfs" },
    optimizer: { enabled: true, runs: 200 },
    remappings: [":@a/=b/"],
  },
  sources: { "A.sol": { keccak256: `0x${"12".repeat(32)}`, license: "MIT", urls: ["dweb:/ipfs/Qm"] } },
  version: 1,
});

const MESSAGES = [
  'ParserError: Source "a/B.sol" not found: File not found. Searched the following locations: "".',
  "Version specification '^0.3.0' is not compatible with compiler version '0.4.0'",
  'TypeError: Function "mcopy" not found. The "mcopy" instruction is only available for Cancun-compatible VMs.',
  "CompilerError: Stack too deep. Try compiling with `--via-ir` (cli).",
  "Source file requires different compiler version (current compiler is 0.8.28)",
] as const;

const REFERENCES = [
  "0.0.1234-abcde",
  "0.0.1234@1700000000.123456789",
  "0.0.1234-1700000000-123456789",
  `0x${"ab".repeat(32)}`,
  `0x${"00".repeat(12)}00000000000004d2`,
  "1700000000.123456789",
  "https://hashscan.io/testnet/transaction/1700000000.123456789?tid=0.0.1234-1700000000-123456789",
  "https://testnet.mirrornode.hedera.com/api/v1/tokens/0.0.1234",
  "https://hashscan.io/#/mainnet/token/0.0.720",
  "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJ",
] as const;

const GLOBS = ["src/{a,b}/**/*.sol", "[!a-z]?[]x]*", "**/test/**", "a**b*c"] as const;
const PATHS = ["/w/src/a/b/C.sol", "../a/./b//c/../d.sol", "C:\\a\\b.sol", "\\\\?\\C:\\x"] as const;

const VERSIONS = ["0.8.28", VERSION, "v0.4.1+commit.e9db8d9f", "26.0.0-alpha.12", "0.8.28-nightly.2024.1.1"];
const SOLIDITY_RANGES = [">=0.6.2 <0.9.0", "^0.8.20 || 0.7.6 - 0.8.1", "~0.8", "=0.8.x", "*"] as const;
const VYPER_RANGES = ["~=0.4.0", ">=0.3.9,<0.5.0", "^0.4.0 || 0.3.10", "0.3.7 - 0.4.0", "==0.4.*"] as const;

/** What a project says in its files, asked for with this file in it. */
function inProject(file: string, ask: (folder: ReturnType<typeof memoryFolders>) => Promise<unknown>) {
  return (text: string) => ask(memoryFolders({ [`/w/${file}`]: text, "/w/src/A.sol": "contract A {}" }));
}

/** What reads sources and what they are compiled by. */
export const SOURCE_READERS: readonly TextReader[] = [
  { name: "scanSolidity", read: scanSolidity, examples: SOLIDITY },
  { name: "scanSolidityDirectives", read: scanSolidityDirectives, examples: SOLIDITY },
  {
    name: "readSolidityDeclarations",
    read: (text) => atOnce(solidityDeclarationsInPieces(text)),
    examples: SOLIDITY,
    frames: [
      "contract A { … }",
      "contract A { function f(…) public {} }",
      "uint constant A = …;",
      "import …;",
    ],
  },
  {
    name: "placedContractsIn a Solidity file",
    read: (text) => atOnce(placedContractsInPieces("/A.sol", text)),
    examples: SOLIDITY,
  },
  {
    name: "placedContractsIn a Vyper file",
    read: (text) => atOnce(placedContractsInPieces("/A.vy", text)),
    examples: VYPER,
  },
  {
    name: "constructorParameters",
    read: (text) => constructorParameters(build(text).stdJsonInput, "A.sol:A"),
    examples: SOLIDITY,
    frames: ["contract A { constructor(…) {} }"],
  },
  {
    name: "yulObjectOf",
    read: yulObjectOf,
    examples: ['object "A" { code { sstore(0, 1) } data "b" hex"00" }', "{ let x := 1 }"],
    frames: ['object "…"'],
  },
  {
    name: "feContractsIn",
    read: feContractsIn,
    examples: ['use a::b\n// said\npub contract A { fn f() -> u256 { "b\\"" } }\npub  contract B {}'],
    frames: ["pub …"],
  },
  {
    name: "scanVyper",
    read: scanVyper,
    examples: VYPER,
    frames: ["from …", "import …", "from a import (…)", "from . import …\n", "# pragma …", "#@version …"],
  },
  { name: "isVyperContract", read: isVyperContract, examples: VYPER },
  {
    name: "readVyperDeclarations",
    read: (text) => readVyperDeclarations(text, "A", false),
    examples: VYPER,
    frames: [
      "x: public(…)",
      "x: … = 1",
      "x: uint256 = …",
      "from … import a",
      "import …",
      "struct A:\n    a: …\n",
      "event A:\n    a: …\n",
      "@external\ndef f(…) -> (…):\n    pass",
      "@external\ndef f(a: …):\n    pass",
      "interface A:\n    def f(): …\n",
      "# pragma version …",
      "@external\n…",
    ],
  },
  {
    name: "secretsIn",
    read: (text) => atOnce(secretsInPieces(text)),
    examples: [
      `PRIVATE_KEY=0x4c0883a69102937d6231471b5dbb6204fe512961708279f2e3e8a5d4b8e3f1a2`,
      'mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"',
      "https://mainnet.infura.io/v3/0123456789abcdef0123456789abcdef and wss://u:pa55word@host.io",
      "vm.startBroadcast(0x4c0883a69102937d6231471b5dbb6204fe512961708279f2e3e8a5d4b8e3f1a2);",
      "-----BEGIN EC PRIVATE KEY-----",
      "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    ],
  },
  {
    name: "parseSolidityVersionExpression",
    read: (text) => {
      const expression = parseSolidityVersionExpression(text);
      return expression && satisfiesSolidity("0.8.28", expression);
    },
    examples: SOLIDITY_RANGES,
  },
  { name: "satisfiesVyper", read: (text) => satisfiesVyper("0.4.0", text), examples: VYPER_RANGES },
  { name: "satisfiesSpecifier", read: (text) => satisfiesSpecifier("0.4.0", text), examples: VYPER_RANGES },
  { name: "completeSolcVersion", read: (text) => completeSolcVersion(text), examples: VERSIONS },
  { name: "completeVyperVersion", read: (text) => completeVyperVersion(text), examples: VERSIONS },
  { name: "completeFeVersion", read: completeFeVersion, examples: VERSIONS },
  { name: "checkCompilerVersion", read: checkCompilerVersion, examples: VERSIONS },
  { name: "checkContractIdentifier", read: checkContractIdentifier, examples: ["src/A.sol:A"] },
  { name: "checkAddress", read: checkAddress, examples: [`0x${"ab".repeat(20)}`] },
  { name: "checkChainId", read: checkChainId, examples: ["296", "0x128"] },
  {
    name: "checkVerificationId",
    read: checkVerificationId,
    examples: ["6b2dd2a0-6b1b-4a3a-8d1e-000000000000"],
  },
  { name: "parseRemapping", read: parseRemapping, examples: ["ctx:@a/=lib/a/"] },
  { name: "remappingsIn", read: remappingsIn, examples: ["@a/=lib/a/\r\nctx:b/=c/\n"] },
  {
    name: "applyRemappings",
    read: (text) => applyRemappings([{ context: "", prefix: text.slice(0, 9), target: "a" }], text, text),
    examples: PATHS,
  },
  {
    name: "resolveImportPath",
    read: (text) => resolveImportPath(text, "a/b/c.sol"),
    examples: ["./a/../b.sol"],
    frames: ["./…", "../…"],
  },
  { name: "resolveImportPath from", read: (text) => resolveImportPath("./../x.sol", text), examples: PATHS },
  { name: "joinPath", read: (text) => joinPath("/w", text), examples: PATHS },
  { name: "machinePath", read: machinePath, examples: PATHS },
  { name: "globCovers by a pattern", read: (text) => globCovers(text, "/w/src/a/b/C.sol"), examples: GLOBS },
  {
    name: "globCovers a path",
    read: (text) => [globCovers("**/*a*/[a-z]?*.sol", text), globCovers("*{a,b}*c*", text)],
    examples: PATHS,
  },
  { name: "globCovers of both", read: (text) => globCovers(text, text), examples: GLOBS },
];

/** What reads the configuration of a project, in the formats that it may have. */
export const PROJECT_READERS: readonly TextReader[] = [
  {
    name: "readExportedLiteral",
    read: async (text) => {
      const value = await readExportedLiteral(text);
      return [computedIn(value, "a"), withoutComputed(value)];
    },
    examples: [HARDHAT],
    frames: [
      "export default …",
      "export default { a: … }",
      "const a = …; export default a",
      "const a: … = 1; export default a",
      "export default `…`",
      "export default /…/",
      'export default "…"',
    ],
  },
  {
    name: "readHardhatConfig",
    read: inProject("hardhat.config.js", (folder) => readHardhatConfig(folder, "/w", "/w/hardhat.config.js")),
    examples: [HARDHAT],
  },
  {
    name: "readTruffleConfig",
    read: inProject("truffle-config.js", (folder) => readTruffleConfig(folder, "/w/truffle-config.js")),
    examples: [HARDHAT],
  },
  {
    name: "readFoundryConfig",
    read: inProject("foundry.toml", (folder) => readFoundryConfig(folder, "/w")),
    examples: [FOUNDRY],
  },
  {
    name: "readDotenv",
    read: (text) => readDotenv(Buffer.from(text)),
    examples: [DOTENV],
    frames: ['A="…"', "A='…'", "A=…", "A=b\nB=$…", "A=b\nB=${…}", "export …"],
  },
  {
    name: "figmentValue",
    read: figmentValue,
    examples: ['{yul=true, "a\\u00e9"={b = [1, +2, -3, 4.5]}}', "[a b, 'c', [\"d\"],]", " true "],
    frames: ["[…]", "{a=…}", '"…"', "{…"],
  },
  {
    name: "readFoundryConfig by its .env",
    read: inProject(".env", async (folder) =>
      foundryRemappings(folder, await readFoundryConfig(folder, "/w")),
    ),
    examples: [DOTENV],
    frames: [
      "FOUNDRY_LIBRARIES='…'",
      "FOUNDRY_REMAPPINGS='…'",
      "FOUNDRY_OPTIMIZER_DETAILS={…}",
      "FOUNDRY_CONFIG=…",
    ],
  },
  {
    name: "foundryRemappings",
    read: inProject("remappings.txt", async (folder) =>
      foundryRemappings(folder, await readFoundryConfig(folder, "/w")),
    ),
    examples: ["@a/=lib/a/\nctx:b/=c/\n"],
  },
  {
    name: "readMoccasinConfig",
    read: inProject("moccasin.toml", (folder) => readMoccasinConfig(folder, "/w")),
    examples: ['[project]\nsrc = "src"\n[networks.sepolia]\nchain_id = 11155111\nurl = "$URL"\n'],
  },
  ...["ape-config.yaml", "ape-config.json", "pyproject.toml"].map((file): TextReader => ({
    name: `readVyperConfig of ${file}`,
    read: inProject(file, async (folder) => {
      const project = await projectAt(folder, "/w");
      return languageConfig(folder, project ?? plainProject("/w"), "Vyper", {});
    }),
    examples: [
      file.endsWith("yaml")
        ? "name: a\nvyper:\n  version: 0.4.0\n  evm_version: cancun\nplugins: [a, {b: &x 'c'}, *x]\n"
        : file.endsWith("json")
          ? '{"vyper":{"version":"0.4.0","evm_version":"cancun"}}'
          : '[tool.ape.vyper]\nversion = "0.4.0"\n',
    ],
  })),
  { name: "parseJson", read: parseJson, examples: [METADATA] },
  {
    name: "parseExactJson",
    read: (text) => orSyntaxError(() => parseExactJson(text)),
    examples: [METADATA, '{"a":[1.5e18,12345678901234567890,"1e99\\"",-0.0]}'],
    frames: ["[…]", '{"a":"…"}', '["…"]', "[…1e99]", "[1e99…]"],
  },
];

/** What reads the answers of services, nodes and compilers, and what a person types. */
export const ANSWER_READERS: readonly TextReader[] = [
  {
    name: "foreign text",
    read: (text) => [
      foreign(text),
      foreignLine(text),
      foreignLines(text),
      foreignSentence(text),
      foreignWhole(text),
    ],
    examples: ["$(bug) \u202e[a](command:b)\r\n\t\u0000"],
  },
  { name: "visibleJson", read: visibleJson, examples: ["$(bug) \u202e\r\n"] },
  {
    name: "failureSentence",
    read: (text) => failureSentence("A", { customCode: "compiler_error", message: text, errorId: "1" }),
    examples: MESSAGES,
  },
  {
    name: "compilerErrorCauses",
    read: (text) => [
      ...[
        { compilerErrors: [{ message: text, severity: "error" }] },
        { compilerErrors: [{ message: "a", formattedMessage: text, severity: "error" }] },
        { compilerErrorMessage: text },
        undefined,
      ].flatMap((errorData) => {
        const error = { customCode: "compiler_error", message: text, errorData };
        return [
          compilerErrorCauses(error, build("contract A {}"), undefined),
          isCompilerUnavailable(error),
          unavailableCompilerCauses(error, build("contract A {}")),
          firstCompilerError(error),
        ];
      }),
    ],
    examples: MESSAGES,
    frames: ["Version specification …", 'Source "…', "only available for …", 'Function "…'],
  },
  {
    name: "compilerProblems in a source",
    read: (text) =>
      compilerProblems(
        {
          customCode: "compiler_error",
          message: "",
          errorId: "1",
          errorData: {
            compilerErrors: [
              { message: text, sourceLocation: { file: "A.sol", start: 1, end: text.length } },
              { message: text, sourceLocation: { file: "A.sol", lineno: 3, col_offset: 2 } },
            ],
          },
        },
        build(text).stdJsonInput,
      ),
    examples: [...MESSAGES, ...SOLIDITY],
  },
  { name: "nearestName", read: (text) => nearestName("Token", [text, "Tokens"]), examples: ["Tokne"] },
  {
    name: "settingsFromMetadata",
    read: (text) => settingsFromMetadata({ libraries: { [text]: "0x1" }, remappings: [text] }),
    examples: ["L.sol:L"],
  },
  {
    name: "librariesByFile",
    read: (text) => librariesByFile([{ file: text, name: text, address: text }]),
    examples: ["L"],
  },
  { name: "readMetadata of a compiler", read: readMetadata, examples: [METADATA] },
  {
    name: "readArtifactBytes",
    read: (text) => readArtifactBytes({ path: "/w/out/A.sol/A.json", bytes: new TextEncoder().encode(text) }),
    examples: [
      `{"abi":[{"type":"function","name":"a","inputs":[{"type":"tuple[2]","components":[{"type":"uint256","name":"x"}]}],"outputs":[]}],"bytecode":{"object":"0x6001"},"deployedBytecode":{"object":"0x60016002"},"metadata":${METADATA}}`,
    ],
  },
  { name: "serviceTries", read: (text) => serviceTries({ "A.sol": text }), examples: SOLIDITY },
  {
    name: "sourceVariants",
    read: (text) => sourceVariants.map((variant) => variant.apply(text)),
    examples: SOLIDITY,
  },
  {
    name: "evaluateConstant",
    read: (text) => evaluateConstant(text, () => 3n),
    examples: ["2 ** (N + 1) << 3 % 0x1f", "-1 + /* a */ 1e3"],
  },
  { name: "placeFinder", read: (text) => placeFinder("/A.sol", text)(text.length), examples: SOLIDITY },
  {
    name: "parseLedgerReference",
    read: (text) => parseLedgerReference(text, NETWORK),
    examples: REFERENCES,
    frames: ["https://…", "https://hashscan.io/…", "0.0.…", "0x…"],
  },
  { name: "parseEntityId", read: parseEntityId, examples: REFERENCES },
  { name: "integerText", read: integerText, examples: ["123456789012345678901234567890", "1.5e18", "-3"] },
  {
    name: "groupDigits",
    read: (text) => {
      const digits = integerText(text);
      return digits === undefined ? undefined : [groupDigits(digits), amountText(digits, 8)];
    },
    examples: ["123456789012345678901234567890"],
  },
  { name: "timestampNanos", read: timestampNanos, examples: ["1700000000.123456789"] },
  { name: "expiryNanos", read: expiryNanos, examples: ["1700000000123456789"] },
  {
    name: "timestampQueryOf",
    read: timestampQueryOf,
    examples: ["1700000000.1", "2024-01-02T03:04:05Z", "lt:1700000000"],
  },
  { name: "kindWords", read: kindWords, examples: ["CRYPTOTRANSFER"] },
  {
    name: "readTokenMetadata",
    read: readTokenMetadata,
    examples: [Buffer.from("ipfs://a").toString("base64")],
  },
  {
    name: "readLedgerKey",
    read: (text) => readLedgerKey({ _type: "ProtobufEncoded", key: text }),
    examples: [`32220a20${"ab".repeat(32)}`],
  },
  {
    name: "statusError",
    read: (text) =>
      statusError(400, { _status: { messages: [{ message: text, detail: text }] } }, "token 0.0.1", NETWORK),
    examples: [
      "Invalid parameter: token.id",
      "Unknown query parameter: x",
      "Invalid Transaction id. Use a-b",
    ],
  },
  {
    name: "failureOf a revert",
    read: (text) => [
      failureOf({ result_data_type: "REVERT_REASON", result_data: `0x${Buffer.from(text).toString("hex")}` }),
      failureOf({ result_data_type: "ERROR", result_data: text }),
      failureOf({ result_data_type: "ERROR", result_data: `0x${Buffer.from(text).toString("hex")}` }),
    ],
    examples: ["INVALID_OPERATION", "slippage too high"],
  },
  { name: "webAddress", read: webAddress, examples: ["https://status.example/a?b#c"] },
  {
    name: "statusWords",
    read: (text) => [statusWords(text), componentLevel(text), networkWordsIn(text)],
    examples: ["partial_outage", "Hedera Testnet Mirror Node"],
  },
];

export const TEXT_READERS: readonly TextReader[] = [...SOURCE_READERS, ...PROJECT_READERS, ...ANSWER_READERS];

/** JSON readers for callers that handle what is no JSON throw what `JSON.parse` throws, as documented. */
function orSyntaxError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
