import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { AbiCoder } from "ethers";
import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import { snekmateContracts } from "../../oracles/vyper/snekmateContracts.ts";
import type { Random } from "../../unit/random.ts";
import { partOf } from "./registryCases.ts";

/** A compilation with Vyper. */
export interface VyperBuild {
  readonly file: string;
  readonly sources: Readonly<Record<string, string>>;
  /** In full, as "0.4.3+commit.bff19ea2". */
  readonly version: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** One thing deployed with Vyper, another one submitted. */
export interface VyperRegistryCase {
  readonly id: string;
  readonly name: string;
  readonly library: string;
  readonly version: string;
  readonly kind: string;
  /** What an explanation may call it where the code differs. */
  readonly causes: readonly CauseCode[];
  readonly deployed: VyperBuild;
  readonly submitted: VyperBuild;
  readonly constructorArguments: string;
  /** A minimal proxy in front of what was deployed. */
  readonly isProxied: boolean;
  readonly isHeldOut: boolean;
}

/** A contract in Vyper, with the releases that compile it. */
interface VyperContract {
  readonly library: string;
  readonly file: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly versions: readonly string[];
  readonly constructorArguments: string;
}

/** Something that was done differently. */
interface VyperDifference {
  readonly kind: string;
  readonly causes: readonly CauseCode[];
  apply(build: VyperBuild, contract: VyperContract, random: Random): VyperBuild | undefined;
}

const VERSIONS = {
  "0.3.10": "0.3.10+commit.91361694",
  "0.4.0": "0.4.0+commit.e9db8d9f",
  "0.4.3": "0.4.3+commit.bff19ea2",
} as const;

/** Vyper releases that these cases need, as Python's package index names them. */
export const VYPER_RELEASES: readonly string[] = Object.keys(VERSIONS);

const FIRST_PART = 70_000;
const HELD_OUT = 0.2;
const CASES_OF_A_CONTRACT = 3;

/** Contracts that both lines of the language compile. */
const PLAIN: Readonly<Record<string, string>> = {
  "contracts/Registry.vy": `# pragma version >=0.3.10

event Registered:
    name: indexed(bytes32)
    owner: address

FEE: constant(uint256) = 1500
MAX_LABELS: constant(uint256) = 32

owners: public(HashMap[bytes32, address])
paid: public(uint256)

@external
@payable
def register(name: bytes32):
    assert self.owners[name] == empty(address), "taken"
    assert msg.value >= FEE, "fee"
    self.owners[name] = msg.sender
    self.paid += msg.value
    log Registered(name, msg.sender)

@external
def release(name: bytes32):
    assert self.owners[name] == msg.sender, "owner"
    self.owners[name] = empty(address)

@external
@view
def price(years: uint256) -> uint256:
    assert years < MAX_LABELS, "years"
    return FEE * years
`,
  "contracts/Escrow.vy": `# pragma version >=0.3.10

struct Deal:
    buyer: address
    amount: uint256
    isPaid: bool

deals: public(HashMap[uint256, Deal])
count: public(uint256)

@internal
@pure
def _cut(amount: uint256) -> uint256:
    return amount * 25 / 1000 if amount == 0 else unsafe_div(amount * 25, 1000)

@external
@payable
def open() -> uint256:
    self.count += 1
    self.deals[self.count] = Deal({buyer: msg.sender, amount: msg.value, isPaid: False})
    return self.count

@external
def settle(number: uint256, seller: address):
    deal: Deal = self.deals[number]
    assert deal.buyer == msg.sender, "buyer"
    assert not deal.isPaid, "paid"
    self.deals[number].isPaid = True
    send(seller, deal.amount - self._cut(deal.amount))
`,
};

/** The same with the struct and the division of Vyper 0.4. */
const PLAIN_0_4: Readonly<Record<string, string>> = {
  "contracts/Registry.vy": (PLAIN["contracts/Registry.vy"] ?? "").replace(">=0.3.10", ">=0.4.0"),
  "contracts/Escrow.vy": (PLAIN["contracts/Escrow.vy"] ?? "")
    .replace(">=0.3.10", ">=0.4.0")
    .replace(
      "Deal({buyer: msg.sender, amount: msg.value, isPaid: False})",
      "Deal(buyer=msg.sender, amount=msg.value, isPaid=False)",
    )
    .replace("amount * 25 / 1000 if", "amount * 25 // 1000 if"),
};

/** Contracts of snekmate that stand alone, for Vyper 0.3.10. */
const SNEKMATE_0_0: readonly (readonly [
  path: string,
  ...args: readonly (readonly [type: string, value: unknown])[],
])[] = [
  ["auth/Ownable.vy"],
  ["auth/Ownable2Step.vy"],
  ["auth/AccessControl.vy"],
  ["utils/Multicall.vy"],
  ["utils/BatchDistributor.vy"],
  ["utils/Create2Address.vy"],
  ["extensions/ERC2981.vy"],
];

/** Contracts of snekmate 0.1 that are small enough, with their arguments. */
const SNEKMATE_0_1 = [
  "owned",
  "ownedInTwoSteps",
  "guarded",
  "coin",
  "royalties",
  "encoder",
  "addresses",
  "signers",
  "domain",
  "numbers",
  "brake",
  "wallet",
];

const DIFFERENCES: readonly VyperDifference[] = [
  edited("changed constant", (source) =>
    replacedLast(source, /(?<=[ (])\d{2,4}(?=[\s),])/g, (found) => String(Number(found) + 7)),
  ),
  edited("changed comparison", (source) =>
    replacedLast(source, /(?<=assert [^\n"]*)(?:==|!=)/g, (found) => (found === "==" ? "!=" : "==")),
  ),
  edited("renamed function", (source) => {
    const name = /@external\n(?:@\w+\n)*def (?!__)(\w+)/.exec(source)?.[1];
    return name === undefined
      ? undefined
      : source.replace(new RegExp(String.raw`\bdef ${name}\b`), `def ${name}_now`);
  }),
  edited(
    "added function",
    (source) =>
      `${source}\n@external\n@view\ndef edition_of_ledger() -> uint256:\n    return block.number + 4\n`,
  ),
  edited("added comment", (source) => `${source}\n# Reviewed in spring.\n`),
  {
    kind: "version",
    causes: ["compiler_version"],
    apply(build, { versions }, random) {
      const others = versions.filter((one) => one !== build.version);
      return others.length === 0 ? undefined : { ...build, version: random.oneOf(others) };
    },
  },
  settings("optimized for size", ["optimizer"], () => ({ optimize: "codesize" })),
  settings("not optimized", ["optimizer"], () => ({ optimize: "none" })),
  settings("EVM version", ["evm_version"], ({ version }) => ({
    evmVersion: version.startsWith("0.3.") ? "paris" : "shanghai",
  })),
  settings("no metadata", ["metadata_settings"], () => ({ bytecodeMetadata: false })),
  // It makes other code of the same source by another pipeline, as `viaIR` does.
  settings("experimental code generation", ["via_ir", "optimizer"], ({ version }) =>
    version.startsWith("0.4.3") ? { experimentalCodegen: true } : undefined,
  ),
];

/** @param packages The folders of snekmate for Vyper 0.3.10 and 0.4.3. */
export function vyperRegistryCases(
  packages: { readonly old: string; readonly modern: string },
  seed: number,
): VyperRegistryCase[] {
  const contracts = vyperContracts(packages);
  return contracts.flatMap((contract, at) => {
    const random = partOf(seed, FIRST_PART + at);
    const cases: VyperRegistryCase[] = [];
    const used = new Set<string>();
    for (let tries = 0; cases.length < CASES_OF_A_CONTRACT && tries < 20; tries++) {
      const build: VyperBuild = { ...contract, version: random.oneOf(contract.versions), settings: {} };
      const one = drawn(build, contract, contracts, random);
      if (!one || used.has(one.kind)) continue;
      used.add(one.kind);
      const id = `vyper${at}.${cases.length}`;
      cases.push({
        ...one,
        id,
        name: `${id} · ${contract.library} ${contract.file} · ${build.version.split("+")[0] ?? ""} · ${one.kind}`,
        library: contract.library,
        version: `Vyper ${one.deployed.version.split("+")[0] ?? ""}`,
        constructorArguments: contract.constructorArguments,
        isHeldOut: random.next() < HELD_OUT,
      });
    }
    return cases;
  });
}

function drawn(
  build: VyperBuild,
  contract: VyperContract,
  contracts: readonly VyperContract[],
  random: Random,
): Pick<VyperRegistryCase, "kind" | "causes" | "deployed" | "submitted" | "isProxied"> | undefined {
  const place = random.next();
  if (place < 0.1)
    return { kind: "minimal proxy", causes: ["proxy"], deployed: build, submitted: build, isProxied: true };
  if (place < 0.25) {
    const siblings = contracts.filter(
      ({ library, file, versions }) =>
        library === contract.library && file !== contract.file && versions.includes(build.version),
    );
    if (siblings.length === 0) return undefined;
    const { file, sources } = random.oneOf(siblings);
    // Without local builds it may as well be an earlier state of the same contract.
    const causes: readonly CauseCode[] = ["wrong_contract", "edited_source"];
    return {
      kind: "another contract",
      causes,
      deployed: build,
      submitted: { ...build, file, sources },
      isProxied: false,
    };
  }
  const difference = random.oneOf(DIFFERENCES);
  const other = difference.apply(build, contract, random);
  if (!other) return undefined;
  const [deployed, submitted] = random.next() < 0.5 ? [other, build] : [build, other];
  return { kind: difference.kind, causes: difference.causes, deployed, submitted, isProxied: false };
}

function vyperContracts({ old, modern }: { readonly old: string; readonly modern: string }): VyperContract[] {
  const plain = (files: Readonly<Record<string, string>>, versions: readonly string[]): VyperContract[] =>
    Object.entries(files).map(([file, source]) => ({
      library: "own Vyper",
      file,
      sources: { [file]: source },
      versions,
      constructorArguments: "",
    }));
  const encoded = (args: readonly (readonly [type: string, value: unknown])[]) =>
    AbiCoder.defaultAbiCoder()
      .encode(
        args.map(([type]) => type),
        args.map(([, value]) => value),
      )
      .slice(2);
  return [
    ...plain(PLAIN, [VERSIONS["0.3.10"]]),
    ...plain(PLAIN_0_4, [VERSIONS["0.4.0"], VERSIONS["0.4.3"]]),
    ...plain({ "contracts/Register.vy": PLAIN["contracts/Registry.vy"] ?? "" }, Object.values(VERSIONS)),
    ...SNEKMATE_0_0.map(([path, ...args]): VyperContract => {
      const file = `snekmate/${path}`;
      return {
        library: "snekmate 0.0.5",
        file,
        sources: withVyperImports(file, readFileSync(join(old, file), "utf8"), old),
        versions: [VERSIONS["0.3.10"]],
        constructorArguments: encoded(args),
      };
    }),
    ...SNEKMATE_0_1.map((name): VyperContract => {
      const file = `${name}.vy`;
      const args = name === "coin" ? ([["uint256", 1_000]] as const) : [];
      return {
        library: "snekmate 0.1.2",
        file,
        sources: withVyperImports(file, snekmateContracts[file] ?? "", modern),
        versions: [VERSIONS["0.4.3"]],
        constructorArguments: encoded(args),
      };
    }),
  ];
}

/** A file with the modules and interfaces that it imports. */
function withVyperImports(file: string, source: string, folder: string): Record<string, string> {
  const sources: Record<string, string> = { [file]: source };
  const wanted: (readonly [from: string, source: string])[] = [[file, source]];
  for (let next = wanted.pop(); next; next = wanted.pop()) {
    const [from, text] = next;
    for (const path of importedPaths(from, text)) {
      const found = [`${path}.vy`, `${path}.vyi`].find((one) => existsSync(join(folder, one)));
      if (found === undefined || found in sources) continue;
      sources[found] = readFileSync(join(folder, found), "utf8");
      wanted.push([found, sources[found]]);
    }
  }
  return sources;
}

function importedPaths(from: string, source: string): string[] {
  return [...source.matchAll(/^(?:from (\.*)([\w.]*) )?import ([\w.]+)/gm)].map(
    ([, dots = "", module = "", name = ""]) => {
      const path = [module, name]
        .filter((part) => part !== "")
        .join(".")
        .replaceAll(".", "/");
      return dots === "" ? path : normalize(join(dirname(from), "../".repeat(dots.length - 1), path));
    },
  );
}

function edited(kind: string, change: (source: string) => string | undefined): VyperDifference {
  return {
    kind,
    causes: ["edited_source"],
    apply(build) {
      const source = build.sources[build.file] ?? "";
      const changed = change(source);
      if (changed === undefined || changed === source) return undefined;
      return { ...build, sources: { ...build.sources, [build.file]: changed } };
    },
  };
}

function settings(
  kind: string,
  causes: readonly CauseCode[],
  make: (build: VyperBuild) => Readonly<Record<string, unknown>> | undefined,
): VyperDifference {
  return {
    kind,
    causes,
    apply(build) {
      const made = make(build);
      return made && { ...build, settings: { ...build.settings, ...made } };
    },
  };
}

function replacedLast(source: string, pattern: RegExp, other: (found: string) => string): string | undefined {
  const last = [...source.matchAll(pattern)].at(-1);
  if (!last) return undefined;
  return source.slice(0, last.index) + other(last[0]) + source.slice(last.index + last[0].length);
}
