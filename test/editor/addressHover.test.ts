import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { startRecordingService } from "./recordingService.ts";
import { world } from "./world.ts";

const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const ZERO = `0x${"0".repeat(40)}`;
const TOKEN_SERVICE = `0x${"0".repeat(37)}167`;
const NOBODY = `0x${"5e".repeat(20)}`;
const NAMELESS = `0x${"7a".repeat(20)}`;

/** A ledger that knows nobody, and what it was asked. */
const asked: string[] = [];
const ledger = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.writeHead(404, { "content-type": "application/json" });
  response.end('{"_status":{"messages":[{"message":"Not found"}]}}');
});

function set(name: string, value: unknown): Thenable<void> {
  return vscode.workspace
    .getConfiguration("ledgerLens")
    .update(name, value, vscode.ConfigurationTarget.Global);
}

/** What our hovers say of the text in a file: their Markdown, and the commands that may run. */
async function hoverOf(
  file: string,
  text: string,
): Promise<{ value: string; commands: readonly string[] }[]> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, file)));
  const position = document.positionAt(document.getText().indexOf(text) + 5);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    position,
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .flatMap((content) => {
      if (!(content instanceof vscode.MarkdownString)) return [];
      const { isTrusted } = content;
      const commands = typeof isTrusted === "object" ? isTrusted.enabledCommands : [];
      return [{ value: content.value.replaceAll("&nbsp;", " "), commands }];
    });
}

const CONTRACT = "contracts/Vault.sol:Vault";

/** Makes a chain the one that was chosen last for a verification: by one that another service than the test's accepts. */
async function choose(chainId: string): Promise<void> {
  const configured = vscode.workspace.getConfiguration("ledgerLens").get("verificationUrl");
  const accepting = await startRecordingService();
  try {
    await set("verificationUrl", accepting.url);
    await vscode.commands.executeCommand("ledgerLens.verifyContract", {
      ...{ contract: CONTRACT, chainId, address: NOBODY },
      confirmPublish: true,
    });
  } finally {
    await set("verificationUrl", configured);
    await accepting.stop();
  }
}

/** The links of a hover: what they say, the command and what it is given. */
function linksOf(value: string): { label: string; command: string; argument: unknown }[] {
  return [...value.matchAll(/\[([^\]]+)\]\(command:([\w.]+)\?([^)]+)\)/g)].map(
    ([, label = "", command = "", query = ""]) => ({
      label: label.replace("&#8230;", "…"),
      command,
      argument: (JSON.parse(decodeURIComponent(query)) as unknown[])[0],
    }),
  );
}

describe("The pointer on an address", () => {
  const files = ["Hovered.sol", "hovered.ts", "hovered.json", "hovered.toml", "Hovered.vy"];
  const { pool } = world().scenes.contracts;

  before(async () => {
    const text = ["pool", pool, ZERO, TOKEN_SERVICE, NOBODY, NAMELESS].map((one) => `// "${one}"\n`).join("");
    for (const file of files) await writeFile(join(folder, file), text);
    await new Promise<void>((resolve) => ledger.listen(0, "127.0.0.1", resolve));
    await choose(world().chainId);
  });
  afterEach(async () => {
    await set("ledgerUrl", world().ledger);
    await set("addressHover", undefined);
  });
  after(async () => {
    for (const file of files) await rm(join(folder, file));
    ledger.closeAllConnections();
    await new Promise((resolve) => ledger.close(resolve));
  });

  const askNobodysLedger = async () => {
    asked.length = 0;
    await set("ledgerUrl", `http://127.0.0.1:${(ledger.address() as AddressInfo).port}`);
  };

  it("says what it is and that it is verified, with links to its page and its source, in every kind of file", async () => {
    for (const file of files) {
      const [said, ...others] = await hoverOf(file, pool);
      assert.equal(others.length, 0, file);
      assert.match(said?.value ?? "", /^Pool, a contract on .*verified: (exact )?match/, file);
      assert.deepEqual(said?.commands, ["ledgerLens.openLedgerLink", "ledgerLens.openThisSource"]);
      const [, command, query] =
        /\[Open Verified Source\]\(command:([\w.]+)\?([^)]+)\)/.exec(said.value) ?? [];
      assert.equal(command, "ledgerLens.openThisSource");
      assert.deepEqual(JSON.parse(decodeURIComponent(query ?? "")), [
        { chainId: world().chainId, address: pool.toLowerCase() },
      ]);
    }
  });

  it("names the zero address and what every network has, and asks nobody", async () => {
    await askNobodysLedger();
    const [zero] = await hoverOf("Hovered.sol", ZERO);
    assert.match(zero?.value ?? "", /^Zero address/);
    assert.deepEqual(zero?.commands, []);
    const [service] = await hoverOf("Hovered.sol", TOKEN_SERVICE);
    assert.match(service?.value ?? "", /^Hedera Token Service: a system contract of Hedera/);
    assert.deepEqual(asked, []);
  });

  it("asks once in a while, and offers nothing of what the ledger does not know", async () => {
    await askNobodysLedger();
    const [said] = await hoverOf("Hovered.sol", NOBODY);
    assert.match(said?.value ?? "", /^Not found on /);
    assert.deepEqual(said?.commands, []);
    const { length } = asked;
    assert.ok(length > 0 && asked.every((url) => url.includes(NOBODY)), asked.join("\n"));
    await hoverOf("hovered.ts", NOBODY);
    assert.equal(asked.length, length);
  });

  describe("in a project whose contracts are on another chain", () => {
    const PROJECT = join(folder, "hovered-project");
    const SEPOLIA = "11155111";
    const BASE = "8453";
    const COUNTER = `0x${"c0".repeat(20)}`;
    const BOTH = `0x${"b0".repeat(20)}`;
    const STRANGER = `0x${"57".repeat(20)}`;
    const VERIFIED_STRANGER = `0x${"58".repeat(20)}`;
    const ACCOUNT = `0x${"ac".repeat(20)}`;
    const SUBMITTED = `0x${"5b".repeat(20)}`;
    const FILES = ["src/Counter.sol", "script/deploy.ts", "addresses.json", "addresses.toml"];
    let service: LoopbackServer;
    let node: LoopbackServer;
    /** What the service was asked of contracts, and the node of anything. */
    const askedOfService: string[] = [];
    const askedOfNode: string[] = [];

    const write = async (name: string, text: string) => {
      const path = join(PROJECT, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    const record = (chainId: string, addresses: readonly string[]) =>
      write(
        `broadcast/Deploy.s.sol/${chainId}/run-latest.json`,
        JSON.stringify({
          transactions: addresses.map((contractAddress, at) => ({
            hash: `0x${String(at).padStart(64, "0")}`,
            transactionType: "CREATE",
            contractName: "Counter",
            contractAddress,
            arguments: null,
          })),
          receipts: addresses.map((contractAddress, at) => ({
            status: "0x1",
            transactionHash: `0x${String(at).padStart(64, "0")}`,
            contractAddress,
          })),
          pending: [],
          chain: Number(chainId),
          timestamp: Date.now(),
        }),
      );
    const hovered = async (file: string, address: string) => {
      const [said, ...others] = await hoverOf(join("hovered-project", file), address);
      assert.equal(others.length, 0);
      const { value, commands } = said ?? assert.fail("nothing was said");
      assert.doesNotMatch(value, /[Nn]ot found/);
      const links = linksOf(value);
      assert.deepEqual(
        commands,
        links.map(({ command }) => command),
      );
      return {
        text: value.split("\n")[0],
        lines: value.split("\n").filter((line) => line.includes(" on ")),
        links,
      };
    };

    before(async () => {
      service = await startServer(({ url = "" }, response) => {
        const [, , what, chainId, address = ""] = url.toLowerCase().split(/[/?]/);
        response.setHeader("content-type", "application/json");
        if (what !== "contract") return void response.end("[]");
        // The view asks, too, whether what is recorded is verified: without fields.
        if (url.includes("?fields=")) askedOfService.push(`${chainId} ${address}`);
        const isVerified = [COUNTER, VERIFIED_STRANGER].includes(address) || chainId === BASE;
        const match = isVerified ? "exact_match" : null;
        response.statusCode = isVerified ? 200 : 404;
        const compilation = isVerified && {
          compilation: { name: "Tally", fullyQualifiedName: "a.sol:Tally" },
        };
        response.end(
          JSON.stringify({
            ...{ match, creationMatch: match, runtimeMatch: match, chainId, address },
            ...compilation,
          }),
        );
      });
      node = await startServer((request, response) => {
        let text = "";
        request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        request.on("end", () => {
          const { id, method } = JSON.parse(text) as { id: number; method: string };
          askedOfNode.push(method);
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x" }));
        });
      });
      await set("verificationUrl", service.url);
      await write("foundry.toml", '[profile.default]\nsolc = "0.8.28"\n');
      const addresses = [COUNTER, BOTH, STRANGER, VERIFIED_STRANGER, ACCOUNT, SUBMITTED].map(
        (one) => `// "${one}"\n`,
      );
      for (const file of FILES.slice(1)) await write(file, addresses.join(""));
      await write("src/Counter.sol", `contract Counter { uint public count; }\n${addresses.join("")}`);
      await record(SEPOLIA, [COUNTER, BOTH]);
      await record(BASE, [BOTH]);
    });

    beforeEach(async () => {
      await askNobodysLedger();
      askedOfService.length = 0;
      askedOfNode.length = 0;
    });

    after(async () => {
      await set("verificationUrl", world().service);
      await set("rpcUrls", { [world().chainId]: world().rpcUrl });
      await choose(world().chainId);
      await rm(PROJECT, { recursive: true });
      await Promise.all([service.stop(), node.stop()]);
    });

    it("says by the records which contract it is and where, and whether it is verified there, and asks no ledger", async () => {
      // What was just written may not have been seen yet, and a look at it before is remembered.
      await eventually(async () =>
        assert.match((await hovered("addresses.toml", BOTH)).text ?? "", /^Counter,/),
      );
      // Before they were seen the ledger was asked, as about any address.
      asked.length = 0;
      for (const file of FILES) {
        const { text, links } = await hovered(file, COUNTER);
        assert.equal(text, "Counter, a contract on Sepolia · verified: exact match", file);
        assert.deepEqual(links, [
          {
            label: "Open in Block Explorer",
            command: "ledgerLens.openVerificationLink",
            argument: { row: { copyText: `https://sepolia.etherscan.io/address/${COUNTER}` } },
          },
          {
            label: "Open Verified Source",
            command: "ledgerLens.openThisSource",
            argument: { chainId: SEPOLIA, address: COUNTER },
          },
        ]);
      }
      const ofCounter = askedOfService.filter((one) => one.endsWith(COUNTER));
      assert.deepEqual(ofCounter, [`${SEPOLIA} ${COUNTER}`], "one request for the address and the chain");
      assert.deepEqual(asked, []);
    });

    it("says it of each chain that the records name", async () => {
      await choose("1");
      const { lines, links } = await eventually(async () => {
        const both = await hovered("script/deploy.ts", BOTH);
        assert.equal(both.lines.length, 2);
        return both;
      });
      assert.deepEqual(lines.toSorted(), [
        "Counter, a contract on Base · verified: exact match",
        "Counter, a contract on Sepolia · not verified",
      ]);
      const verify = links.find(({ label }) => label === "Verify…");
      assert.deepEqual(verify, {
        label: "Verify…",
        command: "ledgerLens.verifyThis",
        argument: {
          chainId: SEPOLIA,
          address: BOTH,
          contract: `${join(PROJECT, "src/Counter.sol")}:Counter`,
        },
      });
      assert.deepEqual(asked, []);
    });

    it("asks about an address of no record on the chain that was chosen last", async () => {
      await choose(SEPOLIA);
      askedOfService.length = 0;
      const { text, links } = await hovered("addresses.json", STRANGER);
      assert.equal(text, "Address on Sepolia · not verified");
      assert.deepEqual(
        links.map(({ label }) => label),
        ["Open in Block Explorer", "Verify…"],
      );
      assert.equal(
        (await hovered("addresses.json", VERIFIED_STRANGER)).text,
        "Tally, a contract on Sepolia · verified: exact match",
      );
      assert.deepEqual(askedOfService, [`${SEPOLIA} ${STRANGER}`, `${SEPOLIA} ${VERIFIED_STRANGER}`]);
      assert.deepEqual(asked, []);
    });

    it("says first where it was verified from here, for which nobody is asked, and then what is known of the chosen chain", async () => {
      await vscode.commands.executeCommand("ledgerLens.verifyContract", {
        ...{ contract: CONTRACT, chainId: BASE, address: SUBMITTED },
        confirmPublish: true,
      });
      await choose(SEPOLIA);
      askedOfService.length = 0;
      const { lines, links } = await hovered("addresses.json", SUBMITTED);
      assert.deepEqual(lines, [
        "Vault, a contract on Base · verified: exact match",
        "Address on Sepolia · not verified",
      ]);
      assert.deepEqual(links[1], {
        label: "Open Verified Source",
        command: "ledgerLens.openThisSource",
        argument: { chainId: BASE, address: SUBMITTED },
      });
      assert.deepEqual(askedOfService, [`${SEPOLIA} ${SUBMITTED}`]);
      await choose(BASE);
      askedOfService.length = 0;
      const onBase = await hovered("addresses.json", SUBMITTED);
      assert.deepEqual(onBase.lines, ["Vault, a contract on Base · verified: exact match"]);
      assert.deepEqual(askedOfService, []);
      assert.deepEqual(asked, []);
    });

    it("tells an account by the node of the person's own", async () => {
      await choose(SEPOLIA);
      await set("rpcUrls", { [SEPOLIA]: node.url });
      askedOfNode.length = 0;
      const { text, links } = await hovered("addresses.toml", ACCOUNT);
      assert.equal(text, "Account on Sepolia · no code");
      assert.deepEqual(
        links.map(({ label }) => label),
        ["Open in Block Explorer"],
      );
      assert.deepEqual(askedOfNode, ["eth_getCode"]);
      assert.deepEqual(asked, []);
    });

    it("opens the page of another Hedera network than the chosen one only by a link that names it", async () => {
      await set("ledgerChainId", "295");
      try {
        // With a node that says so at once: nobody on the internet is asked for the code.
        await set("rpcUrls", { 296: node.url });
        await choose("296");
        await set("rpcUrls", {});
        const { text, links } = await hovered("addresses.json", STRANGER);
        assert.equal(text, "Address on Hedera Testnet · not verified");
        assert.deepEqual(links[0], {
          label: "Show in Ledger",
          command: "ledgerLens.openLedgerLink",
          argument: { kind: "address", id: STRANGER, network: "testnet" },
        });
        assert.deepEqual(asked, []);
      } finally {
        await set("ledgerChainId", world().chainId);
      }
    });
  });

  it("leaves a ledger alone that asks for an hour, until a person asks it for something", async () => {
    const waiting = await startServer((_request, response) => {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "3600" }).end("{}");
    });
    const file = "waiting.ts";
    const addresses = Array.from({ length: 10 }, (_, at) => `0x${`${at}c`.repeat(20)}`);
    try {
      await writeFile(join(folder, file), addresses.map((one) => `// "${one}"\n`).join(""));
      await set("ledgerUrl", waiting.url);
      for (const address of addresses) {
        const [said] = await hoverOf(file, address);
        assert.match(said?.value ?? "", /had too many requests.* Wait 1 h and try again/, address);
      }
      assert.equal(waiting.asked.length, 1);
      await assert.rejects(
        Promise.resolve(vscode.commands.executeCommand("ledgerLens.showToken", { tokenId: "0.0.5" })),
        /had too many requests/,
      );
      assert.equal(waiting.asked.length, 1, "a program waits, too");
      const query = "id=0.0.5";
      const link = {
        scheme: vscode.env.uriScheme,
        authority: "ledger-lens.ledger-lens",
        path: "/token",
        query,
      };
      void vscode.commands.executeCommand("ledgerLens.openLink", vscode.Uri.from(link));
      await eventually(() => assert.equal(waiting.asked.at(-1), "/api/v1/tokens/0.0.5"));
    } finally {
      await set("ledgerUrl", world().ledger);
      await rm(join(folder, file));
      await waiting.stop();
    }
  });

  it("says nothing and asks nobody where it is switched off", async () => {
    await askNobodysLedger();
    await set("addressHover", false);
    assert.deepEqual(await hoverOf("Hovered.sol", NAMELESS), []);
    assert.deepEqual(asked, []);
  });
});
