import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { checkInputInPieces } from "../../../src/core/compilerInput/inputChecks.ts";
import { secretsInPieces } from "../../../src/core/sources/sourceSecrets.ts";
import type { CompilerInput, InputFile } from "../../../src/core/sources/standardJsonInput.ts";
import { PublishConsent, type Agreement } from "../../../src/core/jobs/publishConsent.ts";
import { fateOfSources, publishReviewInPieces } from "../../../src/core/jobs/publishReview.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { random } from "../random.ts";

/** Keys of no account, made when the test runs, so that none stands in the repository. */
const chance = random("secrets");
const digits = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[chance.below(alphabet.length)]).join("");
const HEX = "0123456789abcdef";
const KEY = `8${digits(HEX, 63)}`;
const TOKEN = `a1${digits("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwyz23456789", 30)}`;
const PHRASE = "gather maple velvet canyon bright orbit puzzle lemon harbor tiger ocean flame";

describe("What looks like a secret in a source", () => {
  for (const [name, source, what] of [
    ["a key in a constant", `uint256 constant PRIVATE_KEY = 0x${KEY};`, "a private key"],
    ["a key in a comment", `// deployer pk: ${KEY}`, "a private key"],
    ["a key in words", `/* private key 0x${KEY} (testnet) */`, "a private key"],
    ["a key in the next line", `uint256 deployerPrivateKey =\n    0x${KEY};`, "a private key"],
    ["a key that a script signs with", `vm.startBroadcast(0x${KEY});`, "a private key"],
    ["a key in Vyper", `OPERATOR_KEY: constant(uint256) = 0x${KEY}`, "a private key"],
    ["a line of an environment", `// PRIVATE_KEY=${KEY}`, "a private key"],
    ["a PEM block", "// -----BEGIN EC PRIVATE KEY-----", "a private key"],
    ["a seed phrase in a string", `string constant M = "${PHRASE}";`, "a seed phrase"],
    ["a seed phrase in a comment", `// mnemonic: ${PHRASE}`, "a seed phrase"],
    [
      "a node of Alchemy",
      `// https://eth-mainnet.g.alchemy.com/v2/${TOKEN}`,
      "an address with its access key",
    ],
    [
      "a node of Infura",
      `// wss://mainnet.infura.io/ws/v3/${KEY.slice(32)}`,
      "an address with its access key",
    ],
    [
      "an explorer's key",
      `// https://api.etherscan.io/api?apikey=${TOKEN}`,
      "an address with its access key",
    ],
    ["a password", `// https://me:${TOKEN}@rpc.example.org`, "an address with its password"],
    ["a key of a service", `// ETHERSCAN_API_KEY="${TOKEN}"`, "a secret of a service"],
    ["a token of GitHub", `// ghp_${(TOKEN + TOKEN).slice(0, 36)}`, "an access token"],
  ] as const) {
    it(`${name} is pointed out with its line, and not repeated`, () => {
      const found = atOnce(secretsInPieces(`pragma solidity 0.8.28;\n${source}\ncontract A {}\n`));
      assert.ok(found.length > 0 && found.every((one) => one.what === what), JSON.stringify(found));
      assert.ok(found.every(({ line }) => line === 2 || line === 3));
      assert.doesNotMatch(JSON.stringify(found), new RegExp(`${KEY}|${TOKEN}|${PHRASE}`));
    });
  }

  it("is none in a hash, a slot, a role, an example or a key that everybody knows", () => {
    for (const source of [
      `bytes32 public constant MINTER_ROLE = 0x${KEY};`,
      `bytes32 internal constant INIT_CODE_HASH = hex"${KEY}";`,
      `bytes32 private constant PRIVATE_KEY_SLOT = 0x${KEY};`,
      `bytes32 constant SECRET_KEY_HASH = keccak256("key"); // 0x${KEY}`,
      `// creation transaction 0x${KEY}`,
      `address signer = ecrecover(0x${KEY}, v, r, s);`,
      `bytes32 constant DOMAIN = 0x${KEY};`,
      `uint256 constant PRIVATE_KEY = 0x${"1".padStart(64, "0")};`,
      `uint256 key = vm.envUint("PRIVATE_KEY");`,
      `bytes32 constant API_KEY = keccak256("API_KEY");`,
      "// PRIVATE_KEY=<your private key>",
      "// https://mainnet.infura.io/v3/YOUR_PROJECT_ID_GOES_HERE",
      "// https://docs.alchemy.com/reference/eth-getcode-and-more-than-that",
      "// mnemonic: test test test test test test test test test test test junk",
      "// the owner may withdraw tokens after the lock has ended and the fee was paid in full",
      'require(ok, "transfer amount exceeds balance when fees are taken from every account that sends");',
    ])
      assert.deepEqual(atOnce(secretsInPieces(source)), [], source);
  });

  it("is none in any of the contracts of OpenZeppelin", () => {
    const files = globSync("node_modules/@openzeppelin/contracts/**/*.sol", { cwd: repositoryRoot });
    assert.ok(files.length > 200);
    const guilty = files.filter(
      (file) => atOnce(secretsInPieces(readFileSync(`${repositoryRoot}/${file}`, "utf8"))).length > 0,
    );
    assert.deepEqual(guilty, []);
  });
});

function inputOf(
  files: readonly (readonly [path: string, origin: InputFile["origin"], content: string])[],
  more: readonly (readonly [path: string, origin: InputFile["origin"], content: string])[] = [],
): CompilerInput {
  const name = (path: string) => path.replace(/^\/w\/vault\//, "");
  const part = (all: typeof files) => ({
    stdJsonInput: {
      language: "Solidity" as const,
      sources: Object.fromEntries(all.map(([path, , content]) => [name(path), { content }])),
      settings: {},
    },
    files: all.map(([path, origin, content]) => ({ name: name(path), path, origin, bytes: content.length })),
  });
  const contractIdentifier = `${name(files[0]?.[0] ?? "")}:Vault`;
  const findings = atOnce(checkInputInPieces({ ...part(files), contractIdentifier }));
  return {
    ...part(files),
    compilerVersion: "0.8.28+commit.7893614a",
    compilerReason: "",
    contractIdentifier,
    source: "build-info",
    findings,
    warnings: [],
    project: "/w/vault",
    changedSinceBuild: [],
    ...(more.length > 0 && { wholeBuild: part([...files, ...more]) }),
  };
}

describe("Before something is published", () => {
  const service = { host: "sourcify.dev" };

  it("a person sees every file with its size, what is not the project's own, and that it is for good", () => {
    const review = atOnce(
      publishReviewInPieces(
        inputOf([
          ["/w/vault/src/Vault.sol", "project", "contract Vault {}"],
          ["/w/vault/lib/oz/Ownable.sol", "dependency", "contract Ownable {}"],
          ["/w/shared/Common.sol", "workspace", "library Common {}"],
        ]),
        service,
      ),
    );
    assert.equal(review.sentence, "Publishes 3 files at sourcify.dev.");
    assert.deepEqual(
      review.files.map(({ name, bytes, place }) => [name, bytes, place]),
      [
        ["/w/shared/Common.sol", 17, "outside"],
        ["src/Vault.sol", 17, "project"],
        ["lib/oz/Ownable.sol", 19, "dependency"],
      ],
    );
    assert.equal(review.bytes, 53);
    assert.deepEqual(
      review.concerns.map(({ code }) => code),
      ["absolute_path", "outside_project"],
      "the shared file's name tells where it lies on this machine, and it is no file of the project",
    );
  });

  it("of a service on this machine it is said that files are sent there, and nothing of the public", () => {
    const files: Parameters<typeof inputOf>[0] = [["/w/vault/src/Vault.sol", "project", "contract Vault {}"]];
    const more: typeof files = [["/w/vault/src/Notes.sol", "project", "library Notes {}"]];
    for (const host of [
      ...["localhost", "localhost:5555", "LOCALHOST", "localhost.:5555"],
      ...["127.0.0.1:5555", "127.1", "2130706433", "0177.0.0.1", "0x7f.1", "127.0.0.1.", "0.0.0.0:5555"],
      ...["[::1]:5555", "[0:0:0:0:0:0:0:1]", "[::]:5555", "[::ffff:127.0.0.1]:5555", "[::ffff:0.0.0.0]"],
    ]) {
      const { sentence } = atOnce(publishReviewInPieces(inputOf(files, more), { host }));
      assert.equal(sentence, `Sends 1 file to ${host}, and 1 file more if those alone do not match.`);
      assert.equal(fateOfSources(host), "Sources are sent to a service on this machine");
    }
    // What leads where a resolver says is not known to be this machine, whatever its name.
    for (const host of [
      ...["sourcify.dev", "localhost.example:5555", "10.0.0.7:5555", "an invalid address"],
      ...["sourcify.localhost", "sourcify.localhost.:5555", "ip6-localhost", "localhost.localdomain"],
      ...["127.0.0.1.example", "[::ffff:10.0.0.7]", "[::2]", "[::7f00:1]", "0.0.0.1"],
    ]) {
      const { sentence } = atOnce(publishReviewInPieces(inputOf(files), { host }));
      assert.equal(sentence, `Publishes 1 file at ${host}.`);
      assert.equal(fateOfSources(host), "Sources become public permanently");
    }
  });

  it("a file with a secret comes first, with the reason at it", () => {
    const { files, concerns } = atOnce(
      publishReviewInPieces(
        inputOf([
          ["/w/vault/src/Vault.sol", "project", "contract Vault {}"],
          ["/w/vault/src/Zoo.sol", "project", `// PRIVATE_KEY=${KEY}`],
        ]),
        service,
      ),
    );
    assert.equal(files[0]?.name, "src/Zoo.sol");
    assert.match(files[0].concerns[0] ?? "", /src\/Zoo\.sol, line 1, holds what looks like a private key/);
    assert.equal(concerns.length, 1);
  });

  it("the files of a second try are shown as well, with what is in them", () => {
    const review = atOnce(
      publishReviewInPieces(
        inputOf(
          [["/w/vault/src/Vault.sol", "project", "contract Vault {}"]],
          [["/w/vault/src/Notes.sol", "project", `// mnemonic: ${PHRASE}`]],
        ),
        service,
      ),
    );
    assert.match(
      review.sentence,
      /^Publishes 1 file at sourcify\.dev, and 1 file more if those alone do not match\./,
    );
    assert.deepEqual(
      review.files.map(({ name, onlyIfNeeded, concerns }) => [name, onlyIfNeeded, concerns.length]),
      [
        ["src/Notes.sol", true, 1],
        ["src/Vault.sol", false, 0],
      ],
    );
  });
});

describe("An agreement to publish without being asked again", () => {
  function memento(start?: unknown) {
    let value = start;
    return {
      get: () => value,
      set: (next: readonly Agreement[]) => {
        value = JSON.parse(JSON.stringify(next)) as unknown;
      },
    };
  }

  const PLAIN = { kinds: ["files project", "language Solidity", "project /w/vault"], isUnremarkable: true };

  it("holds for a service of this workspace and for no other", async () => {
    const storage = memento();
    const consent = new PublishConsent(storage, () => 5);
    assert.equal(consent.covers("https://sourcify.dev/server", PLAIN), false);
    await consent.give("https://sourcify.dev/server", PLAIN);
    const later = new PublishConsent(storage);
    assert.equal(later.covers("https://sourcify.dev/server/", PLAIN), true);
    for (const other of [
      "http://sourcify.dev/server",
      "https://sourcify.dev/other",
      "https://sourcify.dev/",
      "https://sourcify.dev:8443/server",
      "https://evil.sourcify.dev/server",
      "https://sourcify.dev.evil.example/",
      "https://sourcify.dev@evil.example/",
      "nonsense",
    ])
      assert.equal(later.covers(other, PLAIN), false, other);
    assert.deepEqual(later.agreements(), [
      { service: "https://sourcify.dev/server", agreedAt: 5, kinds: PLAIN.kinds },
    ]);
  });

  it("holds for what is like the thing that was shown, and for no kind that was not in it", async () => {
    const consent = new PublishConsent(memento());
    const wide = { ...PLAIN, kinds: [...PLAIN.kinds, "files dependency"] };
    await consent.give("https://a.example", wide);
    assert.equal(consent.covers("https://a.example", wide), true);
    assert.equal(consent.covers("https://a.example", PLAIN), true, "less than what was shown");
    for (const kind of ["whole build", "files workspace", "language Vyper", "project /w/other"])
      assert.equal(
        consent.covers("https://a.example", { ...PLAIN, kinds: [...PLAIN.kinds, kind] }),
        false,
        kind,
      );
    const vyper = { ...PLAIN, kinds: ["files project", "language Vyper", "project /w/vault"] };
    await consent.give("https://a.example", vyper);
    assert.equal(consent.covers("https://a.example", vyper), true);
    assert.equal(
      consent.covers("https://a.example", { ...vyper, kinds: [...vyper.kinds, "files dependency"] }),
      false,
      "two agreements do not make a third",
    );
  });

  it("never holds for what should make a person think twice, also where that was there when it was given", async () => {
    const consent = new PublishConsent(memento());
    const remarkable = { ...PLAIN, isUnremarkable: false };
    await consent.give("https://a.example", remarkable);
    assert.equal(consent.covers("https://a.example", remarkable), false);
    assert.equal(consent.covers("https://a.example", PLAIN), true);
  });

  it("counts for nothing where it was kept without what it was given for", () => {
    const consent = new PublishConsent(
      memento([
        { service: "https://a.example", agreedAt: 5 },
        // By an earlier version, for every path of a host.
        { origin: "https://a.example", agreedAt: 5, kinds: PLAIN.kinds },
      ]),
    );
    assert.deepEqual(consent.agreements(), []);
    assert.equal(consent.covers("https://a.example", PLAIN), false);
  });

  it("can be taken back, for one service or all", async () => {
    const consent = new PublishConsent(memento());
    await consent.give("https://a.example", PLAIN);
    await consent.give("https://a.example", PLAIN);
    await consent.give("https://b.example", PLAIN);
    assert.equal(consent.agreements().length, 2);
    await consent.withdraw();
    assert.equal(consent.covers("https://a.example", PLAIN), false);
    assert.equal(consent.covers("https://b.example", PLAIN), false);
  });

  it("is none where what was kept can't be read", () => {
    for (const kept of [
      undefined,
      null,
      "yes",
      { service: "https://a.example" },
      [null, 5, { service: 5 }, { service: "https://a.example", agreedAt: 5, kinds: [5] }],
    ])
      assert.deepEqual(new PublishConsent(memento(kept)).agreements(), []);
  });
});
