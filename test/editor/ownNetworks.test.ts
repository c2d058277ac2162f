import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { NetworkSwitch } from "../../src/editor/ledger/networkSwitch.ts";
import { eventually } from "../rig/eventually.ts";
import { pressUntil, takeLine } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";

const { Global, Workspace } = vscode.ConfigurationTarget;
const MAINNET = "https://mainnet.mirrornode.hedera.com";
const PRIVATE = "https://private.example/sourcify";
const TEAM = {
  name: "Team net",
  ledgerUrl: "https://mirror.team.example",
  verificationUrl: "https://sourcify.team.example/server",
};

const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
const NAMES = ["ledgerUrl", "verificationUrl", "networks"] as const;
type Values = Partial<Record<(typeof NAMES)[number], unknown>>;

/** What stands in the settings of the user, or of the folder. */
function settingsOf(level: "globalValue" | "workspaceValue"): Values {
  const set = NAMES.map((name) => [name, configuration().inspect(name)?.[level]] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined)) as Values;
}

async function set(target: vscode.ConfigurationTarget, values: Values): Promise<void> {
  for (const name of NAMES) await configuration().update(name, values[name], target);
}

const select = (network: string) =>
  vscode.commands.executeCommand<{ ledgerUrl: string; verificationUrl: string }>("ledgerLens.selectNetwork", {
    network,
  });

describe("A network of one's own, or of the folder", () => {
  let earlier: Values;
  let screen: Screen;
  before(() => {
    earlier = settingsOf("globalValue");
    screen = watchScreen();
  });
  beforeEach(() => set(Global, { ledgerUrl: MAINNET, verificationUrl: PRIVATE }));
  afterEach(async () => {
    await pressUntil(["hide"], () => assert.ok(!screen.questions.some(({ isOpen }) => isOpen)));
    await set(Workspace, {});
  });
  after(async () => {
    screen.stop();
    await set(Global, earlier);
  });

  const asked = (placeholder: string) =>
    screen.questions.findLast((one) => one.isOpen && one.placeholder.startsWith(placeholder));
  /** The list of networks, once it is there. */
  async function list(): Promise<{ readonly lines: readonly string[]; readonly chosen: Promise<unknown> }> {
    const chosen = Promise.resolve(vscode.commands.executeCommand("ledgerLens.selectNetwork"));
    await eventually(() => assert.ok(asked("Which ledger?")));
    return { lines: asked("Which ledger?")?.lines ?? [], chosen };
  }

  it("can't take the place of the public one by its name, for a person, a link or a program", async () => {
    const evil = {
      ledgerUrl: "https://evil.example",
      verificationUrl: "https://sourcify.evil.example/server",
    };
    await set(Workspace, {
      networks: [
        { ...evil, name: "testnet" },
        { ...evil, name: "Hedera  Testnet" },
      ],
    });
    const { lines } = await list();
    assert.ok(!lines.join().includes("evil.example"), lines.join("\n"));
    for (const name of ["testnet", "Hedera  Testnet"])
      assert.ok(
        lines.some((line) => line.startsWith(`$(warning) "${name}" is left out | Its name can be taken`)),
        lines.join("\n"),
      );
    await pressUntil(["hide"], () => assert.equal(asked("Which ledger?"), undefined));

    const link = { scheme: vscode.env.uriScheme, authority: "ledger-lens.ledger-lens", path: "/token" };
    const uri = vscode.Uri.from({ ...link, query: "id=0.0.5&network=testnet" });
    void vscode.commands.executeCommand("ledgerLens.openLink", uri);
    await eventually(() => assert.ok(asked("This link is of Hedera Testnet")));
    assert.deepEqual(asked("This link is of")?.lines, [
      "Switch to Hedera Testnet | The link opens there: https://testnet.mirrornode.hedera.com",
      "Stay on Hedera Mainnet | The link is not opened",
    ]);
    await pressUntil(["hide"], () => assert.equal(asked("This link is of"), undefined));

    const { ledgerUrl, verificationUrl } = await select("testnet");
    assert.deepEqual([ledgerUrl, verificationUrl], ["https://testnet.mirrornode.hedera.com", PRIVATE]);
    assert.deepEqual(settingsOf("globalValue"), { ledgerUrl, verificationUrl });
    await assert.rejects(async () => select("Hedera  Testnet"), { code: "invalid_parameter" });
  });

  it("gives no chain a name that can be taken for a public one's", async () => {
    const chainId = 31_415;
    const ledgerUrl = "https://evil.example";
    await set(Workspace, {
      networks: [
        { name: "Hedera  Testnet", ledgerUrl, chainId },
        { ...TEAM, chainId: 31_416 },
      ],
    });
    void vscode.commands.executeCommand("ledgerLens.openVerifiedSource");
    await eventually(() => assert.match(asked("On which chain")?.lines.join("\n") ?? "", /Team net/));
    const lines = asked("On which chain")?.lines.join("\n") ?? "";
    assert.match(lines, /Team net.*31416/);
    assert.doesNotMatch(lines, /Hedera {2}Testnet|31415/);
  });

  it("of the folder is shown with both addresses, and changes the folder's settings alone", async () => {
    await set(Workspace, { networks: [TEAM] });
    const { lines, chosen } = await list();
    assert.ok(
      lines.includes(
        "Team net | from this workspace | https://mirror.team.example · verification service: https://sourcify.team.example/…",
      ),
      lines.join("\n"),
    );
    await takeLine(screen, /Team net/, () => assert.equal(asked("Which ledger?"), undefined));
    await chosen;
    assert.deepEqual(settingsOf("workspaceValue"), {
      networks: [TEAM],
      ledgerUrl: TEAM.ledgerUrl,
      verificationUrl: TEAM.verificationUrl,
    });
    assert.deepEqual(settingsOf("globalValue"), { ledgerUrl: MAINNET, verificationUrl: PRIVATE });

    // The way back tells of the service that comes back.
    const back = await list();
    assert.ok(
      back.lines.includes(
        "Hedera Mainnet | chain 295 | https://mainnet.mirrornode.hedera.com · verification service: https://private.example/…",
      ),
      back.lines.join("\n"),
    );
    await pressUntil(["hide"], () => assert.equal(asked("Which ledger?"), undefined));
    assert.deepEqual((await select("mainnet")).verificationUrl, PRIVATE);
    assert.deepEqual(settingsOf("workspaceValue"), { networks: [TEAM] });
  });

  it("is told with both addresses by a link, and is the one that was shown when the settings change meanwhile", async () => {
    await set(Global, { ledgerUrl: MAINNET, verificationUrl: PRIVATE, networks: [TEAM] });
    const link = { scheme: vscode.env.uriScheme, authority: "ledger-lens.ledger-lens", path: "/token" };
    const uri = vscode.Uri.from({ ...link, query: "id=nothing&network=Team net" });
    void vscode.commands.executeCommand("ledgerLens.openLink", uri);
    await eventually(() => assert.ok(asked("This link is of Team net")));
    assert.equal(
      asked("This link is of")?.lines[0],
      "Switch to Team net | The link opens there: https://mirror.team.example · verification service: https://sourcify.team.example/…",
    );
    const evil = { ...TEAM, ledgerUrl: "https://evil.example", verificationUrl: "https://evil.example/v" };
    await configuration().update("networks", [evil], Global);
    await takeLine(screen, /^Switch to Team net$/, () => assert.equal(asked("This link is of"), undefined));
    // What the link names is nothing, which is told once the network is another one.
    await eventually(() => assert.match(screen.messages.at(-1) ?? "", /"nothing" isn't a valid/));
    const { ledgerUrl, verificationUrl } = settingsOf("globalValue");
    assert.deepEqual(
      { ledgerUrl, verificationUrl },
      { ledgerUrl: TEAM.ledgerUrl, verificationUrl: TEAM.verificationUrl },
    );
  });

  it("keeps its service while it can't be left, since the user's settings can't be written", async () => {
    await set(Workspace, { networks: [TEAM] });
    await select("Team net");
    // Where the editor runs on another machine, the addresses are settings of that machine.
    const file = join(process.env["LEDGER_LENS_EDITOR_DATA"] ?? "", "server/data/Machine/settings.json");
    const written = await readFile(file, "utf8");
    assert.ok(written.includes(PRIVATE));
    try {
      await writeFile(file, written.replace(/\}\s*$/, ""));
      await assert.rejects(async () => select("testnet"), /Unable to write/);
      assert.deepEqual(settingsOf("workspaceValue"), {
        networks: [TEAM],
        ledgerUrl: TEAM.ledgerUrl,
        verificationUrl: TEAM.verificationUrl,
      });
      assert.deepEqual(settingsOf("globalValue"), { ledgerUrl: MAINNET, verificationUrl: PRIVATE });
    } finally {
      await writeFile(file, written);
    }
    await eventually(async () => assert.equal((await select("mainnet")).verificationUrl, PRIVATE));
    assert.deepEqual(settingsOf("workspaceValue"), { networks: [TEAM] });
  });

  it("puts back all that it can where an address can't be written, though one can't be put back either", async () => {
    const levels = { [Global]: "globalValue", [Workspace]: "workspaceValue" } as const;
    const values: Record<string, Record<string, string | undefined>> = {
      ledgerUrl: { globalValue: MAINNET },
      verificationUrl: { globalValue: PRIVATE },
    };
    let [writes, refused] = [0, [] as readonly number[]];
    const fake = {
      inspect: (name: string) => ({ key: name, defaultValue: "https://default.example", ...values[name] }),
      update(name: string, value: string | undefined, target: typeof Global | typeof Workspace) {
        writes++;
        if (refused.includes(writes)) return Promise.reject(new Error(`no room for ${name}`));
        Object.assign(values[name] ?? {}, { [levels[target]]: value });
        return Promise.resolve();
      },
    };
    const memento = () => {
      const kept = new Map<string, unknown>();
      return {
        kept,
        keys: () => [...kept.keys()],
        get: (name: string) => kept.get(name),
        update: (name: string, value: unknown) => Promise.resolve(void kept.set(name, value)),
      };
    };
    const [user, workspace] = [memento(), memento()];
    const { getConfiguration } = vscode.workspace;
    Object.assign(vscode.workspace, { getConfiguration: () => fake });
    try {
      const network = new NetworkSwitch(user, workspace);
      await network.use({ ...TEAM, id: TEAM.name, isOfWorkspace: true });
      const before = structuredClone(values);
      writes = 0;
      // The last of three addresses, and the one before it when it is put back.
      refused = [3, 4];
      const other = { id: "other", name: "Other", ledgerUrl: "https://other.example", isOfWorkspace: false };
      await assert.rejects(network.use(other), /no room/);
      assert.equal(writes, 5);
      assert.deepEqual(values["verificationUrl"], before["verificationUrl"]);
      assert.notDeepEqual(values["ledgerUrl"], before["ledgerUrl"]);
    } finally {
      Object.assign(vscode.workspace, { getConfiguration });
    }
    // What is still to be put back is remembered.
    assert.ok(JSON.stringify([...workspace.kept]).includes(TEAM.ledgerUrl));
  });

  it("gives a person's private service back when it is left, and what they set meanwhile stays", async () => {
    const networks = [TEAM, { name: "Other", ledgerUrl: "https://other.example" }];
    await set(Global, { ledgerUrl: MAINNET, verificationUrl: PRIVATE, networks });
    assert.equal((await select("Team net")).verificationUrl, TEAM.verificationUrl);
    assert.equal((await select("Other")).verificationUrl, PRIVATE);
    assert.equal((await select("Team net")).verificationUrl, TEAM.verificationUrl);
    assert.equal((await select("mainnet")).verificationUrl, PRIVATE);
    assert.equal(settingsOf("globalValue").verificationUrl, PRIVATE);
    await select("Team net");
    const own = "https://another.example/v";
    await configuration().update("verificationUrl", own, Global);
    assert.equal((await select("mainnet")).verificationUrl, own);
  });

  it("takes its service along where a folder's choice leaves it to the other folders, which is told before", async () => {
    const bare = { name: "Bare", ledgerUrl: "https://bare.example" };
    const keyed = `${PRIVATE}/${"k3y".repeat(8)}`;
    for (const own of [PRIVATE, keyed]) {
      await set(Global, { ledgerUrl: MAINNET, verificationUrl: own, networks: [TEAM] });
      await select("Team net");
      const users = settingsOf("globalValue");
      assert.equal(users.verificationUrl, TEAM.verificationUrl);
      for (const [folder, id, line, ledgerUrl] of [
        [
          { ledgerUrl: "https://folder.example" },
          "testnet",
          "Hedera Testnet | chain 296",
          "https://testnet.mirrornode.hedera.com",
        ],
        [{ networks: [bare] }, "Bare", "Bare | from this workspace", bare.ledgerUrl],
      ] as const) {
        await set(Workspace, folder);
        const { lines } = await list();
        const told = `${line} | ${ledgerUrl} · verification service: https://private.example/…`;
        assert.ok(lines.includes(told), lines.join("\n"));
        await pressUntil(["hide"], () => assert.equal(asked("Which ledger?"), undefined));
        if (own === keyed) {
          // The settings of a folder are read by others.
          await assert.rejects(async () => select(id), {
            code: "key_in_address",
            message: /your own verification service would be written/,
          });
          assert.deepEqual(settingsOf("workspaceValue"), folder);
        } else {
          const { verificationUrl, ...answer } = await select(id);
          assert.deepEqual([answer.ledgerUrl, verificationUrl], [ledgerUrl, PRIVATE]);
          assert.deepEqual(settingsOf("workspaceValue"), { ...folder, ledgerUrl, verificationUrl });
        }
        assert.deepEqual(settingsOf("globalValue"), users);
        await set(Workspace, {});
      }
      assert.equal((await select("mainnet")).verificationUrl, own);
    }
  });

  it("is that of the line that was chosen, of two of one name", async () => {
    const networks = [
      { name: "Twin", ledgerUrl: "https://a.example" },
      { name: "Twin", ledgerUrl: "https://b.example" },
    ];
    await set(Global, { ledgerUrl: MAINNET, verificationUrl: PRIVATE, networks });
    const { chosen } = await list();
    screen.search("b.example");
    await eventually(() => assert.match(asked("Which ledger?")?.active ?? "", /b\.example/));
    await pressUntil(["accept"], () => assert.equal(asked("Which ledger?"), undefined));
    await chosen;
    assert.equal(settingsOf("globalValue").ledgerUrl, "https://b.example");
    await assert.rejects(async () => select("Twin"), {
      code: "invalid_parameter",
      message: /More than one network/,
    });
  });
});
