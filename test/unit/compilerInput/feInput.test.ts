import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { completeFeVersion, feContractsIn } from "../../../src/core/languages/fe/feInput.ts";
import { inputFrom } from "./inputFrom.ts";

const ROOT = "/home/me/fe";
const VERSION = "26.0.0-alpha.12";
const COUNTER = `// pub contract Decoy {}
pub contract Counter {
    mut store: CounterStore
}
`;

describe("The input of a Fe contract", () => {
  const INGOT = '[ingot]\nname = "counter"\nversion = "0.1.0"\n';

  it("is its ingot: every file below src, named from there on", async () => {
    const input = await inputFrom(
      ROOT,
      {
        "packages/counter/fe.toml": INGOT,
        "packages/counter/src/lib.fe": COUNTER,
        "packages/counter/src/store/mod.fe": "pub struct CounterStore { value: u256 }\n",
        "packages/counter/src/empty.fe": "",
        "packages/counter/src/notes.md": "no source",
        "packages/counter/tests/test.fe": "no source of the ingot",
      },
      "packages/counter/src/lib.fe:Counter",
      { compilerVersion: `v${VERSION}` },
    );
    assert.equal(input.contractIdentifier, "src/lib.fe:Counter");
    assert.equal(input.compilerVersion, VERSION);
    assert.deepEqual(input.stdJsonInput, {
      language: "Fe",
      sources: {
        "src/lib.fe": { content: COUNTER },
        "src/store/mod.fe": { content: "pub struct CounterStore { value: u256 }\n" },
      },
      settings: {},
    });
    assert.deepEqual(input.findings, []);
    assert.equal(input.project, `${ROOT}/packages/counter`);
  });

  it("is the file alone where there is no ingot", async () => {
    const input = await inputFrom(
      ROOT,
      { "a/Counter.fe": COUNTER, "a/other.fe": "" },
      "a/Counter.fe:Counter",
      {
        compilerVersion: VERSION,
      },
    );
    assert.equal(input.contractIdentifier, "src/Counter.fe:Counter");
    assert.deepEqual(Object.keys(input.stdJsonInput.sources), ["src/Counter.fe"]);
  });

  it("has the compiler of the build's metadata, or asks for one", async () => {
    const files = { "fe.toml": INGOT, "src/lib.fe": COUNTER };
    const metadata = JSON.stringify({
      language: "Fe",
      compiler: { version: "26.0.0" },
      settings: { compilationTarget: { "src/lib.fe": "Counter" } },
    });
    const built = await inputFrom(
      ROOT,
      { ...files, "out/Counter.metadata.json": metadata },
      "src/lib.fe:Counter",
    );
    assert.equal(built.compilerVersion, "26.0.0");
    assert.equal(built.compilerReason, "the one that built it");
    await assert.rejects(inputFrom(ROOT, files, "src/lib.fe:Counter"), {
      code: "no_compiler",
      message: "Nothing says which Fe compiled Counter. Give the compiler version, such as 26.0.0-alpha.12.",
    });
  });

  it("tells what of the ingot the service leaves out", async () => {
    const files = {
      "fe.toml": `${INGOT}arithmetic = "unchecked"\n\n[dependencies]\nmath = { path = "../math" }\n`,
      "src/lib.fe": COUNTER,
    };
    const { findings } = await inputFrom(ROOT, files, "src/lib.fe:Counter", { compilerVersion: VERSION });
    assert.deepEqual(
      findings.map(({ code, severity }) => [code, severity]),
      [
        ["beyond_the_service", "error"],
        ["beyond_the_service", "error"],
      ],
    );
    assert.match(findings[0]?.sentence ?? "", /depends on math/);
  });

  it("needs a public contract of that name and a compiler that the service has", async () => {
    assert.deepEqual(feContractsIn(COUNTER), [{ name: "Counter", start: 38 }]);
    await assert.rejects(inputFrom(ROOT, { "A.fe": COUNTER }, "A.fe:Decoy", { compilerVersion: VERSION }), {
      code: "contract_not_found",
      message: /It has Counter\./,
    });
    for (const known of [VERSION, "26.0.0-alpha.13", "26.0.0-beta.1", "26.0.0", "26.1.0", "27.0.0-alpha.1"])
      assert.equal(completeFeVersion(known), known);
    for (const unknown of ["26.0.0-alpha.11", "0.26.0", "25.9.9", "26", "latest"])
      assert.throws(() => completeFeVersion(unknown), { code: "invalid_compiler_version" });
  });
});
