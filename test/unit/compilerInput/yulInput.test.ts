import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { yulObjectOf } from "../../../src/core/languages/yul/yulInput.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import { inputFrom } from "./inputFrom.ts";

const ROOT = "/home/me/yul";

const COUNTER = `/// @use-src 0:"Counter.sol"
// object "Decoy" {}
object "Counter" {
  code {
    datacopy(0, dataoffset("Counter_deployed"), datasize("Counter_deployed"))
    return(0, datasize("Counter_deployed"))
  }
  object "Counter_deployed" {
    code {
      let next := add(sload(0), 1)
      sstore(0, next)
      mstore(0, next)
      return(0, 32)
    }
  }
}
`;

describe("The input of a Yul object", () => {
  const compilers = new SolidityCompilers();
  after(() => compilers.stop());

  it("compiles with every real solc at hand, under the name of its outermost object", async () => {
    for (const compilerVersion of compilers.versions) {
      const input = await inputFrom(ROOT, { "src/Counter.yul": COUNTER }, "src/Counter.yul:Counter", {
        compilerVersion,
      });
      assert.equal(input.contractIdentifier, "src/Counter.yul:Counter");
      assert.equal(input.stdJsonInput.language, "Yul");
      assert.deepEqual(input.findings, []);
      const output = await compilers.compile(compilerVersion, input.stdJsonInput);
      assert.deepEqual(
        (output?.errors ?? []).filter(({ severity }) => severity === "error"),
        [],
      );
      const compiled = output?.contracts?.["src/Counter.yul"]?.["Counter"]?.evm;
      assert.match(compiled?.bytecode.object ?? "", /^[0-9a-f]{20,}$/);
      assert.match(compiled?.deployedBytecode.object ?? "", /^[0-9a-f]{10,}$/);
    }
  });

  it("takes the names that Yul takes: any text", async () => {
    const compilerVersion = compilers.versions.at(-1) ?? "";
    for (const name of ["my-token", "ERC 1167", "1.5", "Vault.v2", "it's"]) {
      const source = COUNTER.replace('object "Counter"', `object "${name}"`);
      const input = await inputFrom(ROOT, { "src/t.yul": source }, `src/t.yul:${name}`, { compilerVersion });
      assert.equal(input.contractIdentifier, `src/t.yul:${name}`);
      const output = await compilers.compile(compilerVersion, input.stdJsonInput);
      assert.match(output?.contracts?.["src/t.yul"]?.[name]?.evm.bytecode.object ?? "", /^[0-9a-f]{20,}$/);
    }
    for (const wrong of ["src/t.sol:my-token", "src/t.yul:", "src/t.yul:a/b"])
      await assert.rejects(inputFrom(ROOT, { "src/t.sol": "", "src/t.yul": "" }, wrong), {
        code: "invalid_contract",
      });
  });

  it("has the optimizer and the EVM version that the project sets for Solidity, and no remappings", async () => {
    const files = {
      "foundry.toml":
        '[profile.default]\nsolc = "0.8.24"\noptimizer = true\noptimizer_runs = 9000\nevm_version = "paris"\nremappings = ["a/=lib/a/"]\n',
      "src/Counter.yul": COUNTER,
    };
    const input = await inputFrom(ROOT, files, "src/Counter.yul:Counter");
    assert.equal(input.compilerVersion, "0.8.24+commit.e11b9ed9");
    const { outputSelection, ...settings } = input.stdJsonInput.settings;
    assert.ok(outputSelection);
    assert.equal(settings.optimizer?.enabled, true);
    assert.equal(settings.optimizer.runs, 9000);
    assert.equal(settings.evmVersion, "paris");
    assert.deepEqual(Object.keys(settings).sort(), ["evmVersion", "optimizer"]);
    const output = await compilers.compile("0.8.24", input.stdJsonInput);
    const code = output?.contracts?.["src/Counter.yul"]?.["Counter"]?.evm.deployedBytecode.object ?? "";
    assert.ok(code.length > 0);
    assert.doesNotMatch(code, /^5f/, "paris has no PUSH0");
  });

  it("names what the file has when it is asked for something else", async () => {
    await assert.rejects(inputFrom(ROOT, { "A.yul": COUNTER }, "A.yul:Counter_deployed"), {
      code: "contract_not_found",
      message: "A.yul has no object Counter_deployed. It has Counter.",
    });
    await assert.rejects(inputFrom(ROOT, { "A.yul": "contract A {}" }, "A.yul:A"), {
      code: "contract_not_found",
    });
    assert.deepEqual(yulObjectOf("// nothing\n{ sstore(0, 1) }"), { name: "object", start: 0 });
    assert.deepEqual(yulObjectOf('/* object "B" */ object "A" { code {} }'), { name: "A", start: 24 });
    assert.equal(yulObjectOf(""), undefined);
  });

  it("of a file without an object is named as solc names it", async () => {
    const input = await inputFrom(ROOT, { "block.yul": "{ sstore(0, 1) }" }, "block.yul:object", {
      compilerVersion: "0.8.37",
    });
    const output = await compilers.compile("0.8.37", input.stdJsonInput);
    assert.match(output?.contracts?.["block.yul"]?.["object"]?.evm.bytecode.object ?? "", /^60|^5f/);
  });
});
