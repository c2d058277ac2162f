import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { scanVyper } from "../../../src/core/languages/vyper/vyperScanner.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";

const ROOT = "/home/me/vault";

async function build(
  files: Readonly<Record<string, string>>,
  contract: string,
  options: ContractInputOptions = {},
) {
  const reader = memoryFolders(below(ROOT, files));
  return contractInput(reader, [ROOT], await findWorkspaceContract(reader, [ROOT], contract), options);
}

describe("A Vyper file", () => {
  it("is read for imports and pragmas by Python's lexical rules", () => {
    const outline = scanVyper(
      `#pragma version ^0.4.0
# pragma evm-version cancun
"""
import nothing # pragma version 0.1
"""
import a.b.c as d # comment
from . import near
from ..up.more import (
    one,  # first
    two as zwei,
)
from x import \\
    y
NAME: constant(String[9]) = "from q import r"
def f():
    import inner
`,
    );
    assert.deepEqual(
      outline.imports.map(({ level, module, alias, line }) => [level, module, alias, line]),
      [
        [0, "a.b.c", "d", 6],
        [1, "near", "near", 7],
        [2, "up.more.one", "one", 8],
        [2, "up.more.two", "zwei", 8],
        [0, "x.y", "y", 12],
      ],
    );
    assert.deepEqual(
      outline.pragmas.map(({ name, value, line }) => [name, value, line]),
      [
        ["version", "^0.4.0", 1],
        ["evm-version", "cancun", 2],
      ],
    );
    assert.equal(scanVyper("# @version >=0.3.7,<0.4\n").versionPragmas[0]?.value, ">=0.3.7,<0.4");
  });
});

describe("The input of a Vyper contract", () => {
  it("holds modules and interfaces, found beside the contract, in the root and in the virtual environment", async () => {
    const site = ".venv/lib/python3.12/site-packages";
    const input = await build(
      {
        "src/Main.vy":
          "# pragma version ^0.4.1\nfrom ethereum.ercs import IERC20\nfrom snekmate.auth import ownable\nimport beside\nfrom lib import m\nfrom . import IThing\nimport interfaces.IOther as IOther\nimport math\n",
        "src/beside.vy": "from .deep import leaf\r\n",
        "src/deep/leaf.vyi": "",
        "src/IThing.json": '[ {"type": "function"} ]',
        "interfaces/IOther.vyi": "x: uint256\n",
        "lib/m.vy": "# pragma version <0.4.3\n",
        "beside.vy": "not this one",
        [`${site}/snekmate/auth/ownable.vy`]: "from ..utils import context\n",
        [`${site}/snekmate/utils/context.vy`]: "y: uint256\n",
      },
      "src/Main.vy:Main",
    );
    assert.equal(input.compilerVersion, "0.4.2+commit.c216787f");
    assert.equal(input.contractIdentifier, "src/Main.vy:Main");
    assert.deepEqual(Object.keys(input.stdJsonInput.sources), [
      `${site}/snekmate/auth/ownable.vy`,
      `${site}/snekmate/utils/context.vy`,
      "interfaces/IOther.vyi",
      "lib/m.vy",
      "src/Main.vy",
      "src/beside.vy",
      "src/deep/leaf.vyi",
    ]);
    assert.deepEqual(input.stdJsonInput.interfaces, {
      "src/IThing.json": { content: '[ {"type": "function"} ]' },
    });
    assert.deepEqual(input.stdJsonInput.settings["search_paths"], [site, "."]);
    assert.equal(
      input.stdJsonInput.sources["src/beside.vy"]?.content,
      "from .deep import leaf\n",
      "read as Python reads text",
    );
    assert.equal(input.files.find(({ name }) => name.includes("ownable"))?.origin, "dependency");
  });

  it("keeps imports as interfaces for a compiler before 0.4", async () => {
    const input = await build(
      {
        "contracts/Main.vy":
          "# @version 0.3.10\nfrom vyper.interfaces import ERC20\nimport interfaces.IFoo as IFoo\nfrom interfaces import IBar\n",
        "interfaces/IFoo.vy": "import nowhere as n\n",
        "interfaces/IBar.json": '{"abi": [{"type": "function"}]}',
      },
      "contracts/Main.vy:Main",
    );
    assert.deepEqual(Object.keys(input.stdJsonInput.sources), ["contracts/Main.vy"]);
    assert.deepEqual(input.stdJsonInput.interfaces, {
      "interfaces/IBar.json": { abi: [{ type: "function" }] },
      "interfaces/IFoo.vy": { content: "import nowhere as n\n" },
    });
    assert.equal(input.stdJsonInput.settings["search_paths"], undefined);
  });

  it("warns of stems that collide, which the compiler rejects", async () => {
    const input = await build(
      {
        "Main.vy": "# pragma version 0.4.3\nfrom a import x\nfrom b import x as y\n",
        "a/x.vy": "",
        "b/x.vyi": "z: uint256",
      },
      "Main.vy:Main",
    );
    assert.match(input.warnings.join("\n"), /a\/x\.vy and b\/x\.vyi have one stem/);
    assert.equal(input.findings[0]?.severity, "error");
  });

  it("names the files that exclude each other, the import that is missing and the contract's own name", async () => {
    await assert.rejects(
      build(
        { "Main.vy": "# pragma version 0.4.3\nimport x\n", "x.vy": "\n# pragma version <0.4.1\n" },
        "Main.vy:Main",
      ),
      { code: "no_compiler", message: /Main\.vy, line 1 \(0\.4\.3\) and x\.vy, line 2 \(<0\.4\.1\)/ },
    );
    await assert.rejects(build({ "src/Main.vy": "import x.y as z\n" }, "src/Main.vy:Main"), {
      code: "import_not_found",
      message: /src\/Main\.vy, line 1: the import "x\.y" was not found; looked in src\/x\/y\.vy, x\/y\.vy/,
    });
    await assert.rejects(build({ "Main.vy": "" }, "Main.vy:Vault"), { code: "contract_not_found" });
  });

  it("is the bundle that the project's own compiler made, if there is one", async () => {
    const bundle = {
      language: "Vyper",
      sources: { "src/Main.vy": { content: "# pragma version ^0.4.0\n" } },
      settings: { outputSelection: { "src/Main.vy": ["*"] }, search_paths: ["."] },
      compiler_version: "v0.4.3+commit.bff19ea2",
      integrity: "5bfe",
    };
    const files = {
      "src/Main.vy": "# pragma version ^0.4.0\n",
      "out/Main.json": JSON.stringify(bundle),
      "moccasin.toml": "",
    };
    const input = await build(files, "src/Main.vy:Main");
    assert.equal(input.source, "build-info");
    assert.equal(input.compilerVersion, "0.4.3+commit.bff19ea2");
    assert.equal(input.stdJsonInput.integrity, "5bfe");
    const stale = await build({ ...files, "src/Main.vy": "x: uint256" }, "src/Main.vy:Main");
    assert.match(stale.warnings.join(), /src\/Main\.vy has changed since the build in out\/Main\.json/);
    for (const [name, value] of [
      ["search_paths", 5],
      ["remappings", 5],
      ["remappings", { a: 1 }],
      ["optimizer", null],
    ] as const) {
      const settings = { ...bundle.settings, [name]: value };
      const edited = { ...files, "out/Main.json": JSON.stringify({ ...bundle, settings }) };
      const derived = await build(edited, "src/Main.vy:Main");
      assert.equal(derived.source, "derived", name);
      assert.match(
        derived.warnings.join(),
        new RegExp(`out/Main\\.json holds a setting of a wrong form \\(${name}\\)`),
      );
    }
  });

  it("has the settings of the editor in a folder without a configuration, and those of no other compiler", async () => {
    const defaultSettings = {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: "paris",
      optimize: "codesize",
      experimentalCodegen: true,
      bytecodeMetadata: "no",
    };
    const pragma = "# pragma version 0.4.3\n";
    const plain = await build({ "my-vault.vy": pragma }, "my-vault.vy:my-vault", { defaultSettings });
    assert.deepEqual(plain.stdJsonInput.settings, {
      evmVersion: "paris",
      optimize: "codesize",
      experimentalCodegen: true,
      search_paths: ["."],
      outputSelection: { "my-vault.vy": ["*"] },
    });
    assert.match(plain.warnings.join(), /ledgerLens\.compilerSettings: the setting bytecodeMetadata/);
    const own = await build(
      { "Vault.vy": `${pragma}# pragma optimize none\n# pragma evm-version cancun\n` },
      "Vault.vy:Vault",
      { defaultSettings },
    );
    assert.deepEqual(
      [own.stdJsonInput.settings.evmVersion, own.stdJsonInput.settings["optimize"]],
      [undefined, undefined],
    );
    const foundry = { "Vault.vy": pragma, "foundry.toml": "[profile.default]\nevm_version = 'paris'\n" };
    const configured = await build(foundry, "Vault.vy:Vault", { defaultSettings });
    assert.equal(configured.stdJsonInput.settings.evmVersion, "paris");
    assert.equal(configured.stdJsonInput.settings["optimize"], undefined);
  });
});
