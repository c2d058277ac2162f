import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as vscode from "vscode";
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

describe("The pointer on an address", () => {
  const files = ["Hovered.sol", "hovered.ts", "hovered.json", "hovered.toml", "Hovered.vy"];
  const { pool } = world().scenes.contracts;

  before(async () => {
    const text = ["pool", pool, ZERO, TOKEN_SERVICE, NOBODY, NAMELESS].map((one) => `// "${one}"\n`).join("");
    for (const file of files) await writeFile(join(folder, file), text);
    await new Promise<void>((resolve) => ledger.listen(0, "127.0.0.1", resolve));
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

  it("says nothing and asks nobody where it is switched off", async () => {
    await askNobodysLedger();
    await set("addressHover", false);
    assert.deepEqual(await hoverOf("Hovered.sol", NAMELESS), []);
    assert.deepEqual(asked, []);
  });
});
