import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withFoundrySettings } from "../../../../src/core/tools/foundry/foundryEdit.ts";

const PLAIN = `# The project
[profile.default]
src = "src"
solc_version = "0.8.20" # pinned
optimizer_runs = 200

[profile.ci]
optimizer_runs = 1

[rpc_endpoints]
main = "https://node.example"
`;

describe("Settings that are written into foundry.toml", () => {
  it("change their own lines and nothing else", async () => {
    assert.equal(
      await withFoundrySettings(PLAIN, {
        compilerVersion: "0.8.28+commit.7893614a",
        settings: { optimizer: { enabled: true, runs: 1_000_000 } },
      }),
      PLAIN.replace("[profile.default]\n", "[profile.default]\noptimizer = true\n")
        .replace('"0.8.20" # pinned', '"0.8.28" # pinned')
        .replace("optimizer_runs = 200", "optimizer_runs = 1000000"),
    );
  });

  it("keep the line endings and the spelling of the file", async () => {
    const text = "[profile.default]\r\nvia-ir = false\r\n";
    assert.equal(
      await withFoundrySettings(text, { settings: { viaIR: true, evmVersion: "paris" } }),
      '[profile.default]\r\nevm_version = "paris"\r\nvia-ir = true\r\n',
    );
  });

  it("say the default for what is taken out", async () => {
    const text = '[profile.default]\nrevert_strings = "strip"\n';
    assert.equal(
      await withFoundrySettings(text, { settings: { debug: null } }),
      '[profile.default]\nrevert_strings = "default"\n',
    );
  });

  it("are not written where the file is not plain, or does not know them", async () => {
    const wanted = { settings: { optimizer: { runs: 5 } } };
    for (const text of [
      "profile.default.optimizer_runs = 200\n",
      "[profile]\ndefault = { optimizer_runs = 200 }\n",
      "[profile.default]\noptimizer_runs = [\n200 ]\n",
      '[profile.default]\nnote = """\noptimizer_runs = 1\n"""\noptimizer_runs = 0x10\n',
      "[profile.default]\n[profile.default]\n",
      "not toml",
      "",
    ])
      assert.equal(await withFoundrySettings(text, wanted), undefined, text);
    for (const settings of [
      { optimizer: { details: { yul: false } } },
      { libraries: { "A.sol": { A: "0x1" } } },
      { evmVersion: null },
      { remappings: null },
    ])
      assert.equal(await withFoundrySettings(PLAIN, { settings }), undefined, JSON.stringify(settings));
  });
});
