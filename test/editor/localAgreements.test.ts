import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { startCompilerList, type CompilerList } from "../sandbox/compilerList.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { press, pressUntil, takeLine } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

/** A chain of this suite's own, whose contracts are what a test says. */
const CHAIN = "9977";
const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
const VAULT = { path: join(FOLDER, "contracts/Vault.sol"), name: "Vault" };
const COUNTER = { path: join(FOLDER, "contracts/Counter.vy"), name: "Counter" };

const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
const configure = (name: string, value: unknown) =>
  configuration().update(name, value, vscode.ConfigurationTarget.Global);

describe("What a person is asked before a compiler is downloaded or run", () => {
  let node: LoopbackServer;
  const codes = new Map<string, string>();
  const cleanUp: (() => Promise<unknown>)[] = [];
  let screen: Screen;

  before(async () => {
    const answer = await fetch(world().rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "eth_getCode",
        params: [vault(1).address, "latest"],
      }),
    });
    codes.set("vault", ((await answer.json()) as { result: string }).result);
    node = await startServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const { id, params } = JSON.parse(text) as { id: number; params: readonly string[] };
        const result = codes.get(params[0]?.toLowerCase() ?? "") ?? null;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    await configure("rpcUrls", { [world().chainId]: world().rpcUrl, [CHAIN]: node.url });
  });

  beforeEach(() => {
    screen = watchScreen();
  });

  afterEach(async () => {
    await press("hide");
    screen.stop();
    await configure("localCompiler", undefined);
    await configure("vyperPath", undefined);
    for (const undo of cleanUp.splice(0)) await undo();
  });

  after(async () => {
    await configure("rpcUrls", { [world().chainId]: world().rpcUrl });
    await configure("solcListUrl", undefined);
    await node.stop();
  });

  let addresses = 0;
  /** An address of the chain at which that code is. */
  function deployed(code: string): string {
    const address = `0x${(0xabcd0000 + ++addresses).toString(16).padStart(40, "0")}`;
    codes.set(address, code);
    return address;
  }

  /** The vault's code, with another release in its auxdata. */
  function vaultMadeBy(release: number): string {
    const runtimeCode = codes.get("vault") ?? "";
    const solc = (patch: number) =>
      `64736f6c634300${[8, patch].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    assert.ok(runtimeCode.includes(solc(37)), "the vault's auxdata names 0.8.37");
    return runtimeCode.replace(solc(37), solc(release));
  }

  /** What a person starts by a row's button; it ends without a fault whatever comes of it. */
  function verifyAsAPerson(defined: typeof VAULT, code: string): Started {
    const row = { deployment: { chainId: CHAIN, address: deployed(code), defined } };
    const started: Started = { isDone: false, verdict: undefined };
    void vscode.commands
      .executeCommand<{ verdict: string } | undefined>("ledgerLens.verifyDeploymentLocally", { row })
      .then(
        (answer) => Object.assign(started, { isDone: true, verdict: answer?.verdict }),
        (error: unknown) => Object.assign(started, { isDone: true, verdict: String(error) }),
      );
    return started;
  }

  const done = (...all: readonly Started[]) =>
    eventually(async () => {
      // A command that failed waits until its message is gone.
      await vscode.commands.executeCommand("notifications.clearAll");
      assert.ok(
        all.every(({ isDone }) => isDone),
        "the commands ended",
      );
    });
  const open = () => screen.questions.filter(({ isOpen }) => isOpen);

  async function question(title: RegExp) {
    return eventually(() => {
      const [shown, ...others] = open();
      assert.deepEqual(others, []);
      assert.match(shown?.placeholder ?? "", title);
      return shown ?? assert.fail();
    });
  }

  /** A list server of the test's own, which is configured; what was fetched of it, and what was only asked. */
  async function listServer() {
    const fetched: string[] = [];
    const asked: string[] = [];
    const list: CompilerList = await startCompilerList({
      compilers: world().compilers,
      interfere: ({ method }, _response, { longVersion }) => {
        (method === "GET" ? fetched : asked).push(longVersion);
        return false;
      },
    });
    cleanUp.push(() => list.stop());
    return { list, fetched, asked, host: new URL(list.listUrl).host };
  }

  describe("A download", () => {
    it("is asked for once with its size and where it comes from; refused, nothing is fetched", async () => {
      const { list, fetched, host } = await listServer();
      await configure("solcListUrl", list.listUrl);
      const started = verifyAsAPerson(VAULT, vaultMadeBy(28));
      const { lines } = await question(/^solc 0\.8\.28 is not on this machine/);
      assert.match(lines[0] ?? "", /\b8\.\d MB\b/);
      assert.ok(lines[0]?.includes(host), lines[0]);
      assert.deepEqual(fetched, [], "nothing is fetched before");
      await press("hide");
      await done(started);
      assert.equal(started.verdict, undefined);
      assert.deepEqual(fetched, []);
      assert.equal(screen.questions.length, 1, "and it is asked once");
      assert.deepEqual(screen.messages, []);
    });

    it("is refused for all that wait for the same answer", async () => {
      const { list, fetched } = await listServer();
      await configure("solcListUrl", list.listUrl);
      const all = [24, 28, 28].map((release) => verifyAsAPerson(VAULT, vaultMadeBy(release)));
      await question(/^solc 0\.8\.2[48] is not on this machine/);
      await press("hide");
      await done(...all);
      assert.equal(screen.questions.length, 1, JSON.stringify(screen.questions));
      assert.deepEqual(fetched, []);
    });

    it("is asked for once by many that are looked at together, and refused for all of them", async () => {
      const { list, fetched } = await listServer();
      await configure("solcListUrl", list.listUrl);
      const places = [24, 28, 28].map((release) => ({
        contract: "contracts/Vault.sol:Vault",
        address: deployed(vaultMadeBy(release)),
        transactionHash: `0x${"cd".repeat(32)}`,
      }));
      await recordBroadcast(FOLDER, CHAIN, places);
      // Which compiler it is, the deployed code alone says.
      await writeFile(
        join(FOLDER, "foundry.toml"),
        '[profile.default]\nsrc = "contracts"\nlibs = ["node_modules"]\n',
      );
      cleanUp.push(() => removeBroadcast(FOLDER));
      type Rows = readonly {
        readonly address: string;
        readonly verdict?: string;
        readonly reason?: string;
      }[];
      const answered: Rows[] = [];
      void vscode.commands
        .executeCommand<{ readonly rows: Rows }>("ledgerLens.verifyLocally")
        .then(({ rows }) => answered.push(rows));
      await question(/^Which contract\?/);
      await takeLine(screen, /All recorded deployments \(3\)$/, () =>
        assert.equal(screen.questions.length, 2),
      );
      await question(/^solc 0\.8\.2[48] is not on this machine/);
      await press("hide");
      const [rows = []] = await eventually(() => {
        assert.equal(answered.length, 1);
        return answered;
      });
      assert.equal(screen.questions.length, 2, JSON.stringify(screen.questions));
      assert.deepEqual(fetched, []);
      assert.deepEqual(
        rows.map(({ address, verdict }) => [address.toLowerCase(), verdict]).sort(),
        places.map(({ address }) => [address, undefined]).sort(),
      );
      for (const { reason } of rows)
        assert.match(
          reason ?? "",
          /^(?:Nothing was compiled: what it needs was declined|solc 0\.8\.2[48] is not on this machine)/,
        );
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    it("does not begin where the setting forbids it by the time of the answer", async () => {
      for (const setting of ["cached", "off"]) {
        const { list, fetched } = await listServer();
        await configure("localCompiler", undefined);
        await configure("solcListUrl", list.listUrl);
        const started = verifyAsAPerson(VAULT, vaultMadeBy(28));
        await question(/^solc 0\.8\.28/);
        await configure("localCompiler", setting);
        await pressUntil(["accept"], () => assert.deepEqual(open(), []));
        await done(started);
        assert.deepEqual(fetched, [], setting);
        assert.match(screen.messages.at(-1) ?? "", /ledgerLens\.localCompiler/, setting);
      }
    });

    it("comes from where the question said, or is asked for again", async () => {
      const shown = await listServer();
      const other = await listServer();
      await configure("solcListUrl", shown.list.listUrl);
      const started = verifyAsAPerson(VAULT, vaultMadeBy(24));
      await question(/^solc 0\.8\.24/);
      await configure("solcListUrl", other.list.listUrl);
      await pressUntil(["accept"], () => assert.ok(started.isDone || screen.questions.length > 1));
      assert.deepEqual(other.fetched, []);
      await done(started);
      assert.match(String(started.verdict), /match$/);
    });

    it("is asked for once by two that begin at the same time, and later ones come without", async () => {
      const { list, fetched, host } = await listServer();
      await configure("solcListUrl", list.listUrl);
      await vscode.commands.executeCommand("ledgerLens.manageCompilers", {});
      const both = [24, 28].map((release) => verifyAsAPerson(VAULT, vaultMadeBy(release)));
      const { lines } = await question(/^solc 0\.8\.2[48]/);
      assert.ok(lines[0]?.includes(host), "another host is another question");
      await pressUntil(["accept"], () => assert.deepEqual(open(), []));
      await done(...both);
      for (const { verdict } of both) assert.match(String(verdict), /match$/, screen.messages.join("\n"));
      assert.equal(screen.questions.length, 1);
      assert.ok(fetched.length <= 2, fetched.join());
    });
  });

  describe("Vyper", () => {
    const VYPER_CODE = "0x6001600101";
    const path = process.env["PATH"];
    let place: string;

    beforeEach(async () => {
      place = await mkdtemp(join(tmpdir(), "vyper-places-"));
      await writeFile(COUNTER.path, "# pragma version 0.3.10\ncount: public(uint256)\n");
    });
    afterEach(async () => {
      process.env["PATH"] = path;
      await rm(place, { recursive: true, force: true });
      await rm(COUNTER.path, { force: true });
    });

    /** A program of the name, which notes that it ran. */
    async function program(
      folder: string,
      says = "0.3.7",
    ): Promise<{ readonly file: string; readonly ran: () => Promise<number> }> {
      await mkdir(folder, { recursive: true });
      const file = join(folder, "vyper");
      const mark = join(place, `ran ${crypto.randomUUID()}`);
      await rm(file, { force: true });
      await writeFile(file, `#!/bin/sh\necho ran >> "${mark}"\necho ${says}\n`);
      await chmod(file, 0o755);
      const ran = async () => (await readFile(mark, "utf8").catch(() => "")).split("\n").length - 1;
      return { file, ran };
    }
    const searched = (...folders: string[]) => {
      process.env["PATH"] = [...folders, path].join(delimiter);
    };
    const verify = () => verifyAsAPerson(COUNTER, VYPER_CODE);
    const agree = () => pressUntil(["accept"], () => assert.deepEqual(open(), []));

    it("does not run for a program, nor where a person refuses, who sees which file it is", async () => {
      const { file, ran } = await program(join(place, "bin"));
      searched(join(place, "bin"));
      await assert.rejects(
        async () =>
          vscode.commands.executeCommand("ledgerLens.verifyLocally", {
            contract: "contracts/Counter.vy:Counter",
            chainId: CHAIN,
            address: deployed(VYPER_CODE),
          }),
        ({ code, message, stack }: Error & { readonly code?: string }) => {
          assert.equal(code, "vyper_not_allowed", `${message}\n${stack ?? ""}`);
          return true;
        },
      );
      const started = verify();
      const { lines } = await question(/^Run the installed Vyper/);
      assert.ok(
        lines.some((line) => line.includes(file)),
        lines.join("\n"),
      );
      await press("hide");
      await done(started);
      assert.equal(await ran(), 0);
      assert.equal(screen.questions.length, 1);
    });

    it("runs once a person agreed, and what lies at its place later is another program", async () => {
      const first = await program(join(place, "bin"));
      searched(join(place, "bin"));
      const asked = [verify(), verify()];
      await question(/^Run the installed Vyper/);
      await agree();
      await done(...asked);
      assert.ok((await first.ran()) > 0);
      assert.equal(screen.questions.length, 1, "two at once are one question");
      assert.match(
        screen.messages.join("\n"),
        /Vyper 0\.3\.10 is not installed on this machine \(0\.3\.7 is\)/,
      );
      await done(verify());
      assert.equal(screen.questions.length, 1, "and later it is not asked again");
      const second = await program(join(place, "bin"), "0.3.8");
      const again = verify();
      await question(/^Run the installed Vyper/);
      assert.equal(await second.ran(), 0, "another program at the same path");
      await press("hide");
      await done(again);
      assert.equal(await second.ran(), 0);
    });

    it("is another program where another folder comes first, and where the setting names another", async () => {
      const first = await program(join(place, "one"));
      searched(join(place, "one"));
      const started = verify();
      await question(/^Run the installed Vyper/);
      await agree();
      await done(started);
      assert.ok((await first.ran()) > 0);
      const before = screen.questions.length;
      const second = await program(join(place, "two"), "0.3.8");
      searched(join(place, "two"), join(place, "one"));
      const other = verify();
      const { lines } = await question(/^Run the installed Vyper/);
      assert.ok(
        lines.some((line) => line.includes(second.file)),
        lines.join("\n"),
      );
      await press("hide");
      await done(other);
      await configure("vyperPath", second.file);
      const set = verify();
      await question(/^Run the installed Vyper/);
      await press("hide");
      await done(set);
      assert.equal(await second.ran(), 0);
      assert.equal(screen.questions.length, before + 2);
    });

    it("that lies in the open folder never runs, however PATH leads to it", async () => {
      const installed = await program(join(place, "installed"));
      searched(join(place, "installed"));
      const started = verify();
      await question(/^Run the installed Vyper/);
      await agree();
      await done(started);
      const inside = await program(join(FOLDER, ".venv/bin"));
      cleanUp.push(() => rm(join(FOLDER, ".venv"), { recursive: true, force: true }));
      await symlink(join(FOLDER, ".venv/bin"), join(place, "linked folder"));
      await mkdir(join(place, "linked file"));
      await symlink(inside.file, join(place, "linked file", "vyper"));
      // Of the folder, and a link out of it: what runs there reads what lies beside it.
      await mkdir(join(FOLDER, ".venv/out"));
      await symlink(installed.file, join(FOLDER, ".venv/out/vyper"));
      await symlink(join(FOLDER, ".venv/out"), join(place, "linked out"));
      const ways = [
        ".",
        "",
        relative(process.cwd(), join(FOLDER, ".venv/bin")),
        join(FOLDER, ".venv/bin"),
        `${FOLDER}/contracts/../.venv/bin`,
        join(place, "linked folder"),
        join(place, "linked file"),
        join(place, "linked out"),
      ];
      const cwd = process.cwd();
      process.chdir(join(FOLDER, ".venv/bin"));
      try {
        for (const way of ways) {
          process.env["PATH"] = [way, path].join(delimiter);
          const before = await installed.ran();
          const told = screen.messages.length;
          await done(verify());
          assert.equal(await inside.ran(), 0, way);
          assert.equal(await installed.ran(), before, `${way} leads to none that may run`);
          assert.match(screen.messages.slice(told).join(), /Vyper 0\.3\.10 is not installed/, way);
        }
        assert.equal(screen.questions.length, 1);
      } finally {
        process.chdir(cwd);
      }
    });
  });
});

interface Started {
  isDone: boolean;
  verdict: string | undefined;
}
