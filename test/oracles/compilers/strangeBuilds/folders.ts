import type { CompilerSettings } from "../../../../src/core/sources/standardJsonInput.ts";
import type { OpenFolder } from "./strangeBuild.ts";

type Files = Readonly<Record<string, string>>;
type Packages = Readonly<Record<string, string>>;

/** The optimizer on, with so many runs, and whatever else is set. */
export function optimized(runs: number, settings: CompilerSettings = {}): CompilerSettings {
  return { optimizer: { enabled: true, runs }, ...settings };
}

/** As a config has it where nothing is said, and as tools write it. */
export const NOT_OPTIMIZED: CompilerSettings = { optimizer: { enabled: false, runs: 200 } };

function manifest(packages: Packages): Files {
  const names = Object.keys(packages)
    .filter((path) => path.startsWith("node_modules/"))
    .map((path) => [path.slice("node_modules/".length), "*"] as const);
  return { "package.json": JSON.stringify({ name: "project", dependencies: Object.fromEntries(names) }) };
}

export function hardhat(
  version: string,
  settings: CompilerSettings | undefined,
  files: Files,
  packages: Packages = {},
): OpenFolder {
  const solidity = JSON.stringify(settings ? { version, settings } : version);
  return {
    files: {
      ...manifest(packages),
      "hardhat.config.js": `require("@nomicfoundation/hardhat-toolbox");\n\nmodule.exports = { solidity: ${solidity} };\n`,
      ...files,
    },
    packages,
  };
}

export function hardhat3(profiles: object, files: Files, packages: Packages = {}): OpenFolder {
  const { "package.json": text = "{}" } = manifest(packages);
  const own = JSON.parse(text) as { dependencies: object };
  return {
    files: {
      "package.json": JSON.stringify({
        ...own,
        type: "module",
        version: "1.0.0",
        devDependencies: { hardhat: "^3.0.0" },
      }),
      "hardhat.config.ts": `import { defineConfig } from "hardhat/config";\n\nexport default defineConfig({ solidity: ${JSON.stringify({ profiles })} });\n`,
      ...files,
    },
    packages,
  };
}

/** @param lines of the default profile */
export function foundry(lines: readonly string[], files: Files, packages: Packages = {}): OpenFolder {
  return {
    files: {
      "foundry.toml": ["[profile.default]", 'src = "src"', 'libs = ["lib"]', ...lines, ""].join("\n"),
      ...files,
    },
    packages,
  };
}

export function truffle(
  version: string,
  settings: CompilerSettings | undefined,
  files: Files,
  packages: Packages = {},
): OpenFolder {
  const solc = JSON.stringify(settings ? { version, settings } : { version });
  return {
    files: {
      ...manifest(packages),
      "truffle-config.js": `module.exports = {\n  compilers: { solc: ${solc} },\n};\n`,
      ...files,
    },
    packages,
  };
}

/** A folder without a build tool. */
export function plainFolder(files: Files, packages: Packages = {}, settings?: CompilerSettings): OpenFolder {
  return { files: { ...manifest(packages), ...files }, packages, ...(settings && { settings }) };
}
