import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { repositoryRoot } from "../../rig/paths.ts";

/** Adds a line to a table of the copy, with its import. */
function addLine(table: string, opening: RegExp, line: string, imported: string): void {
  const text = readFileSync(table, "utf8");
  assert.match(text, opening);
  writeFileSync(table, `${imported}\n${text.replace(opening, (found) => `${found}${line}`)}`);
}

describe("A new build tool and a new language", () => {
  const copy = mkdtempSync(join(tmpdir(), "ledger-lens-tables-"));
  let seen: Record<string, unknown>;
  before(async () => {
    for (const part of ["src/core", "test/unit/house/invented", "test/unit/files", "test/unit/compilerInput"])
      cpSync(join(repositoryRoot, part), join(copy, part), { recursive: true });
    cpSync(
      join(repositoryRoot, "test/unit/workspace/mapFinder.ts"),
      join(copy, "test/unit/workspace/mapFinder.ts"),
    );
    cpSync(join(repositoryRoot, "package.json"), join(copy, "package.json"));
    symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
    const core = join(copy, "src/core");
    const invented = "../../../test/unit/house/invented";
    addLine(
      join(core, "tools/tool.ts"),
      /const TOOLS: readonly BuildTool\[\] = \[/,
      "tinker, ",
      `import { tinker } from "${invented}/tinker.ts";`,
    );
    addLine(
      join(core, "languages/language.ts"),
      /const LANGUAGES: [^\n]*= \{/,
      "Quill: quill, ",
      `import { quill } from "${invented}/quill.ts";`,
    );
    addLine(
      join(core, "languages/rules.ts"),
      /const RULES: [^\n]*= \{/,
      "Quill: quillRules, ",
      `import { quillRules } from "${invented}/quill.ts";`,
    );
    const program = join(copy, "test/unit/house/invented/workspace.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 120_000 });
    seen = JSON.parse(stdout) as Record<string, unknown>;
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it("finds the project by the tool's configuration, and calls the tool by its name", () => {
    assert.deepEqual(seen["project"], { root: "/home/me/bench", tools: ["Tinker & Sons"] });
  });

  it("watches what the tool and the language read and write", () => {
    assert.deepEqual(seen["watched"], [
      "tinker.json",
      "workshop/Kite.sol",
      "workshop/Ode.quill",
      "workshop/rhymes.feather",
      "crates/line/Line.sol",
      "crates/line/Knot.quill",
      "assembled/Spare.sol",
      "flights/first.launch",
      "flights/torn.launch",
    ]);
    assert.equal(seen["inkpot"], true);
  });

  it("lists one's own contracts, and neither dependencies nor what the tool made", () => {
    assert.deepEqual(seen["contracts"], ["workshop/Kite.sol:Kite", "workshop/Ode.quill:Ode"]);
  });

  it("makes the compiler input as the tool's rules say, with what the tool declares as dependency", () => {
    const { version, ...kite } = seen["kite"] as Record<string, unknown>;
    assert.match(String(version), /^0\.8\.24\+commit\./);
    assert.deepEqual(kite, {
      identifier: "workshop/Kite.sol:Kite",
      sources: ["crates/line/Line.sol", "workshop/Kite.sol"],
      optimizer: { enabled: true, runs: 77 },
      origins: ["project", "dependency"],
    });
  });

  it("makes the compiler input of a contract in the language by the language's own rules", () => {
    assert.deepEqual(seen["ode"], {
      version: "3.1.0+quill",
      identifier: "workshop/Ode.quill:Ode",
      language: "Quill",
      findings: [],
    });
  });

  it("lists what the tool deployed, by the recorder's name on screen, and where its records are", () => {
    assert.deepEqual(seen["deployments"], [
      { contract: "workshop/Kite.sol:Kite", chainId: "295", by: "Tinker Launch", isOurs: true },
    ]);
    assert.deepEqual(seen["unreadable"], ["flights/torn.launch"]);
    assert.deepEqual(seen["places"], ["flights"]);
  });

  it("shows lenses in sources of the language, and names its compiler", () => {
    assert.equal(seen["screen"], "quillc");
    assert.equal(seen["lenses"], true);
  });
});
