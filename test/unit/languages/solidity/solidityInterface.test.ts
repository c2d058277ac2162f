import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WorkspaceIndex } from "../../../../src/core/workspace/workspaceIndex.ts";
import { selectorText } from "../../../rig/selectorText.ts";
import { createSampleWorkspace } from "../../../sandbox/sampleWorkspace.ts";
import { SolidityCompilers } from "../../../sandbox/solidityCompilers.ts";
import { memoryFiles } from "../../files/memoryFiles.ts";
import { proofSize } from "../../../rig/proofSize.ts";
import { random } from "../../random.ts";
import { mapFinder } from "../../workspace/mapFinder.ts";
import { randomContracts } from "../../workspace/randomContracts.ts";
import { DECLARATIONS, declaredBySolc, plainAbi, type SolcDeclarations } from "./solcDeclarations.ts";

const BATCHES = proofSize({ sample: 1, whole: 4 });

const compilers = new SolidityCompilers();
after(() => compilers.stop());

/** Compares what the index reads of every source with what solc says; answers how much there was. */
async function compare(
  sources: Readonly<Record<string, string>>,
  index: WorkspaceIndex,
  folder: string,
  output: SolcDeclarations,
): Promise<{ contracts: number; members: number }> {
  const failures = (output.errors ?? []).filter(({ severity }) => severity === "error");
  assert.deepEqual(
    failures.map(({ formattedMessage }) => formattedMessage),
    [],
    "the sources compile",
  );
  let contracts = 0;
  let members = 0;
  for (const [name, text] of Object.entries(sources)) {
    const path = `${folder}/${name}`;
    const read = await index.interfaceOf(path);
    assert.ok(read, path);
    const lines = text.split(/\r\n?|\n/);
    const lineStarts = [0, ...[...text.matchAll(/\r\n?|\n/g)].map((match) => match.index + match[0].length)];
    const ours = [
      ...read.members.map((member) => ({ contract: "", ...member })),
      ...read.contracts.flatMap((contract) =>
        contract.members.map((member) => ({ ...member, contract: contract.name })),
      ),
    ].flatMap(({ kind, name: own, contract, selector, place }) => {
      if (kind === "event") return [];
      assert.equal(lines[place.line]?.slice(place.character, place.character + own.length), own);
      const start = (lineStarts[place.line] ?? 0) + place.character;
      return [{ contract, kind, name: own, selector: selectorText(selector ?? 0).slice(2), start }];
    });
    const ast = output.sources[name]?.ast;
    assert.ok(ast);
    const theirs = declaredBySolc(ast, text);
    const inOrder = (list: readonly { start: number }[]) => [...list].sort((a, b) => a.start - b.start);
    assert.deepEqual(inOrder(ours), inOrder(theirs), `${path}\n${text}`);
    members += theirs.length;

    for (const [contractName, { abi, evm }] of Object.entries(output.contracts?.[name] ?? {})) {
      contracts++;
      const kind = read.contracts.find((contract) => contract.name === contractName)?.kind;
      const inherited = await index.membersOf({ path, name: contractName });
      const functions = inherited.filter((member) => member.kind === "function");
      const selectors = new Set(functions.map(({ signature }) => signature));
      assert.deepEqual(
        [...selectors].sort(),
        Object.keys(evm.methodIdentifiers).sort(),
        `${path}:${contractName}`,
      );
      for (const item of abi.filter(({ type }) => type === "function" || type === "event")) {
        // A library's items name structs and enums, which no decoder understands.
        if (kind === "library") continue;
        const expected = JSON.stringify(plainAbi(item));
        const isSame = inherited.some(({ abi: own }) => own && JSON.stringify(plainAbi(own)) === expected);
        assert.ok(isSame, `${path}:${contractName} ${JSON.stringify(item)}`);
      }
      // solc adds the errors that a contract uses; those that it declares or inherits are all there.
      const errors = new Set(
        abi.filter(({ type }) => type === "error").map((item) => JSON.stringify(plainAbi(item))),
      );
      for (const member of inherited.filter((one) => one.kind === "error"))
        assert.ok(
          member.abi && errors.has(JSON.stringify(plainAbi(member.abi))),
          `${contractName} ${member.name}`,
        );
    }
  }
  return { contracts, members };
}

describe("Reading the interface of Solidity sources", () => {
  it("gives what solc gives, for random contracts that inherit and import", async () => {
    const source = random("random contracts");
    const counted = { contracts: 0, members: 0 };
    for (let batch = 0; batch < BATCHES; batch++) {
      const sources: Record<string, string> = {};
      for (let group = 0; group < 43; group++)
        Object.assign(sources, randomContracts(source, `batch${batch}/group${group}`));
      const files = Object.fromEntries(Object.entries(sources).map(([name, text]) => [`/w/${name}`, text]));
      const index = new WorkspaceIndex({
        files: memoryFiles(files),
        finder: mapFinder(files, ["/w"]),
        folders: () => ["/w"],
      });
      const output = await compilers.compile("0.8.37", {
        language: "Solidity",
        sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
        settings: { outputSelection: DECLARATIONS },
      });
      const { contracts, members } = await compare(
        sources,
        index,
        "/w",
        output as unknown as SolcDeclarations,
      );
      counted.contracts += contracts;
      counted.members += members;
    }
    console.log(`${counted.contracts} contracts, ${counted.members} functions and errors`);
    assert.ok(counted.contracts >= 250 * BATCHES, String(counted.contracts));
  });

  it("gives what solc gives, for the sample workspace with the packages that it imports", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ledger-lens-interface-"));
    await createSampleWorkspace(folder);
    const names = globSync("contracts/**/*.sol", { cwd: folder });
    const read = async (name: string) =>
      readFile(join(folder, name), "utf8").catch(() => readFile(join(folder, "node_modules", name), "utf8"));
    const sources: Record<string, string> = {};
    for (const name of names) sources[name] = await read(name);
    const remappings = ["@oz/=@openzeppelin/contracts/"];
    let output: SolcDeclarations;
    for (;;) {
      output = (await compilers.compile("0.8.37", {
        language: "Solidity",
        sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
        settings: { remappings, outputSelection: DECLARATIONS },
      })) as unknown as SolcDeclarations;
      const wanted = (output.errors ?? []).flatMap(
        ({ message }) => /Source "([^"]+)" not found/.exec(message)?.[1] ?? [],
      );
      if (wanted.length === 0) break;
      for (const name of wanted) sources[name] = await read(name);
    }
    const index = new WorkspaceIndex({
      files: {
        read: (path) => readFile(path).catch(() => undefined),
        realPath: (path) => Promise.resolve(path),
      },
      finder: { find: () => Promise.resolve([]) },
      folders: () => [folder],
    });
    const onDisk = Object.fromEntries(
      Object.entries(sources).map(([name, text]) => [
        name.startsWith("@") ? `node_modules/${name}` : name,
        text,
      ]),
    );
    const renamed = <T>(record: Readonly<Record<string, T>>) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name.startsWith("@") ? `node_modules/${name}` : name,
          value,
        ]),
      );
    const { contracts, members } = await compare(onDisk, index, folder, {
      ...output,
      sources: renamed(output.sources),
      contracts: renamed(output.contracts ?? {}),
    });
    console.log(`${contracts} contracts, ${members} functions and errors`);
    assert.ok(contracts > 15, String(contracts));
    await rm(folder, { recursive: true, force: true });
  });
});
