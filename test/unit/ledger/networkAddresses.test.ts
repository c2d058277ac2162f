import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedOnly } from "../../../src/core/json/looseData.ts";
import { readAs } from "../../../src/core/json/shape.ts";
import { choiceNamed, choiceOfId, networkChoices } from "../../../src/editor/ledger/networkChoice.ts";
import {
  addressesInUse,
  replacedAddresses,
  switchedTo,
  whileWritten,
  type AddressName,
  type Level,
} from "../../../src/editor/ledger/networkAddresses.ts";
import { knownNetworks, type KnownNetworks } from "../../../src/editor/knownNetworks.ts";

type Values = Readonly<Record<string, unknown>>;

const PUBLIC_SERVICE = "https://sourcify.dev/server";
const PRIVATE = "https://private.example/sourcify";
const MAINNET = "https://mainnet.mirrornode.hedera.com";
const BY_DEFAULT = { ledgerUrl: MAINNET, verificationUrl: PUBLIC_SERVICE };
const N = { name: "N", ledgerUrl: "https://n.example", verificationUrl: "https://n.example/v" };
const M = { name: "M", ledgerUrl: "https://m.example", verificationUrl: "https://m.example/v" };
const PLAIN = { name: "Plain", ledgerUrl: "https://plain.example" };
/** What a folder's own settings may say. */
const FOLDER = { ledgerUrl: "https://folder.example", verificationUrl: "https://folder.example/v" };
const TEAM = {
  name: "Team net",
  ledgerUrl: "https://mirror.team.example",
  verificationUrl: "https://sourcify.team.example/server",
};

/** A person's window: the settings of both levels, and what the editor keeps over a reload. */
class Person {
  readonly settings: Record<Level, Record<string, unknown>>;
  isTrusted = true;
  /** As it is written on the disk. */
  kept: Record<Level, string> = { user: "{}", workspace: "{}" };

  constructor(user: Values, workspace: Values = {}) {
    this.settings = { user: { ...user }, workspace: { ...workspace } };
  }

  get known(): KnownNetworks {
    const { user, workspace } = this.settings;
    const isOfWorkspace = this.isTrusted && workspace["networks"] !== undefined;
    return knownNetworks((isOfWorkspace ? workspace : user)["networks"] ?? [], isOfWorkspace);
  }

  get inUse(): readonly [ledger: string, service: string] {
    const { ledgerUrl, verificationUrl } = addressesInUse(this.#addresses, BY_DEFAULT, this.isTrusted);
    return [ledgerUrl, verificationUrl];
  }

  /** Chooses a line of the list, or what is called so. */
  choose(which: string | number): void {
    const choice =
      typeof which === "string" ? choiceNamed(this.known, which) : networkChoices(this.known).at(which);
    assert.ok(choice);
    const replaced = {
      user: readAs(replacedAddresses, JSON.parse(this.kept.user)) ?? {},
      workspace: readAs(replacedAddresses, JSON.parse(this.kept.workspace)) ?? {},
    };
    const after = switchedTo(choice, { addresses: this.#addresses, replaced }, BY_DEFAULT, this.isTrusted);
    for (const level of ["user", "workspace"] as const) {
      this.settings[level] = { ...this.settings[level], ...after.addresses[level] };
      this.kept[level] = JSON.stringify(after.replaced[level]);
    }
  }

  of(level: Level): Values {
    return JSON.parse(JSON.stringify({ ...this.settings[level], networks: undefined })) as Values;
  }

  get #addresses() {
    const at = (level: Level) => this.settings[level] as Partial<Record<AddressName, string>>;
    return { user: at("user"), workspace: at("workspace") };
  }
}

describe("A person who chooses a network", () => {
  it("gets the public one by its name, whatever a folder calls its own", () => {
    const names = [
      ...["mainnet", "Mainnet", "MAIN NET", "Hedera Mainnet", "hedera-mainnet", "Hedera Mainnet (295)"],
      ...["testnet", "previewnet", "mainnet-public", "mainnet.mirrornode.hedera.com", "Hedera M\u0430innet"],
    ];
    for (const name of names) {
      const evil = { name, ledgerUrl: "https://evil.example", verificationUrl: "https://evil.example/v" };
      const person = new Person({}, { networks: [evil, TEAM] });
      assert.deepEqual(person.known.leftOut, [name]);
      assert.ok(!JSON.stringify(networkChoices(person.known)).includes("evil"), name);
      for (const id of ["testnet", "mainnet"]) person.choose(id);
      assert.deepEqual(person.inUse, [MAINNET, PUBLIC_SERVICE], name);
      assert.deepEqual(person.of("user"), { ledgerUrl: MAINNET }, name);
      if (!/^(?:main|test|preview)net$/.test(name))
        assert.throws(() => person.choose(name), { code: "invalid_parameter", message: /is left out/ });
    }
    for (const name of ["Mine", "Local Node", "Сеть", "Mainnet mirror of ours"])
      assert.deepEqual(new Person({ networks: [{ ...N, name }] }).known.leftOut, [], name);
  });

  it("finds nothing of a folder's network in the next folder", () => {
    const person = new Person({ verificationUrl: PRIVATE }, { networks: [TEAM] });
    person.choose("Team net");
    assert.deepEqual(person.inUse, [TEAM.ledgerUrl, TEAM.verificationUrl]);
    assert.deepEqual(person.of("user"), { verificationUrl: PRIVATE });
    const next = new Person(person.settings.user);
    assert.deepEqual(next.inUse, [MAINNET, PRIVATE]);
    person.choose("testnet");
    assert.deepEqual(person.of("workspace"), {});
    assert.deepEqual(person.of("user"), {
      ledgerUrl: "https://testnet.mirrornode.hedera.com",
      verificationUrl: PRIVATE,
    });
  });

  it("has their own settings changed by their own network, and not those of the folder", () => {
    const person = new Person({ networks: [N] });
    person.choose("N");
    assert.deepEqual(person.of("workspace"), {});
    assert.deepEqual(person.of("user"), { ledgerUrl: N.ledgerUrl, verificationUrl: N.verificationUrl });
  });

  it("has it chosen where the folder says another one, whose own addresses come back with it", () => {
    const person = new Person({ networks: [N] }, FOLDER);
    person.choose("N");
    assert.deepEqual(person.inUse, [N.ledgerUrl, N.verificationUrl]);
    assert.deepEqual(person.of("user"), {});
    person.choose("mainnet");
    assert.deepEqual(person.inUse, [MAINNET, FOLDER.verificationUrl]);
  });

  it("has both its addresses in one place, so that no other folder has the one without the other", () => {
    for (const before of [PRIVATE, undefined])
      for (const name of ["ledgerUrl", "verificationUrl"] as const) {
        const own = { networks: [N, PLAIN], ...(before !== undefined && { verificationUrl: before }) };
        const person = new Person(own, { [name]: FOLDER[name] });
        person.choose("N");
        assert.deepEqual(person.inUse, [N.ledgerUrl, N.verificationUrl], name);
        const elsewhere = new Person(person.settings.user);
        assert.deepEqual(elsewhere.inUse, [MAINNET, before ?? PUBLIC_SERVICE], name);
        person.choose("mainnet");
        const service = name === "verificationUrl" ? FOLDER.verificationUrl : (before ?? PUBLIC_SERVICE);
        assert.deepEqual(person.inUse, [MAINNET, service], name);
        assert.deepEqual(new Person(person.settings.user).inUse, [MAINNET, before ?? PUBLIC_SERVICE], name);
      }
  });

  it("keeps it whole for the other folders where one whose ledger is another leaves it", () => {
    for (const before of [PRIVATE, undefined]) {
      const person = new Person({ networks: [N], ...(before !== undefined && { verificationUrl: before }) });
      person.choose("N");
      const folder = new Person(person.settings.user, { ledgerUrl: FOLDER.ledgerUrl });
      folder.kept = { ...folder.kept, user: person.kept.user };
      folder.choose("testnet");
      assert.deepEqual(folder.inUse[0], "https://testnet.mirrornode.hedera.com");
      const back = new Person(folder.settings.user);
      back.kept = { ...back.kept, user: folder.kept.user };
      assert.deepEqual(back.inUse, [N.ledgerUrl, N.verificationUrl]);
      back.choose("mainnet");
      assert.deepEqual(back.inUse, [MAINNET, before ?? PUBLIC_SERVICE]);
    }
  });

  it("leaves its service with it, also where a folder's own ledger is overruled for that folder alone", () => {
    for (const before of [PRIVATE, undefined]) {
      const elsewhere = new Person({ networks: [N, PLAIN], ...definedOnly({ verificationUrl: before }) });
      elsewhere.choose("N");
      for (const next of ["testnet", "Plain"]) {
        const folder = new Person(elsewhere.settings.user, { ledgerUrl: FOLDER.ledgerUrl });
        folder.kept = { ...elsewhere.kept };
        folder.choose(next);
        assert.notEqual(folder.inUse[0], N.ledgerUrl);
        assert.equal(folder.inUse[1], before ?? PUBLIC_SERVICE);
        assert.deepEqual(folder.of("user"), elsewhere.of("user"));
        folder.choose("N");
        assert.deepEqual(folder.inUse, [N.ledgerUrl, N.verificationUrl]);
      }
    }
  });

  it("has a folder's network without a service beside their own one, not beside that of the network they left", () => {
    const bare = { name: "Bare", ledgerUrl: "https://bare.example" };
    for (const before of [PRIVATE, undefined]) {
      const elsewhere = new Person({ networks: [N], ...definedOnly({ verificationUrl: before }) });
      elsewhere.choose("N");
      const folder = new Person(elsewhere.settings.user, { networks: [bare, TEAM] });
      folder.kept = { ...elsewhere.kept };
      folder.choose("Bare");
      assert.deepEqual(folder.inUse, [bare.ledgerUrl, before ?? PUBLIC_SERVICE]);
      folder.choose("Team net");
      assert.deepEqual(folder.inUse, [TEAM.ledgerUrl, TEAM.verificationUrl]);
      folder.choose("Bare");
      assert.deepEqual(folder.of("user"), elsewhere.of("user"));
      folder.choose("mainnet");
      assert.deepEqual(folder.inUse, [MAINNET, before ?? PUBLIC_SERVICE]);
      assert.deepEqual(folder.of("workspace"), {});
      assert.deepEqual(folder.kept, { user: "{}", workspace: "{}" });
    }
  });

  it("chooses a public network for all folders where one says only which service is asked", () => {
    const person = new Person({ networks: [N] }, { verificationUrl: FOLDER.verificationUrl });
    person.choose("testnet");
    assert.deepEqual(person.of("workspace"), { verificationUrl: FOLDER.verificationUrl });
    assert.deepEqual(person.of("user"), { ledgerUrl: "https://testnet.mirrornode.hedera.com" });
  });

  it("has its folder's own values back, whatever they were", () => {
    for (const before of [null, 5, ["x"], ""]) {
      const person = new Person({ networks: [N] }, { verificationUrl: before });
      person.choose("N");
      assert.deepEqual(person.inUse, [N.ledgerUrl, N.verificationUrl]);
      person.choose("mainnet");
      assert.deepEqual(person.settings.workspace["verificationUrl"], before);
    }
  });

  it("has nothing written to a folder that is not trusted", () => {
    const person = new Person({ networks: [N] }, { networks: [TEAM], ledgerUrl: "https://folder.example" });
    person.isTrusted = false;
    assert.throws(() => person.choose("Team net"), { code: "invalid_parameter" });
    person.choose("N");
    assert.deepEqual(person.of("workspace"), { ledgerUrl: "https://folder.example" });
    assert.deepEqual(person.inUse, [N.ledgerUrl, N.verificationUrl]);
  });

  it("has their private service back after a way through any networks, over a reload", () => {
    const ways = [["N"], ["N", "N"], ["N", "M"], ["N", "Plain", "M"], ["M", "N", "testnet", "N"]];
    for (const way of ways)
      for (const before of [PRIVATE, N.verificationUrl, undefined]) {
        const person = new Person({
          networks: [N, M, PLAIN],
          ...(before !== undefined && { verificationUrl: before }),
        });
        for (const one of way) person.choose(one);
        assert.notEqual(person.inUse[0], MAINNET);
        person.choose("mainnet");
        assert.equal(person.settings.user["verificationUrl"], before, way.join());
        assert.deepEqual(person.kept, { user: "{}", workspace: "{}" });
      }
  });

  it("keeps what they set themselves while a network was chosen", () => {
    const person = new Person({ networks: [N, M], verificationUrl: PRIVATE });
    person.choose("N");
    const own = "https://another.example/v";
    person.settings.user["verificationUrl"] = own;
    person.choose("M");
    assert.equal(person.inUse[1], M.verificationUrl);
    person.choose("mainnet");
    assert.equal(person.inUse[1], own);
    person.choose("N");
    delete person.settings.user["verificationUrl"];
    person.choose("mainnet");
    assert.equal(person.settings.user["verificationUrl"], undefined);
  });

  it("has it back also where the window ended while the settings were being written", () => {
    const before = { verificationUrl: { put: [N.verificationUrl], before: PRIVATE } };
    const after = { verificationUrl: { put: [M.verificationUrl], before: PRIVATE } };
    for (const written of [N, M])
      for (const [from, to] of [
        [before, after],
        [{}, after],
        [before, {}],
      ] as const) {
        if (from !== before && written === N) continue;
        if (to !== after && written === M) continue;
        const person = new Person({ networks: [N, M], verificationUrl: written.verificationUrl });
        person.kept.user = JSON.stringify(whileWritten(from, to));
        person.choose("mainnet");
        assert.equal(person.inUse[1], PRIVATE);
      }
  });

  it("of two of one name gets the one that they chose, and a program is told that there are two", () => {
    const person = new Person({ networks: [N, { ...M, name: "N" }] });
    person.choose(-1);
    assert.deepEqual(person.inUse, [M.ledgerUrl, M.verificationUrl]);
    person.choose(-2);
    assert.deepEqual(person.inUse, [N.ledgerUrl, N.verificationUrl]);
    assert.throws(() => person.choose("N"), { code: "invalid_parameter", message: /More than one network/ });
    assert.equal(choiceOfId(person.known, "m.example")?.ledgerUrl, M.ledgerUrl);
    assert.equal(choiceOfId(person.known, "elsewhere.example"), undefined);
  });

  it("gets what was shown, also where the list is edited while it is open", () => {
    const person = new Person({ networks: [N] });
    const shown = choiceNamed(person.known, "N");
    person.settings.user["networks"] = [
      { ...N, ledgerUrl: "https://evil.example", verificationUrl: PRIVATE },
    ];
    const { addresses } = switchedTo(
      shown,
      { addresses: { user: {}, workspace: {} }, replaced: { user: {}, workspace: {} } },
      BY_DEFAULT,
      true,
    );
    assert.deepEqual(addresses.user, { ledgerUrl: N.ledgerUrl, verificationUrl: N.verificationUrl });
  });
});
