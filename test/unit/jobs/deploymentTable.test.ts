import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import {
  deploymentRows,
  deploymentTable,
  tableSummary,
  type DeploymentRow,
  type LookedAt,
} from "../../../src/core/jobs/deploymentTable.ts";

const address = (at: number) => `0x${String(at).padStart(2, "0").repeat(20)}`;
const place = (at: number, chainId = "296") => ({ chainId, address: address(at) });

/** The cells of the one table of a text, as a real reader of Markdown has them, without their tags. */
function cellsOf(markdown: string): {
  readonly cells: readonly (readonly string[])[];
  readonly html: string;
} {
  const vsce = createRequire(createRequire(import.meta.url).resolve("@vscode/vsce/package.json"));
  const reader = (vsce("markdown-it") as () => { render(text: string): string })();
  const html = reader.render(markdown);
  const plain = (text: string) =>
    text
      .replace(/<\/?code>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
  const cells = [...html.matchAll(/<tr>\n([^]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd]>([^]*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)),
  );
  return { cells, html };
}

describe("A table of deployments", () => {
  it("is one table with a cell for each thing, whatever stands in names and sentences", () => {
    const hostile = [
      "contracts/a|b.vy:a|b",
      "contracts/a\\|b.vy:x",
      "contracts/`tick`.vy:`t",
      "src/A.sol:A\n| forged | row |",
      "src/[x](command:y).sol:A",
      "src/<img src=x>.sol:*A*_b_~~c~~",
      "src/&lt;.sol:A",
      "src/A.sol:A",
    ];
    const rows: DeploymentRow[] = hostile.map((contract, at) => ({
      ...place(at),
      contract,
      verdict: "mismatch",
      reason: `It says "${contract}".\r\n\r\n# No\n| end |`,
    }));
    const { cells, html } = cellsOf(deploymentTable(rows, "work tree"));
    assert.deepEqual(cells[0], ["Address", "Contract", "Commit", "Verdict"]);
    assert.equal(cells.length, hostile.length + 1);
    assert.equal(html.match(/<table>/g)?.length, 1);
    assert.doesNotMatch(html.replace(/<\/?(?:table|thead|tbody|tr|th|td|code)>/g, ""), /<\w/);
    hostile.forEach((contract, at) => {
      const [shownAddress, name = "", files, verdict = ""] = cells[at + 1] ?? [];
      // Line breaks are spaces, and links get one.
      const line = contract.replace("\n", " ").replace("](", "] (");
      assert.deepEqual([shownAddress, files], [address(at), "work tree"]);
      assert.equal(name, line);
      assert.equal(verdict, `no match: It says "${line}". # No | end |`);
    });
  });

  it("has whole ids, the chain where there are several, and says what was not looked at", () => {
    const commit = "0123456789abcdef0123456789abcdef01234567";
    const rows: DeploymentRow[] = [
      {
        ...place(1),
        contract: "src/A.sol:A",
        commit,
        date: "2026-01-02T03:04:05.000Z",
        verdict: "exact_match",
      },
      { ...place(2, "1"), reason: "Nothing is deployed at this address." },
    ];
    const { cells } = cellsOf(deploymentTable(rows, "commits"));
    assert.deepEqual(cells, [
      ["Chain", "Address", "Contract", "Commit", "Verdict"],
      ["Hedera Testnet (296)", address(1), "src/A.sol:A", `${commit} 2026-01-02`, "exact match"],
      ["Ethereum Mainnet (1)", address(2), "unknown", "–", "unknown: Nothing is deployed at this address."],
    ]);
    assert.equal(tableSummary(rows), "2 deployments: 1 exact match, 1 unknown");
  });
});

describe("Looking at many deployments", () => {
  const look =
    (answers: Readonly<Record<string, LookedAt | Error>>, asked: string[] = []) =>
    (one: { readonly address: string }): Promise<LookedAt> => {
      asked.push(one.address);
      const answer = answers[one.address] ?? { verdict: "match" as const };
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };

  it("asks for each once and tells in its row what fails, which stops nothing", async () => {
    const asked: string[] = [];
    const failures: unknown[] = [];
    const progress: string[] = [];
    const broken = new TypeError("x is undefined");
    const rows = await deploymentRows({
      deployments: [place(1), place(2), { ...place(1) }, place(3), place(4)],
      atOnce: 1,
      look: look(
        {
          [address(2)]: new LedgerLensError("not_deployed", "Nothing is deployed at this address."),
          [address(3)]: broken,
        },
        asked,
      ),
      onFailure: (error) => failures.push(error),
      onProgress: (done, all) => progress.push(`${done}/${all}`),
    });
    assert.deepEqual(asked, [1, 2, 3, 4].map(address));
    assert.deepEqual(
      rows.map(({ verdict, reason }) => verdict ?? reason),
      [
        "match",
        "Nothing is deployed at this address.",
        "Ledger Lens failed unexpectedly: x is undefined. The log has the details.",
        "match",
      ],
    );
    assert.equal(failures.length, 2);
    assert.equal(failures[1], broken);
    assert.deepEqual(progress, ["0/4", "1/4", "2/4", "3/4", "4/4"]);
  });

  it("leaves what was not begun when it is cancelled, and keeps what was found", async () => {
    const abort = new AbortController();
    const rows = await deploymentRows({
      deployments: [1, 2, 3].map((at) => place(at)),
      atOnce: 1,
      look: (one) => {
        if (one.address !== address(2)) return Promise.resolve({ verdict: "exact_match" });
        abort.abort();
        return Promise.reject(new LedgerLensError("cancelled", "The command was cancelled."));
      },
      onFailure: (error) => assert.fail(String(error)),
      onProgress: () => undefined,
      signal: abort.signal,
    });
    assert.deepEqual(
      rows.map(({ verdict, reason }) => verdict ?? reason),
      ["exact_match", ...Array<string>(2).fill("Not looked at: the command was cancelled.")],
    );
  });

  it("says that a person declined what a row needs, and goes on", async () => {
    const rows = await deploymentRows({
      deployments: [place(1), place(2)],
      atOnce: 2,
      look: look({ [address(1)]: new LedgerLensError("cancelled", "The command was cancelled.") }),
      onFailure: () => undefined,
      onProgress: () => undefined,
    });
    assert.deepEqual(
      rows.map(({ verdict, reason }) => verdict ?? reason),
      ["Nothing was compiled: what it needs was declined.", "match"],
    );
  });
});
