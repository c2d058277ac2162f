import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import {
  deploymentRows,
  deploymentTable,
  tableSummary,
  type DeploymentRow,
  type DeploymentResult,
} from "../../../src/core/jobs/deploymentTable.ts";
import { ReachedChains } from "../../../src/core/jobs/reachedChains.ts";

const address = (at: number) => `0x${String(at).padStart(2, "0").repeat(20)}`;
const place = (at: number, chainId = "296") => ({ chainId, address: address(at) });

/** The cells of the one table of a text, as a real reader of Markdown has them, without their tags. */
function cellsOf(
  markdown: string,
  options: object = {},
): {
  readonly cells: readonly (readonly string[])[];
  readonly html: string;
} {
  const vsce = createRequire(createRequire(import.meta.url).resolve("@vscode/vsce/package.json"));
  const reader = (vsce("markdown-it") as (options: object) => { render(text: string): string })(options);
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

  it("makes no link of an address that a name or a node's words have", () => {
    const said = "See https://evil.example/x, www.evil.example or ask a@evil.example (HTTP://EVIL.example).";
    const row = { ...place(1), contract: "src/`www.evil.example`.vy:x", reason: said };
    const markdown = deploymentTable([row], "work tree");
    const { cells, html } = cellsOf(markdown, { linkify: true });
    assert.doesNotMatch(html, /<a\b/);
    assert.deepEqual(cells[1]?.slice(1), ["src/`www.evil.example`.vy:x", "–", `unknown: ${said}`]);
  });

  it("is made of 1,000 rows whose texts are long and hostile, of bounded size", () => {
    const text = `| [a](command:b) \u202e \`<b>${"x".repeat(20_000)}`;
    const rows = Array.from({ length: 1_000 }, (_one, at) => ({ ...place(at % 90), reason: text }));
    const markdown = deploymentTable(rows, "work tree");
    assert.equal(markdown.split("\n").length, 1_003);
    assert.ok(markdown.length < 1_000 * 1_300, `${markdown.length}`);
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
    (answers: Readonly<Record<string, DeploymentResult | Error>>, asked: string[] = []) =>
    (one: { readonly address: string }): Promise<DeploymentResult> => {
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

describe("Many deployments on a chain that does not answer", () => {
  const down = new LedgerLensError(
    "unreachable",
    "The chain's node can't be reached. Check ledgerLens.rpcUrls.",
  );
  const late = new LedgerLensError("timeout", "The chain's node did not answer in time. Try again.");

  /** Looks at deployments, of which the chain says what a list has. */
  async function lookedAt(
    deployments: readonly { readonly chainId: string; readonly address: string }[],
    answerOf: (chainId: string, asked: number) => LedgerLensError | undefined,
  ) {
    const reached = new ReachedChains();
    const asked: string[] = [];
    const rows = await deploymentRows({
      deployments,
      atOnce: 1,
      look: (one) =>
        reached.ask(one, () => {
          asked.push(one.chainId);
          const error = answerOf(one.chainId, asked.length);
          return error ? Promise.reject(error) : Promise.resolve({ verdict: "match" as const });
        }),
      onFailure: () => undefined,
      onProgress: () => undefined,
    });
    return { rows, asked, reached };
  }

  const many = (chainId: string) =>
    Array.from({ length: 100 }, (_one, at) => ({ chainId, address: `0x${String(at).padStart(40, "0")}` }));

  it("wait for the first of them alone, and those of other chains are looked at", async () => {
    const places = [...many("296"), ...many("1")];
    const { rows, asked, reached } = await lookedAt(places, (chainId) =>
      chainId === "296" ? down : undefined,
    );
    assert.equal(asked.length, 101);
    assert.equal(rows[0]?.reason, down.message);
    assert.equal(rows[99]?.reason, "Not looked at: Hedera Testnet (296) was not reached.");
    assert.equal(rows.filter(({ verdict }) => verdict === "match").length, 100);
    assert.equal(reached.sentence, `Hedera Testnet (296): ${down.message}`);
    assert.deepEqual(
      places.map((one) => reached.isLeft(one)),
      places.map(({ chainId }) => chainId === "296"),
    );
  });

  it("go on after a single late answer, and end after two in a row", async () => {
    const once = await lookedAt(many("296"), (_chain, asked) => (asked % 2 === 0 ? late : undefined));
    assert.equal(once.asked.length, 100);
    assert.equal(once.reached.sentence, undefined);
    const ever = await lookedAt(many("296"), () => late);
    assert.equal(ever.asked.length, 2);
    assert.equal(ever.reached.sentence, `Hedera Testnet (296): ${late.message}`);
  });

  it("are each asked for where what fails concerns a single contract", async () => {
    const refused = new LedgerLensError("rpc_error", "The chain's node refused.");
    const { asked, reached } = await lookedAt(many("296"), () => refused);
    assert.equal(asked.length, 100);
    assert.equal(reached.sentence, undefined);
  });
});
