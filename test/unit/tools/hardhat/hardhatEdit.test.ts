import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withHardhatSettings } from "../../../../src/core/tools/hardhat/hardhatEdit.ts";
import type { CompilerSettings } from "../../../../src/core/sources/standardJsonInput.ts";
import { below, memoryFolders } from "../../files/memoryFolders.ts";

const OLD = "0.8.20+commit.a1b79de6";
const NEW = "0.8.28+commit.7893614a";
const GIVEN: CompilerSettings = { optimizer: { enabled: false, runs: 200 }, evmVersion: "paris" };
const FOUND: CompilerSettings = { optimizer: { enabled: true, runs: 7_531 }, evmVersion: "paris" };

/** What comes of a configuration for `contracts/Vault.sol`. */
function edited(
  text: string,
  {
    major = 2,
    given = { compilerVersion: OLD, settings: GIVEN },
    found = { compilerVersion: NEW, settings: FOUND },
    name = "hardhat.config.ts",
  }: {
    readonly major?: 2 | 3;
    readonly given?: Parameters<typeof withHardhatSettings>[2];
    readonly found?: Parameters<typeof withHardhatSettings>[3];
    readonly name?: string;
  } = {},
): Promise<string | undefined> {
  const files = memoryFolders(
    below("/p", {
      [name]: text,
      "package.json": `{ "devDependencies": { "hardhat": "^${major}.0.0" } }`,
      "node_modules/hardhat/package.json": `{ "version": "${major}.1.0" }`,
    }),
  );
  const place = { files, root: "/p", path: `/p/${name}`, contract: "/p/contracts/Vault.sol", opened: "/p" };
  return withHardhatSettings(text, place, given, found);
}

describe("Settings that are written into a configuration of Hardhat", () => {
  it("make an object of a version that stands alone", async () => {
    const text = `require("@nomicfoundation/hardhat-toolbox");\n\nmodule.exports = {\n  solidity: "0.8.20", // pinned\n  networks: {},\n};\n`;
    assert.equal(
      await edited(text, { name: "hardhat.config.js" }),
      text.replace(
        '"0.8.20"',
        '{ version: "0.8.28", settings: { optimizer: { enabled: true, runs: 7531 } } }',
      ),
    );
  });

  it("change the literals, and leave the form and the comments of the rest", async () => {
    const text = `import { HardhatUserConfig } from 'hardhat/config';

const config: HardhatUserConfig = {
    solidity: {
        version: '0.8.20', // as audited
        settings: {
            // for the size
            optimizer: { enabled: false, runs: 200 }, // later
        },
    },
    networks: { main: { url: process.env.URL } },
};

export default config;
`;
    assert.equal(
      await edited(text, {
        found: { compilerVersion: NEW, settings: { ...FOUND, viaIR: true, evmVersion: "shanghai" } },
      }),
      text
        .replace("0.8.20", "0.8.28")
        .replace("enabled: false, runs: 200", "enabled: true, runs: 7531")
        .replace("// later\n", "// later\n            viaIR: true,\n            evmVersion: 'shanghai',\n"),
    );
  });

  it("change the one of several compilers that the contract has, and its override where it has one", async () => {
    const list = `module.exports = { solidity: { compilers: [{ version: "0.6.12" }, { version: "0.8.20", settings: {} }] } };`;
    assert.equal(
      await edited(list, { found: { compilerVersion: OLD, settings: FOUND } }),
      list.replace("settings: {}", "settings: { optimizer: { enabled: true, runs: 7531 } }"),
    );
    const override = `module.exports = {\r\n  solidity: {\r\n    compilers: [{ version: "0.8.20" }],\r\n    overrides: {\r\n      "contracts/Vault.sol": {\r\n        version: "0.8.20"\r\n      }\r\n    }\r\n  }\r\n};\r\n`;
    assert.equal(
      await edited(override, { found: { compilerVersion: OLD, settings: FOUND } }),
      override.replace(
        'version: "0.8.20"\r\n',
        'version: "0.8.20",\r\n        settings: { optimizer: { enabled: true, runs: 7531 } }\r\n',
      ),
    );
  });

  it("say the default for what is taken out, and nothing of what is the default anyway", async () => {
    const text = `module.exports = { solidity: { version: "0.8.20", settings: { viaIR: true, optimizer: { enabled: true } } } };`;
    const given = { ...GIVEN, viaIR: true, optimizer: { enabled: true, runs: 200 } };
    assert.equal(
      await edited(text, {
        given: { compilerVersion: OLD, settings: given },
        found: {
          compilerVersion: OLD,
          settings: {
            evmVersion: "paris",
            optimizer: { enabled: true, runs: 200 },
            metadata: { bytecodeHash: "ipfs" },
          },
        },
      }),
      text.replace("viaIR: true", "viaIR: false"),
    );
  });

  it("are written into a configuration of Hardhat 3 that has no build profiles", async () => {
    const text = `import { defineConfig } from "hardhat/config";\nexport default defineConfig({\n  solidity: { version: "0.8.20" },\n});\n`;
    const settings = { evmVersion: "shanghai" };
    assert.equal(
      await edited(text, {
        major: 3,
        given: { compilerVersion: OLD, settings },
        found: { compilerVersion: OLD, settings: { ...settings, optimizer: { enabled: true, runs: 1 } } },
      }),
      text.replace('"0.8.20"', '"0.8.20", settings: { optimizer: { enabled: true, runs: 1 } }'),
    );
  });

  it("are not written where anything of it is computed, or would not be read back", async () => {
    for (const solidity of [
      "process.env.SOLC",
      "{ version: VERSION }",
      '{ version: "0.8.20", settings: shared }',
      '{ version: "0.8.20", settings: { optimizer: { enabled: !0 } } }',
      '{ ...base, version: "0.8.20" }',
      '{ version: "0.8.20", settings: { ["optimizer"]: {} } }',
      "{ version: `0.${8}.20` }",
      '["0.8.20"]',
      '{ compilers: [{ version: "0.8.20" }, { version: "0.8.20" }] }',
      '{ compilers: [{ version: "0.8.28" }, { version: "0.8.20" }] }',
    ]) {
      const text = `const VERSION = "0.8.20"; const shared = {}; const base = {};\nmodule.exports = { solidity: ${solidity} };`;
      assert.equal(await edited(text), undefined, solidity);
    }
    const literal = '{ solidity: { version: "0.8.20" } }';
    for (const text of [
      `const config = ${literal}; config.solidity.settings = { viaIR: true }; module.exports = config;`,
      `module.exports = ${literal}; module.exports.solidity.version = "0.8.19";`,
      `module.exports = change(${literal});`,
      `module.exports = () => (${literal});`,
      "module.exports = {",
    ])
      assert.equal(await edited(text), undefined, text);
    assert.equal(
      await edited(`module.exports = ${literal};`, {
        found: { compilerVersion: OLD, settings: { ...FOUND, remappings: ["a=b"] } },
      }),
      undefined,
    );
  });
});
