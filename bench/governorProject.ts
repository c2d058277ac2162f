import { globSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A build tool that a project may be set up for, or none. */
export type BenchedTool = "no tool" | "Hardhat" | "Foundry";

interface Layout {
  /** Where the library lies. */
  readonly library: string;
  /** What belongs to the tool. */
  readonly files: Readonly<Record<string, string>>;
}

/** The package as the governor imports it. */
export const PACKAGE = "@openzeppelin/contracts";

const LAYOUTS: Readonly<Record<BenchedTool, Layout>> = {
  "no tool": { library: `node_modules/${PACKAGE}`, files: {} },
  Hardhat: {
    library: `node_modules/${PACKAGE}`,
    files: {
      "hardhat.config.js":
        'module.exports = { solidity: { version: "0.8.26", settings: { optimizer: { enabled: true } } } };\n',
      "node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "2.29.1" }\n',
    },
  },
  Foundry: {
    library: "lib/openzeppelin-contracts/contracts",
    files: {
      "foundry.toml": '[profile.default]\nsrc = "contracts"\nlibs = ["lib"]\nsolc = "0.8.26"\n',
      "remappings.txt": `${PACKAGE}/=lib/openzeppelin-contracts/contracts/\n`,
    },
  },
};

/** What the governor is; the package has no concrete one. */
export const GOVERNOR = "contracts/MyGovernor.sol:MyGovernor";

/**
 * Writes a project whose governor imports everything that OpenZeppelin has for governors, so that no governor's closure
 * is larger.
 *
 * @param packages The folder whose `node_modules` has the package.
 * @returns Where the package lies in the project.
 */
export async function writeGovernorProject(
  root: string,
  packages: string,
  tool: BenchedTool,
): Promise<string> {
  const { library, files } = LAYOUTS[tool];
  await cp(join(packages, "node_modules", PACKAGE), join(root, library), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const imports = globSync(`${PACKAGE}/governance/**/*.sol`, { cwd: join(packages, "node_modules") }).sort();
  await mkdir(join(root, "contracts"));
  await writeFile(
    join(root, "contracts/MyGovernor.sol"),
    [
      "// SPDX-License-Identifier: MIT",
      "pragma solidity ^0.8.24;",
      ...imports.map((path) => `import ${JSON.stringify(path)};`),
      GOVERNOR_BODY,
    ].join("\n"),
  );
  return join(root, library);
}

const GOVERNOR_BODY = `
contract MyGovernor is Governor, GovernorCountingSimple, GovernorVotes, GovernorVotesQuorumFraction {
    constructor(IVotes token) Governor("MyGovernor") GovernorVotes(token) GovernorVotesQuorumFraction(4) {}

    function votingDelay() public pure override returns (uint256) {
        return 7200;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 50400;
    }
}
`;
