import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../src/core/languages/solidity/solidityPragma.ts";
import type { Random } from "../unit/random.ts";
import { contractNamed } from "./foundryLayouts.ts";

/** A Foundry project that names no compiler: forge finds one for the files that it compiles together. */
export interface UnpinnedProject {
  readonly files: Readonly<Record<string, string>>;
  readonly profile: string;
}

/** Of files that go with everything, with most others, and with few. */
const PRAGMAS = [
  ">=0.7.0",
  ">=0.7.0 <0.9.0",
  "^0.8.0",
  "^0.8.0",
  "^0.8.10",
  "^0.8.20",
  ">=0.8.0 <0.8.25",
  "0.8.19",
  "=0.8.24",
  "0.8.28",
  "^0.7.0",
  "^0.7.6 || ^0.8.0",
  "0.8.*",
] as const;

/** Folders of files, those that others may import first. */
const FOLDERS = ["lib/tokens/src", "src/base", "src", "src/deep/er", "script", "test"] as const;

/** A project with mixed pragmas, tests, scripts and a library, in which files import earlier ones. */
export function randomUnpinnedProject(dice: Random, versions: readonly string[]): UnpinnedProject {
  const files: Record<string, string> = {};
  // Most files of a project agree on something; one that does not makes several groups of them.
  const common = [dice.pick(PRAGMAS), dice.pick(PRAGMAS)] as const;
  const strays = 1 + dice.below(6);
  const pragma = () => (dice.below(strays) === 0 ? dice.pick(PRAGMAS) : dice.pick(common));
  const made: { path: string; admits: readonly string[] }[] = [];
  for (const folder of FOLDERS) {
    const most = folder === "src" ? 4 : 3;
    for (let at = folder === "src" ? 0 : 1; at <= dice.below(most); at++) {
      const name = `C${made.length}`;
      const ending = folder === "test" ? ".t.sol" : folder === "script" ? ".s.sol" : ".sol";
      // Names in no order, since their order decides who comes first.
      const path = `${folder}/${dice.pick(["", "a", "Z", "m-"])}${name}${ending}`;
      const isLibrary = folder.startsWith("lib/");
      const own = pragma();
      const expression = parseSolidityVersionExpression(own);
      let admits = versions.filter((version) => expression && satisfiesSolidity(version, expression));
      const imports: string[] = [];
      for (const one of made) {
        if (dice.below(4) > 0 || (isLibrary && !one.path.startsWith("lib/"))) continue;
        const both = admits.filter((version) => one.admits.includes(version));
        // What no compiler takes together is never built.
        if (both.length === 0) continue;
        admits = both;
        imports.push(importPath(one.path));
      }
      files[path] = contractNamed(name, ...imports).replace(">=0.7.0", own);
      made.push({ path, admits });
    }
  }
  files["foundry.toml"] = configuration(dice).join("\n");
  return { files, profile: dice.pick(["default", "default", "release"]) };
}

/** Imports go by the root, and by the remapping that forge finds for the library. */
function importPath(path: string): string {
  return path.startsWith("lib/tokens/src/") ? path.replace("lib/tokens/src/", "tokens/") : path;
}

function configuration(dice: Random): string[] {
  const paths = () =>
    dice.pick(["src/*.sol", "src/base/**", "C3", "test/**", "lib/**", "./script/*", "**/C1.sol"]);
  const version = () => dice.pick(["<0.8.28", "=0.8.19", "^0.8.19", ">=0.7.0, <0.8.27", "~0.8.10"]);
  const settings = () => dice.pick(["via_ir = true", "max_optimizer_runs = 10", 'max_evm_version = "paris"']);
  const restricted = () => {
    const versions = dice.below(3) > 0 ? [] : [`{ paths = "${paths()}", version = "${version()}" }`];
    if (dice.below(3) > 0) return [`compilation_restrictions = [${versions.join()}]`];
    const few = dice.below(2) ? [] : [`{ paths = "${paths()}", ${settings()} }`];
    return [
      'additional_compiler_profiles = [{ name = "ir", via_ir = true }, { name = "few", optimizer_runs = 5 },',
      '  { name = "both", via_ir = true, optimizer_runs = 3 }, { name = "old", evm_version = "london" },',
      '  { name = "all", via_ir = true, optimizer_runs = 2, evm_version = "london" }]',
      `compilation_restrictions = [${[...versions, `{ paths = "${paths()}", ${settings()} }`, ...few].join(", ")}]`,
    ];
  };
  return [
    "[profile.default]",
    ...(dice.below(3) === 0 ? restricted() : []),
    ...(dice.below(5) === 0
      ? [`skip = ["${dice.pick(["*.t.sol", "src/base/**", "*/C2.sol", "script/**"])}"]`]
      : []),
    ...(dice.below(6) === 0 ? ["auto_detect_solc = false"] : []),
    ...(dice.below(6) === 0 ? ['script = "tools"'] : []),
    ...(dice.below(6) === 0 ? ['build_info_path = "records"'] : []),
    "[profile.release]",
    ...(dice.below(2) === 0 ? ['src = "src/deep"'] : []),
    ...(dice.below(3) === 0 ? ['solc = "0.8.28"'] : []),
    ...(dice.below(3) === 0 ? ['out = "out-release"'] : []),
    ...(dice.below(3) === 0 ? restricted() : []),
  ];
}
