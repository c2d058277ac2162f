import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildRecordOf } from "../../../src/core/compilerInput/buildRecord.ts";
import { inputFrom } from "./inputFrom.ts";

const ROOT = "/home/me/conflict";

describe("When no solc satisfies every file", () => {
  const solidity = (pragma: string, ...imports: readonly string[]) =>
    `// a line\npragma solidity ${pragma};\n${imports.map((path) => `import "./${path}";\n`).join("")}`;

  it("the two files that exclude each other are named, and no other", async () => {
    const files = {
      "A.sol": `${solidity("^0.8.0", "B.sol", "C.sol")}contract A {}`,
      "B.sol": solidity(">=0.6.0", "D.sol"),
      "C.sol": solidity("<0.8.20"),
      "D.sol": solidity(">=0.8.20 <0.9.0"),
    };
    await assert.rejects(inputFrom(ROOT, files, "A.sol:A"), {
      code: "no_compiler",
      message:
        "No released solc satisfies C.sol, line 2 (<0.8.20) and D.sol, line 2 (>=0.8.20 <0.9.0). Change a pragma or give the compiler version.",
    });
  });

  it("a file that no release satisfies stands alone, also for two pragmas in one file", async () => {
    await assert.rejects(
      inputFrom(
        ROOT,
        { "A.sol": `${solidity("^0.8.0", "B.sol")}contract A {}`, "B.sol": solidity("0.8.99") },
        "A.sol:A",
      ),
      { message: /^No released solc satisfies B\.sol, line 2 \(0\.8\.99\)\. / },
    );
    await assert.rejects(
      inputFrom(
        ROOT,
        { "A.sol": "pragma solidity ^0.8.0;\npragma solidity ^0.7.0;\ncontract A {}" },
        "A.sol:A",
      ),
      { message: /satisfies A\.sol, line 1 \(\^0\.8\.0\) and A\.sol, line 2 \(\^0\.7\.0\)\./ },
    );
  });

  it("three files are named where every two of them could be compiled", async () => {
    const files = {
      "A.sol": `${solidity("0.8.1 || 0.8.2", "B.sol", "C.sol", "E.sol")}contract A {}`,
      "B.sol": solidity("0.8.2 || 0.8.3"),
      "C.sol": solidity("0.8.1 || 0.8.3"),
      "E.sol": solidity("^0.8.0"),
    };
    await assert.rejects(inputFrom(ROOT, files, "A.sol:A"), {
      message: /satisfies A\.sol, line 2 \(.*\) and B\.sol, line 2 \(.*\) and C\.sol, line 2 \([^)]*\)\. /,
    });
  });
});

describe("When no Vyper satisfies every file", () => {
  const vyper = (pragma: string, ...imports: readonly string[]) =>
    `# a line\n#pragma version ${pragma}\n${imports.map((name) => `import ${name}\n`).join("")}`;

  it("the two files that exclude each other are named, and no other", async () => {
    const files = {
      "Main.vy": vyper("^0.4.0", "b", "c"),
      "b.vy": vyper(">=0.4.0", "d"),
      "c.vy": vyper("~=0.4.1"),
      "d.vy": vyper("<0.4.1"),
    };
    await assert.rejects(inputFrom(ROOT, files, "Main.vy:Main"), {
      code: "no_compiler",
      message:
        "No released Vyper satisfies c.vy, line 2 (~=0.4.1) and d.vy, line 2 (<0.4.1). Change a pragma or give the compiler version.",
    });
  });

  it("the configuration is one of them, with its line", async () => {
    const files = {
      "ape-config.yaml": "name: vault\nvyper:\n  # for everything\n  version: 0.3.10\n",
      "Main.vy": vyper("^0.4.0"),
    };
    await assert.rejects(inputFrom(ROOT, files, "Main.vy:Main"), {
      message:
        "No released Vyper satisfies ape-config.yaml, line 4 (0.3.10) and Main.vy, line 2 (^0.4.0). Change a pragma or the configuration.",
    });
  });

  it("a prerelease serves where no release does", async () => {
    const input = await inputFrom(ROOT, { "Main.vy": vyper("^0.5.0a1") }, "Main.vy:Main");
    assert.equal(input.compilerVersion, "0.5.0b1+commit.577d2534");
    const released = await inputFrom(ROOT, { "Main.vy": vyper(">=0.4.0") }, "Main.vy:Main");
    assert.equal(released.compilerVersion, "0.4.3+commit.bff19ea2");
  });
});

describe("The compiler that the deployed code names", () => {
  it("goes before the newest release, and after the configuration", async () => {
    const files = { "Main.vy": "# pragma version ~=0.4.0\n" };
    const deployed = await inputFrom(ROOT, files, "Main.vy:Main", { deployedCompilerVersion: "0.4.1" });
    assert.equal(deployed.compilerVersion, "0.4.1+commit.8a93dd27");
    assert.equal(deployed.compilerReason, "the one that the deployed code names");
    const configured = await inputFrom(
      ROOT,
      { ...files, "ape-config.yaml": "vyper:\n  version: '>=0.4.0,<0.4.3'\n" },
      "Main.vy:Main",
      { deployedCompilerVersion: "0.4.1" },
    );
    assert.equal(configured.compilerVersion, "0.4.2+commit.c216787f");
    assert.equal(configured.compilerReason, "set in ape-config.yaml");
  });

  it("goes before the one in the project's virtual environment", async () => {
    const files = {
      "Main.vy": "# pragma version ~=0.4.0\n",
      "my-env/pyvenv.cfg": "home = /usr/bin\n",
      "my-env/lib/python3.12/site-packages/vyper-0.4.2.dist-info/METADATA": "Name: vyper\n",
    };
    const input = await inputFrom(ROOT, files, "Main.vy:Main");
    assert.equal(input.compilerVersion, "0.4.2+commit.c216787f");
    assert.equal(input.compilerReason, "the one in the project's virtual environment");
    const deployed = await inputFrom(ROOT, files, "Main.vy:Main", { deployedCompilerVersion: "0.4.1" });
    assert.equal(deployed.compilerVersion, "0.4.1+commit.8a93dd27");
  });

  it("is not taken when a pragma excludes it, which is said", async () => {
    const input = await inputFrom(ROOT, { "Main.vy": "# pragma version ~=0.4.1\n" }, "Main.vy:Main", {
      deployedCompilerVersion: "0.3.10",
    });
    assert.equal(input.compilerVersion, "0.4.3+commit.bff19ea2");
    assert.match(
      input.warnings.join(),
      /compiled by Vyper 0\.3\.10, which Main\.vy, line 1 \(~=0\.4\.1\) excludes/,
    );
  });

  it("is not taken when it is on no list, which is said", async () => {
    for (const [files, contract] of [
      [{ "Main.vy": "# pragma version >=0.4.1\n" }, "Main.vy:Main"],
      [{ "A.sol": "pragma solidity >=0.8.0; contract A {}" }, "A.sol:A"],
    ] as const) {
      const input = await inputFrom(ROOT, files, contract, { deployedCompilerVersion: "0.97.0" });
      assert.match(input.warnings.join(), /0\.97\.0, which Ledger Lens does not know; refresh the list/);
    }
  });

  it("is one of a refreshed list, too", async () => {
    const input = await inputFrom(ROOT, { "Main.vy": "# pragma version >=0.4.1\n" }, "Main.vy:Main", {
      deployedCompilerVersion: "0.6.0",
      releases: { vyper: ["0.4.3+commit.bff19ea2", "0.6.0+commit.01234567", "0.6.1+commit.01234567"] },
    });

    it("is one of a refreshed list in the record of a build, too", () => {
      const input = { language: "Vyper", sources: { "Main.vy": { content: "" } }, settings: {} };
      const record = (version: string) =>
        buildRecordOf({ solcVersion: version, input }, "/record.json", {
          vyper: ["0.4.3+commit.bff19ea2", "0.6.0+commit.01234567"],
        });
      const found = record("0.6.0");
      assert.ok(found && "compilerVersion" in found);
      assert.equal(found.compilerVersion, "0.6.0+commit.01234567");
      assert.ok("reason" in (record("0.6.1") ?? {}));
    });
    assert.equal(input.compilerVersion, "0.6.0+commit.01234567");
  });
});
