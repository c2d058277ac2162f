import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";

const FILE = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "contracts/Hovered.sol");
const PRECOMPILE = `0x${"0".repeat(39)}1`;
const SOMEBODY = `0x${"5e".repeat(20)}`;

async function hoversOn(line: number): Promise<string[]> {
  const { uri } = await vscode.workspace.openTextDocument(FILE);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    uri,
    new vscode.Position(line, 10),
  );
  return hovers.flatMap(({ contents }) =>
    contents.flatMap((content) => (content instanceof vscode.MarkdownString ? [content.value] : [])),
  );
}

describe("The pointer on an address, in a folder that is not trusted", () => {
  before(() => writeFile(FILE, `// ${PRECOMPILE}\n// ${SOMEBODY}\n`));
  after(() => rm(FILE));

  it("names what every network has, and nothing that somebody would have to be asked about", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const [known = ""] = await hoversOn(0);
    assert.match(known.replaceAll("&nbsp;", " "), /^ecrecover: a precompiled contract of the EVM/);
    // Nobody answers here: what was asked would say so.
    assert.deepEqual(await hoversOn(1), []);
  });
});
