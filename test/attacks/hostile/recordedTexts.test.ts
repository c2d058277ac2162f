import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import { rememberedDisk } from "../../rig/rememberedDisk.ts";
import { SubmissionReview } from "../../../src/core/jobs/submissionReview.ts";
import { writeTree } from "../../oracles/writeTree.ts";
import { builtInput, RECORDS, SOLIDITY_TOOLS } from "./waysIntoInput.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-recorded-")));
after(() => {
  rmSync(base, { recursive: true, force: true });
});

const DEPLOYMENT = { chainId: "296", address: `0x${"12".repeat(20)}` };
let layouts = 0;

/** What would be shown of a contract, with some of the folders of a layout opened. */
async function reviewOf(
  files: Readonly<Record<string, string>>,
  contract: string,
  opened: readonly string[] = [""],
): Promise<SubmissionReview> {
  const top = join(base, String(layouts++));
  writeTree(top, files);
  const folders = opened.map((folder) => join(top, folder));
  const found = await findWorkspaceContract(rememberedDisk, folders, contract);
  const input = await contractInput(rememberedDisk, folders, found);
  return atOnce(SubmissionReview.inPieces("https://sourcify.dev/server", DEPLOYMENT, { ...input, ...found }));
}

const file = ({ shown }: SubmissionReview, unit: string) =>
  shown.files.find((one) => one.unit === unit) ?? assert.fail(`${unit} is not shown`);
const codes = ({ findings }: SubmissionReview) => findings.map(({ code }) => code);

/** The file is pointed out where it is listed, and no agreement covers it. */
function isPointedOut(review: SubmissionReview, unit: string, text: string): void {
  const shown = file(review, unit);
  assert.equal(shown.text, text, "what is shown is what would go");
  assert.equal(shown.isOnDisk, false);
  assert.match(shown.concerns.join(), /not the text of the file/);
  assert.equal(review.scope.isUnremarkable, false);
}

const importing = (path: string) => `pragma solidity ^0.8.0; import "${path}"; contract A {}`;
const PLAIN = "pragma solidity ^0.8.0; contract A {}";
const B = "pragma solidity ^0.8.0; contract B {}";
const MADE_UP = "pragma solidity ^0.8.0; contract B {} // made up, or a file from anywhere";
/** A key of no account, put together so that none stands in the repository. */
const SECRET = `pragma solidity ^0.8.0; // PRIVATE_KEY=${"8f3a1b".repeat(10)}c0de\ncontract B {}`;
const MANIFEST = '{ "name": "pkg", "version": "1.0.0" }';

describe("A text that a record gives for a file that is there, and that is not the file's", () => {
  for (const [tool, { folder, files, name, record }] of Object.entries(RECORDS)) {
    it(`is pointed out where it is imported, and where it goes in a second try, ${tool}`, async () => {
      for (const isNeeded of [true, false]) {
        const [a, b] = [`${folder}/A.sol`, `${folder}/B.sol`];
        const source = isNeeded ? importing("./B.sol") : PLAIN;
        const review = await reviewOf(
          {
            ...files,
            [a]: source,
            [b]: B,
            ...record(builtInput("Solidity", { [name(a)]: source, [name(b)]: MADE_UP })),
          },
          `${a}:A`,
        );
        isPointedOut(review, name(b), MADE_UP);
        assert.equal(file(review, name(b)).onlyIfNeeded, !isNeeded);
        assert.deepEqual(file(review, name(a)).concerns, []);
      }
    });
  }

  it("is pointed out and looked into where it stands for a package's file", async () => {
    const { files, record } = RECORDS["Hardhat 2"];
    const review = await reviewOf(
      {
        ...files,
        "contracts/A.sol": importing("pkg/B.sol"),
        "node_modules/pkg/package.json": MANIFEST,
        "node_modules/pkg/B.sol": B,
        ...record(builtInput("Solidity", { "contracts/A.sol": importing("pkg/B.sol"), "pkg/B.sol": SECRET })),
      },
      "contracts/A.sol:A",
    );
    isPointedOut(review, "pkg/B.sol", SECRET);
    assert.ok(codes(review).includes("possible_secret"), "no registry has it");
  });

  for (const [tool, artifact] of [
    ["Foundry", "out/A.sol/A.json"],
    ["Truffle", "build/contracts/A.json"],
    ["Remix", "contracts/artifacts/A_metadata.json"],
  ] as const) {
    it(`is pointed out where metadata holds it, ${tool}`, async () => {
      const { folder, files } = SOLIDITY_TOOLS[tool];
      const [a, b] = [`${folder}/A.sol`, `${folder}/B.sol`];
      const hash = (text: string) => `0x${bytesToHex(keccak_256(new TextEncoder().encode(text)))}`;
      const metadata = {
        compiler: { version: "0.8.28+commit.7893614a" },
        language: "Solidity",
        settings: { compilationTarget: { [a]: "A" } },
        sources: {
          [a]: { keccak256: hash(importing("./B.sol")) },
          [b]: { keccak256: hash(MADE_UP), content: MADE_UP },
        },
      };
      const kept = artifact.endsWith("_metadata.json") ? metadata : { metadata: JSON.stringify(metadata) };
      const review = await reviewOf(
        { ...files, [a]: importing("./B.sol"), [b]: B, [artifact]: JSON.stringify(kept) },
        `${a}:A`,
      );
      isPointedOut(review, b, MADE_UP);
    });
  }

  it("is still pointed out when it is to go to another service later", async () => {
    const { files, record } = RECORDS["Hardhat 2"];
    const review = await reviewOf(
      {
        ...files,
        "contracts/A.sol": PLAIN,
        ...record(builtInput("Solidity", { "contracts/A.sol": `${PLAIN} // then` })),
      },
      "contracts/A.sol:A",
    );
    const { input: submission, kept, service } = review.agreed();
    const again = atOnce(
      SubmissionReview.ofKeptInPieces(
        "https://other.example",
        { id: "1", service, submission, ...DEPLOYMENT } as never,
        { stdJsonInput: kept.input, files: kept.files ?? [] },
      ),
    );
    isPointedOut(again, "contracts/A.sol", `${PLAIN} // then`);
  });

  it("is no matter where only line endings differ, which tools change by themselves", async () => {
    const { files, record } = RECORDS.Foundry;
    const windows = `${PLAIN}\r\n// Two lines.\r\n`;
    const review = await reviewOf(
      {
        ...files,
        "src/A.sol": windows,
        ...record(builtInput("Solidity", { "src/A.sol": windows.replaceAll("\r\n", "\n") })),
      },
      "src/A.sol:A",
    );
    assert.equal(review.scope.isUnremarkable, true, JSON.stringify(review.findings));
  });
});

describe("JSON that a contract of Vyper imports", () => {
  const ENTRY = { type: "function", name: "f", inputs: [{ name: "x", type: "uint256" }], outputs: [] };
  const review = (json: unknown) =>
    reviewOf(
      {
        "contracts/A.vy": "# pragma version 0.4.3\nimport B\n",
        "contracts/B.json": JSON.stringify(json),
      },
      "contracts/A.vy:A",
    );

  it("asks where it holds more than an interface", async () => {
    for (const more of [
      { abi: [ENTRY], privateKey: "x" },
      [{ ...ENTRY, mnemonic: "x" }],
      [ENTRY, { type: "key", secret: "x" }],
      [
        {
          ...ENTRY,
          inputs: [{ name: "x", type: "tuple", components: [{ name: "y", type: "uint8", note: "x" }] }],
        },
      ],
    ]) {
      const made = await review(more);
      assert.deepEqual(codes(made), ["not_a_source"], JSON.stringify(more));
      assert.match(file(made, "contracts/B.json").concerns.join(), /more than an interface \(\w+\)/);
    }
  });

  it("asks for nothing as an ABI, or as the artifact of a contract", async () => {
    for (const plain of [
      [ENTRY],
      { abi: [ENTRY] },
      { _format: "hh-sol-artifact-1", contractName: "B", abi: [ENTRY], bytecode: "0x" },
    ])
      assert.deepEqual(codes(await review(plain)), []);
  });
});

describe("A program that agrees to publish beforehand", () => {
  const notConfirmed = (code: string) => ({
    code: "not_confirmed",
    message: new RegExp(`So nothing was sent.*confirmFindings: \\["${code}"\\]`),
  });

  for (const [what, files, code, opened] of [
    [
      "a possible secret",
      { "contracts/A.sol": importing("./B.sol"), "contracts/B.sol": SECRET },
      "possible_secret",
    ],
    ["what is no source", { "contracts/A.sol": importing("../.env"), ".env": "// KEY=1" }, "not_a_source"],
    [
      "a file of another open folder",
      {
        "one/contracts/A.sol": importing("two/B.sol"),
        "one/remappings.txt": "two/=../two/\n",
        "two/B.sol": B,
      },
      "other_folder",
      ["one", "two"],
    ],
  ] as readonly (readonly [string, Record<string, string>, string, (readonly string[])?])[]) {
    it(`has to say that it knows of ${what}`, async () => {
      const review = await reviewOf(files, "contracts/A.sol:A", opened);
      assert.throws(() => review.agreedUnseen([]), notConfirmed(code));
      assert.throws(() => review.agreedUnseen(["settings_changed"]), notConfirmed(code));
      assert.equal(review.agreedUnseen([code]).request.body, review.agreed().request.body);
      assert.equal(review.scope.isUnremarkable, false);
    });
  }

  it("has to say no more for files of its project, its dependencies and its monorepo", async () => {
    const review = await reviewOf(
      {
        "core/foundry.toml": '[profile.default]\nremappings = ["shared/=../shared/"]\n',
        "core/src/A.sol": importing("shared/B.sol"),
        "shared/B.sol": B,
      },
      "core/src/A.sol:A",
    );
    review.agreedUnseen([]);
    assert.equal(review.scope.isUnremarkable, false, "a person is asked");
  });
});

describe("A secret in what is sent besides the files", () => {
  it("is pointed out in the settings of a record", async () => {
    const { files, record } = RECORDS["Hardhat 2"];
    const settings = { remappings: [`PRIVATE_KEY=0x${"8f3a1b".repeat(10)}c0de`] };
    const input = { ...builtInput("Solidity", { "contracts/A.sol": PLAIN }), settings };
    const review = await reviewOf(
      { ...files, "contracts/A.sol": PLAIN, ...record(input) },
      "contracts/A.sol:A",
    );
    assert.ok(codes(review).includes("possible_secret"), JSON.stringify(review.findings));
    assert.equal(review.scope.isUnremarkable, false);
  });
});

describe("A package above the opened folder", () => {
  it("is none where its description lies elsewhere", async () => {
    const files = {
      "node_modules/pkg/B.sol": B,
      "node_modules/pkg/package.json": "->../../package.json",
      "package.json": MANIFEST,
      "open/contracts/A.sol": importing("pkg/B.sol"),
    };
    await assert.rejects(reviewOf(files, "contracts/A.sol:A", ["open"]), { code: "import_outside_project" });
  });
});
