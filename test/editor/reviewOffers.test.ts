import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { moveTo, press, pressUntil, takeLine } from "./pressing.ts";
import { watchScreen, type Screen, type ShownQuestion } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";
import { withCompiler } from "./workspaceCompiler.ts";

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const CONTRACT = "contracts/Vault.sol:Vault";

interface Answer {
  readonly status: string;
  readonly job: { readonly contract: { readonly address: string } } | null;
}

async function rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(world().rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return ((await response.json()) as { result: T }).result;
}

let addresses = 0;

/** An address that no other test used, with a code. */
async function deployed(code: string): Promise<string> {
  const address = `0x${(0x0ffe0000 + ++addresses).toString(16).padStart(40, "0")}`;
  await rpc("anvil_setCode", [address, code]);
  return address;
}

const codeAt = (address: string) => rpc<string>("eth_getCode", [address, "latest"]);

describe("The review offers what the deployed code shows", () => {
  let screen: Screen;
  /** What the last command came to, which says why there is no review any more. */
  let ended: string | undefined;

  before(() => {
    screen = watchScreen();
  });

  beforeEach(() => vscode.commands.executeCommand("ledgerLens.askBeforePublishing", {}));
  afterEach(() => press("hide"));
  after(() => screen.stop());

  async function verify(address: string): Promise<Answer | undefined> {
    const { chainId } = world();
    ended = undefined;
    try {
      const answer = await vscode.commands.executeCommand<Answer>("ledgerLens.verifyThis", {
        contract: CONTRACT,
        chainId,
        address,
      });
      ended = `It came to ${answer.status}.`;
      return answer;
    } catch (error) {
      ended = String(error);
      return undefined;
    }
  }

  /** The review that is on the screen. */
  const openReview = () =>
    screen.questions.findLast(({ isOpen }) => isOpen) ??
    assert.fail(
      `No review is open. ${ended ?? "It is not ended."} Messages: ${screen.messages.slice(-3).join(" ")}`,
    );

  /** The same, once it shows what is looked for. */
  const review = (look: (question: ShownQuestion) => void) =>
    eventually(() => {
      const open = openReview();
      look(open);
      return open;
    });

  /** Chooses a line, once it is there, and looks at the review that comes of it. */
  const choose = async (line: RegExp, look: (question: ShownQuestion) => void) => {
    await pressUntil(
      ["accept"],
      () => look(openReview()),
      () => {
        assert.match(openReview().lines.join("\n"), line);
        return moveTo(screen, line);
      },
    );
    return openReview();
  };

  /** Submits what is shown. */
  async function submit(done: Promise<Answer | undefined>): Promise<Answer> {
    let answer: Answer | undefined;
    void done.then((value) => (answer = value));
    await pressUntil(
      ["accept"],
      () => assert.ok(answer),
      () => {
        assert.ok(screen.questions.at(-1)?.isOpen);
        return moveTo(screen, /Submit to /);
      },
    );
    return answer ?? assert.fail("no answer");
  }

  it("first of all the contract behind a proxy, and goes on with its address", async () => {
    const behind = await deployed(await codeAt(vault(1).address));
    const proxy = await deployed(`0x363d3d373d3d3d363d73${behind.slice(2)}5af43d82803e903d91602b57fd5bf3`);
    const done = verify(proxy);
    const short = `${behind.slice(0, 6)}…${behind.slice(-4)}`;
    const { lines, title } = await review((open) => {
      assert.match(open.lines[0] ?? "", /Verify the Implementation/);
      assert.match(open.lines.join("\n"), /No match expected/);
      assert.match(open.active ?? "", /Submit to /, "Enter takes the line that it was pressed for");
    });
    assert.equal(title, "Verify Vault");
    assert.equal(
      lines[0],
      `$(arrow-right) Verify the Implementation | ${short} | This address is a minimal proxy (EIP-1167)`,
    );
    await choose(/Verify the Implementation/, (open) => {
      assert.match(open.lines[0] ?? "", /Submit to /);
      assert.ok(open.lines[0]?.includes(short), open.lines[0]);
    });
    const { status, job } = await submit(done);
    assert.ok(["exact_match", "match"].includes(status), status);
    assert.equal(job?.contract.address.toLowerCase(), behind);
  });

  it("another address from the beginning where nothing is deployed, and begins there", async () => {
    const nowhere = "0x0ffe000000000000000000000000000000000000";
    const there = await deployed(await codeAt(vault(1).address));
    const done = verify(nowhere);
    const { lines, active = "" } = await review(({ title, active: begun }) => {
      assert.equal(title, "Verify Vault");
      // The editor tells the active line once it has drawn the list.
      assert.match(begun ?? "", /Change Address… \| Nothing is deployed at this address on this chain$/);
    });
    assert.equal(lines[0], active);
    const { active: still, placeholder } = await review((open) =>
      assert.match(open.lines.join("\n"), /No match expected/),
    );
    assert.equal(still, active);
    assert.match(placeholder, /^Select Submit to send/);
    const isAsked = () => assert.match(screen.box?.prompt ?? "", /address on/);
    const isOffered = () => {
      const list = screen.questions.findLast(({ isOpen }) => isOpen);
      return list?.placeholder === "Which deployment?";
    };
    await pressUntil(["accept"], () => isOffered() || isAsked());
    // Where jobs of other tests left the contract is offered first.
    if (isOffered()) await takeLine(screen, /Another Address/, isAsked);
    assert.equal(screen.box?.value.toLowerCase(), nowhere);
    screen.type(there);
    await pressUntil(["accept"], () => {
      const again = screen.questions.findLast(({ isOpen }) => isOpen);
      assert.match(again?.lines[0] ?? "", /Submit to /);
      assert.doesNotMatch(again?.lines.join("\n") ?? "", /Change Address/);
    });
    await press("hide");
    assert.equal(await done, undefined, "nothing was sent");
  });

  it("that without leaving the line that a person went to before the rest was known", async () => {
    void verify("0x0ffe000000000000000000000000000000000000");
    await review((open) => assert.match(open.active ?? "", /Change Address…/));
    await press("next");
    await review((open) => {
      assert.match(open.lines.join("\n"), /No match expected/);
      assert.match(open.active ?? "", /Submit to /);
    });
  });

  for (const { kind, label, shown } of [
    {
      kind: "optimized",
      label: "Compile With the Optimizer as Deployed",
      shown: /Optimizer \| on, 200 runs/,
    },
    {
      kind: "for an earlier EVM",
      label: "Compile for the EVM Version as Deployed",
      shown: /EVM version \| paris/,
    },
  ])
    it(`the settings of a contract that was compiled ${kind}, once compiling proves them`, async () => {
      const { address } = world().otherwise.find((one) => one.kind === kind) ?? assert.fail();
      const copy = await deployed(await codeAt(address));
      await withCompiler(FOLDER, async () => {
        const done = verify(copy);
        const { lines } = await review((open) => assert.ok(open.lines[0]?.includes(label), open.lines[0]));
        assert.match(lines.join("\n"), /No match expected/);
        assert.match(lines[0] ?? "", /Proven by compiling on this machine: (?:exact )?match$/);
        const { lines: then } = await choose(new RegExp(label), (open) =>
          assert.match(open.lines.join("\n"), /(?:Exact match|Match) expected/),
        );
        assert.match(then.join("\n"), shown);
        assert.doesNotMatch(then.join("\n"), /as Deployed/);
        const { status } = await submit(done);
        assert.ok(["exact_match", "match"].includes(status), status);
      });
    });

  it("no settings where nothing proves them", async () => {
    const { address } =
      world().otherwise.find(({ kind }) => kind === "optimized for many runs") ?? assert.fail();
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    const compile = (value: string | undefined) =>
      configuration.update("localCompiler", value, vscode.ConfigurationTarget.Global);
    const before = configuration.inspect<string>("localCompiler")?.globalValue;
    await compile("off");
    try {
      void verify(await deployed(await codeAt(address)));
      const { lines } = await review((open) =>
        assert.match(open.lines.join("\n"), /No match expected|Can't predict the result/),
      );
      assert.doesNotMatch(lines.join("\n"), /as Deployed/);
    } finally {
      await compile(before);
    }
  });

  it("the contract of the workspace that has the deployed functions", async () => {
    void verify(await deployed(await codeAt(world().token.address)));
    const { lines } = await review((open) => assert.match(open.lines[0] ?? "", /Verify Token Instead/));
    assert.match(
      lines[0] ?? "",
      /Verify Token Instead \| contracts\/Token\.sol \| Token has exactly the functions of the deployed code; Vault has \d+ of \d+$/,
    );
    const next = await choose(/Verify Token Instead/, ({ title }) => assert.equal(title, "Verify Token"));
    assert.match(next.lines[0] ?? "", /Submit to /);
  });
});
