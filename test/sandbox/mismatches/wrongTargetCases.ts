import { AbiCoder, id as keccakOfText } from "ethers";
import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import type { Random } from "../../unit/random.ts";
import { receiptOf, type DeployedCode } from "../chain.ts";
import {
  compileBuild,
  contractOf,
  linkedCode,
  type Build,
  type MismatchCase,
  type World,
} from "./mismatchCase.ts";
import {
  baseBuild,
  described,
  localKnowledge,
  partOf,
  type LocalKnowledge,
  type RegistryCase,
} from "./registryCases.ts";
import type { RegistryContract } from "./registryContracts.ts";
import { withImports, type Libraries } from "./registrySources.ts";

/** Where the seed's parts for these cases begin. */
const FIRST_PART = 50_000;

const HELD_OUT = 0.2;

/** An address that has no code. */
const EMPTY_ADDRESS = "0x000000000000000000000000000000000000dead";

/** A proxy as a library makes it. */
interface ProxyMaking {
  readonly kind: string;
  /** The build with the proxy, or with the factory that makes it. */
  readonly build: Build;
  readonly make: (
    world: World,
    output: Awaited<ReturnType<typeof compileBuild>>["output"],
    implementation: string,
  ) => Promise<DeployedCode>;
}

const MAKER_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {UpgradeableBeacon} from "solady/src/utils/UpgradeableBeacon.sol";

contract ProxyMaker {
    event Made(address instance);

    function make(uint256 kind, address implementation) external {
        address instance;
        if (kind == 0) instance = LibClone.clone(implementation);
        else if (kind == 1) instance = LibClone.clone_PUSH0(implementation);
        else if (kind == 2) instance = LibClone.clone(implementation, abi.encode(msg.sender, kind));
        else if (kind == 3) instance = LibClone.deployERC1967(implementation);
        else if (kind == 4) instance = LibClone.deployERC1967I(implementation);
        else if (kind == 5) instance = LibClone.deployERC1967(implementation, abi.encode(msg.sender));
        else if (kind == 6) instance = LibClone.deployERC1967BeaconProxy(beacon(implementation));
        else if (kind == 7) instance = LibClone.deployERC1967IBeaconProxy(beacon(implementation));
        else instance = LibClone.deployERC1967BeaconProxy(beacon(implementation), abi.encode(msg.sender));
        emit Made(instance);
    }

    function beacon(address implementation) private returns (address) {
        return address(new UpgradeableBeacon(msg.sender, implementation));
    }
}
`;

const MADE_BY_SOLADY = [
  "minimal proxy",
  "minimal proxy with PUSH0",
  "minimal proxy with arguments",
  "ERC-1967 proxy of solady",
  "ERC-1967 proxy of solady that tells its implementation",
  "ERC-1967 proxy of solady with arguments",
  "beacon proxy of solady",
  "beacon proxy of solady that tells its implementation",
  "beacon proxy of solady with arguments",
];

/** The libraries that proxies are made with, by import name. */
export interface ProxyLibraries {
  readonly solady: Libraries;
  readonly openZeppelin4: Libraries;
  readonly openZeppelin5: Libraries;
  readonly safe: Libraries;
}

/** The cases in which another contract is at the address, or another one is submitted. */
export function wrongTargetCases(
  contracts: readonly RegistryContract[],
  libraries: ProxyLibraries,
  seed: number,
): RegistryCase[] {
  const ordinary = contracts.filter(({ isLarge }) => !isLarge);
  return [
    ...proxyCases(ordinary, libraries, partOf(seed, FIRST_PART)),
    ...siblingCases(ordinary, partOf(seed, FIRST_PART + 1)),
    ...addressCases(ordinary, partOf(seed, FIRST_PART + 2)),
    ...unfitCases(ordinary, partOf(seed, FIRST_PART + 3)),
    ...factoryCases(contracts, partOf(seed, FIRST_PART + 4)),
    ...libraryCases(partOf(seed, FIRST_PART + 5)),
    ...extraFileCases(ordinary, partOf(seed, FIRST_PART + 6)),
  ];
}

/** What every case of this file has. */
function given(
  id: string,
  kind: string,
  causes: readonly CauseCode[],
  contract: RegistryContract,
  builds: Pick<MismatchCase, "deployed" | "submitted"> & Partial<RegistryCase>,
  knowledge: LocalKnowledge,
  random: Random,
  workspace: readonly Build[] = [builds.submitted],
): RegistryCase {
  return {
    id,
    name: `${id} · ${contract.library} ${builds.submitted.contract} · ${described(builds.submitted)} · ${kind} · ${knowledge}`,
    library: contract.library,
    version: builds.deployed.version,
    causes,
    differences: [{ kind, causes, isProvable: false }],
    constructorArguments: contract.constructorArguments,
    knowledge,
    isHeldOut: random.next() < HELD_OUT,
    isGiven: true,
    ...localKnowledge(knowledge, workspace),
    ...builds,
  };
}

function knowledgeOf(random: Random): LocalKnowledge {
  return random.pick(["nothing", "selectors", "code", "record"]);
}

/** An implementation behind every kind of proxy; what was submitted is the implementation. */
function proxyCases(
  contracts: readonly RegistryContract[],
  libraries: ProxyLibraries,
  random: Random,
): RegistryCase[] {
  const behind = contracts.filter(({ constructorArguments, contract }) =>
    constructorArguments === ""
      ? /Upgradeable$|^ERC7821$|^WETH$|CallbackHandler$|^Timelock$/.test(contract)
      : false,
  );
  return proxyMakings(libraries).flatMap((making, at) =>
    [0, 1].map((round) => {
      const contract = random.oneOf(behind);
      const build = baseBuild(contract, random);
      return given(
        `proxy${at}.${round}`,
        making.kind,
        ["proxy"],
        contract,
        {
          deployed: build,
          submitted: build,
          proxyVersion: making.build.version,
          async deploy(world, compiled, output) {
            const implementation = await world.chain.deploy(
              `0x${await linkedCode(world.chain, compiled, output)}`,
            );
            const made = await compileBuild(world.compilers, making.build);
            if (made.errors.length > 0) throw new Error(made.errors.join("\n"));
            return making.make(world, made.output, implementation.address);
          },
        },
        knowledgeOf(random),
        random,
      );
    }),
  );
}

function proxyMakings({ solady, openZeppelin4, openZeppelin5, safe }: ProxyLibraries): ProxyMaking[] {
  const settings = { optimizer: { enabled: true, runs: 200 } };
  const maker: Build = {
    sources: withImports("contracts/ProxyMaker.sol", solady, { "contracts/ProxyMaker.sol": MAKER_SOURCE }),
    contract: "ProxyMaker",
    version: "0.8.28",
    settings: { ...settings, evmVersion: "shanghai" },
  };
  const deployed = (
    kind: string,
    libraries: Libraries,
    file: string,
    version: string,
    args: (implementation: string, beacon: string) => readonly (readonly [type: string, value: unknown])[],
    beaconFile?: string,
  ): ProxyMaking => ({
    kind,
    build: {
      sources: {
        ...withImports(file, libraries),
        ...(beaconFile !== undefined && withImports(beaconFile, libraries)),
      },
      contract: nameOf(file),
      version,
      settings,
    },
    async make(world, output, implementation) {
      const creation = async (path: string, given: readonly (readonly [type: string, value: unknown])[]) => {
        const { contract } = contractOf(output, nameOf(path));
        const encoded = AbiCoder.defaultAbiCoder().encode(
          given.map(([type]) => type),
          given.map(([, value]) => value),
        );
        return `0x${await linkedCode(world.chain, contract, output)}${encoded.slice(2)}`;
      };
      const beacon =
        beaconFile === undefined
          ? ""
          : (await world.chain.deploy(await creation(beaconFile, beaconArguments(version, implementation))))
              .address;
      return world.chain.deploy(await creation(file, args(implementation, beacon)));
    },
  });
  const owner = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const oz = "@openzeppelin/contracts/proxy";
  const toImplementation = (implementation: string) =>
    [
      ["address", implementation],
      ["bytes", "0x"],
    ] as const;
  const withOwner = (implementation: string) =>
    [
      ["address", implementation],
      ["address", owner],
      ["bytes", "0x"],
    ] as const;
  const toBeacon = (_: string, beacon: string) =>
    [
      ["address", beacon],
      ["bytes", "0x"],
    ] as const;
  return [
    ...MADE_BY_SOLADY.map((kind, at): ProxyMaking => ({
      kind,
      build: maker,
      async make(world, output, implementation) {
        const { contract } = contractOf(output, "ProxyMaker");
        const { address } = await world.chain.deploy(`0x${contract.evm.bytecode.object}`);
        const call = AbiCoder.defaultAbiCoder().encode(["uint256", "address"], [at, implementation]).slice(2);
        return childOf(world, address, `${keccakOfText("make(uint256,address)").slice(0, 10)}${call}`);
      },
    })),
    deployed(
      "ERC-1967 proxy of OpenZeppelin 4.9",
      openZeppelin4,
      `${oz}/ERC1967/ERC1967Proxy.sol`,
      "0.8.19",
      toImplementation,
    ),
    deployed(
      "ERC-1967 proxy of OpenZeppelin 5.0",
      openZeppelin5,
      `${oz}/ERC1967/ERC1967Proxy.sol`,
      "0.8.26",
      toImplementation,
    ),
    deployed(
      "transparent proxy of OpenZeppelin 4.9",
      openZeppelin4,
      `${oz}/transparent/TransparentUpgradeableProxy.sol`,
      "0.8.9",
      withOwner,
    ),
    deployed(
      "transparent proxy of OpenZeppelin 5.0",
      openZeppelin5,
      `${oz}/transparent/TransparentUpgradeableProxy.sol`,
      "0.8.22",
      withOwner,
    ),
    deployed(
      "beacon proxy of OpenZeppelin 4.9",
      openZeppelin4,
      `${oz}/beacon/BeaconProxy.sol`,
      "0.8.10",
      toBeacon,
      `${oz}/beacon/UpgradeableBeacon.sol`,
    ),
    deployed(
      "beacon proxy of OpenZeppelin 5.0",
      openZeppelin5,
      `${oz}/beacon/BeaconProxy.sol`,
      "0.8.29",
      toBeacon,
      `${oz}/beacon/UpgradeableBeacon.sol`,
    ),
    deployed(
      "proxy of Safe",
      safe,
      "@safe-global/safe-contracts/contracts/proxies/SafeProxy.sol",
      "0.7.6",
      (implementation) => [["address", implementation]],
    ),
  ];

  function beaconArguments(version: string, implementation: string) {
    return version === "0.8.29"
      ? ([
          ["address", implementation],
          ["address", owner],
        ] as const)
      : ([["address", implementation]] as const);
  }
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1, -".sol".length);
}

/** Calls a factory and reads the address of what it made from the last word of its last event. */
async function childOf({ chain }: World, factory: string, data: string): Promise<DeployedCode> {
  const [from] = await chain.rpc<string[]>("eth_accounts");
  const transactionHash = await chain.rpc<string>("eth_sendTransaction", {
    from,
    to: factory,
    data,
    gas: "0x1c9c380",
  });
  const { logs, status } = await receiptOf(chain, transactionHash);
  const event = logs.at(-1)?.data ?? "";
  if (status !== "0x1" || event.length < 66) throw new Error("The factory made nothing.");
  const words = event.slice(2).match(/.{64}/g) ?? [];
  const address = words.find((one) => /^0{24}/.test(one) && !/^0{40}/.test(one)) ?? "";
  return { address: `0x${address.slice(24)}`, transactionHash };
}

/** Another contract of the same library was chosen. */
function siblingCases(contracts: readonly RegistryContract[], random: Random): RegistryCase[] {
  const names = [...new Set(contracts.map(({ library }) => library))];
  return names.flatMap((name, at) => {
    const siblings = contracts.filter(({ library }) => library === name);
    if (siblings.length < 2) return [];
    return [0, 1, 2].flatMap((round) => {
      const contract = random.oneOf(siblings);
      const other = random.oneOf(siblings.filter((one) => one !== contract));
      const deployed = baseBuild(contract, random);
      const version = other.versions.includes(deployed.version)
        ? deployed.version
        : (other.versions[0] ?? "");
      const submitted: Build = { ...deployed, version, sources: other.sources, contract: other.contract };
      const knowledge = knowledgeOf(random);
      const isKnown = random.next() < 0.7;
      const one = given(
        `sibling${at}.${round}`,
        isKnown
          ? "another contract of the library"
          : "another contract of the library, the right one is not here",
        // Where nothing says that the deployed contract is another one, it may be an earlier state of this one.
        knowledge !== "nothing" && isKnown ? ["wrong_contract"] : ["wrong_contract", "edited_source"],
        contract,
        { deployed, submitted },
        knowledge,
        random,
        isKnown ? [submitted, deployed] : [submitted],
      );
      // A proxy at the address is told of as a proxy, and there is nothing behind this one.
      return contract.contract.endsWith("Proxy") ? [] : [one];
    });
  });
}

/** Another address: one of another library's contract, one without code, or a service that can't ask. */
function addressCases(contracts: readonly RegistryContract[], random: Random): RegistryCase[] {
  return Array.from({ length: 24 }, (_, at) => {
    const contract = random.oneOf(contracts);
    const build = baseBuild(contract, random);
    const knowledge = knowledgeOf(random);
    if (at % 4 === 0)
      return given(
        `address${at}`,
        "address without code",
        ["not_deployed"],
        contract,
        { deployed: build, submitted: build, address: EMPTY_ADDRESS },
        knowledge,
        random,
      );
    if (at % 4 === 1)
      return given(
        `address${at}`,
        "node that does not answer",
        ["server"],
        contract,
        { deployed: build, submitted: build, isNodeDown: true },
        knowledge,
        random,
      );
    const libraries = contracts.filter(
      ({ library }) => library.split(" ")[0] !== contract.library.split(" ")[0],
    );
    const other = random.oneOf(libraries);
    const deployed = baseBuild(other, random);
    // Another release of the same contract was compiled otherwise and edited.
    const isOtherRelease = other.contract === contract.contract;
    return given(
      `address${at}`,
      "address of another contract",
      // Of a proxy that stands there, both are true: it is another contract, and the one to be verified may be behind it.
      isOtherRelease
        ? ["compiler_version", "edited_source"]
        : other.contract.includes("Proxy")
          ? ["wrong_contract", "proxy"]
          : ["wrong_contract"],
      other,
      { deployed, submitted: build },
      knowledge,
      random,
    );
  });
}

/** What can't be compiled as it was submitted. */
function unfitCases(contracts: readonly RegistryContract[], random: Random): RegistryCase[] {
  const cases: RegistryCase[] = [];
  // What is missing would be found beside the tests.
  const others = contracts.filter(({ library }) => !library.startsWith("@openzeppelin/contracts "));
  for (let at = 0; at < 24; at++) {
    const contract = random.oneOf(others);
    const build = baseBuild(contract, random);
    const knowledge = random.pick<LocalKnowledge>(["nothing", "selectors"]);
    const first = { deployed: build };
    const names = Object.keys(build.sources).filter((name) => name !== contract.file);
    const [name] = names;
    switch (at % 4) {
      case 0: {
        if (name === undefined) break;
        const sources = Object.fromEntries(Object.entries(build.sources).filter(([file]) => file !== name));
        cases.push(
          given(
            `unfit${at}`,
            "missing file",
            ["compiler_error"],
            contract,
            { ...first, submitted: { ...build, sources } },
            knowledge,
            random,
            [],
          ),
        );
        break;
      }
      case 1: {
        const version = build.version.startsWith("0.8.") ? "0.7.6" : "0.8.19";
        // The compiler's own words name the version that the sources want.
        cases.push(
          given(
            `unfit${at}`,
            "version that the sources forbid",
            ["compiler_error", "compiler_version"],
            contract,
            { ...first, submitted: { ...build, version, settings: {} } },
            knowledge,
            random,
            [],
          ),
        );
        break;
      }
      case 2:
        cases.push(
          given(
            `unfit${at}`,
            "compiler that there is not",
            // The service says the same of one that there is and that it can't get.
            ["compiler_version", "server"],
            contract,
            { ...first, submitted: { ...build, compilerVersion: `${build.version}+commit.01234567` } },
            knowledge,
            random,
          ),
        );
        break;
      default:
        cases.push(
          given(
            `unfit${at}`,
            "name that the file does not have",
            ["wrong_contract"],
            contract,
            { ...first, submitted: { ...build, identifier: `${contract.file}:${contract.contract}V2` } },
            knowledge,
            random,
          ),
        );
    }
  }
  const abstracts: readonly (readonly [library: string, path: string, contract: string])[] = [
    ["@openzeppelin/contracts 4.9", "utils/Context.sol", "Context"],
    ["@openzeppelin/contracts 5.0", "utils/Context.sol", "Context"],
    ["@openzeppelin/contracts 3.4", "utils/Context.sol", "Context"],
    ["@openzeppelin/contracts 4.9", "token/ERC20/IERC20.sol", "IERC20"],
    ["solmate 6.8", "src/auth/Auth.sol", "Auth"],
    ["zeppelin-solidity 1.12", "token/ERC20/ERC20.sol", "ERC20"],
  ];
  for (const [at, [library, path, name]] of abstracts.entries()) {
    const contract = contracts.find(
      (one) => one.library === library && Object.keys(one.sources).some((file) => file.endsWith(`/${path}`)),
    );
    if (!contract) throw new Error(`Nothing of ${library} imports ${path}.`);
    const build = baseBuild(contract, random);
    cases.push(
      given(
        `abstract${at}`,
        "contract without code",
        ["abstract_contract"],
        contract,
        { deployed: build, submitted: { ...build, contract: name } },
        "nothing",
        random,
      ),
    );
  }
  return cases;
}

/** What a factory made, compiled otherwise for the submission; and the factory in place of the child, and back. */
function factoryCases(contracts: readonly RegistryContract[], random: Random): RegistryCase[] {
  const pool = contracts.find(({ contract }) => contract === "PricePoolFactory");
  const pair = contracts.find(({ contract }) => contract === "UniswapV2Factory");
  if (!pool || !pair) throw new Error("The factories are not there.");
  const factories = [
    {
      factory: pool,
      child: "PricePool",
      call: `${keccakOfText("create(bytes32)").slice(0, 10)}${"ab".repeat(32)}`,
    },
    {
      factory: pair,
      child: "UniswapV2Pair",
      call: `${keccakOfText("createPair(address,address)").slice(0, 10)}${"11".repeat(20).padStart(64, "0")}${"22".repeat(20).padStart(64, "0")}`,
    },
  ];
  const changes: readonly (readonly [
    kind: string,
    causes: readonly CauseCode[],
    settings: Readonly<Record<string, unknown>>,
  ])[] = [
    [
      "child of a factory with other runs",
      ["optimizer_runs"],
      { optimizer: { enabled: true, runs: 999_999 } },
    ],
    ["child of a factory without optimizer", ["optimizer"], { optimizer: { enabled: false } }],
    [
      "child of a factory for another EVM",
      ["evm_version"],
      { optimizer: { enabled: true, runs: 200 }, evmVersion: "byzantium" },
    ],
    [
      "child of a factory with literal content",
      ["metadata_settings", "edited_source"],
      { optimizer: { enabled: true, runs: 200 }, metadata: { useLiteralContent: true } },
    ],
  ];
  return factories.flatMap(({ factory, child, call }, at) => {
    const version = factory.versions.at(-1) ?? "";
    const whole: Build = {
      sources: factory.sources,
      contract: factory.contract,
      version,
      settings: { optimizer: { enabled: true, runs: 200 } },
    };
    const own: Build = { ...whole, contract: child };
    const made: Pick<MismatchCase, "deploy"> = {
      async deploy(world, _compiled, output) {
        const { contract } = contractOf(output, factory.contract);
        const { address } = await world.chain.deploy(
          `0x${contract.evm.bytecode.object}${factory.constructorArguments}`,
        );
        return childOf(world, address, call);
      },
    };
    return [
      ...changes.map(([kind, causes, settings], round) => ({
        ...given(
          `child${at}.${round}`,
          kind,
          causes,
          factory,
          { deployed: own, submitted: { ...own, settings }, ...made },
          knowledgeOf(random),
          random,
        ),
        isGiven: false,
      })),
      given(
        `child${at}.factory`,
        "factory in place of its child",
        ["wrong_contract"],
        factory,
        { deployed: own, submitted: whole, ...made },
        "code",
        random,
        [whole, own],
      ),
      given(
        `child${at}.child`,
        "child in place of its factory",
        ["wrong_contract"],
        factory,
        { deployed: whole, submitted: own },
        "code",
        random,
        [whole, own],
      ),
    ];
  });
}

const SPLITTER_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0 <0.9.0;

library Shares {
    function ofTotal(uint256 amount, uint256 share, uint256 total) public pure returns (uint256) {
        require(total != 0, "Shares: nothing");
        return (amount * share) / total;
    }
}

library Fees {
    function net(uint256 amount) public pure returns (uint256) {
        return amount - amount / 40;
    }
}

contract Splitter {
    mapping(address => uint256) public sharesOf;
    uint256 public total;

    function join(uint256 share) public {
        require(sharesOf[msg.sender] == 0, "Splitter: joined");
        sharesOf[msg.sender] = share;
        total += share;
    }

    function due(address member, uint256 amount) public view returns (uint256) {
        return Shares.ofTotal(Fees.net(amount), sharesOf[member], total);
    }
}
`;

/** Libraries at another address than the deployed ones, and other differences of a contract that links libraries. */
function libraryCases(random: Random): RegistryCase[] {
  return ["0.5.17", "0.6.12", "0.7.6", "0.8.9", "0.8.20", "0.8.30"].flatMap((version, at) => {
    const file = "contracts/Splitter.sol";
    const settings = { optimizer: { enabled: true, runs: 200 } };
    const build: Build = { sources: { [file]: SPLITTER_SOURCE }, contract: "Splitter", version, settings };
    const contract: RegistryContract = {
      library: "own libraries",
      contract: "Splitter",
      file,
      sources: build.sources,
      versions: [version],
      constructorArguments: "",
      isLarge: false,
      isSmall: true,
    };
    const [Shares, Fees] = [`0x${"5a".repeat(20)}`, `0x${"6b".repeat(20)}`];
    const libraries = { [file]: { Shares, Fees } };
    const one = (
      name: string,
      kind: string,
      causes: readonly CauseCode[],
      other: Readonly<Record<string, unknown>>,
    ) =>
      given(
        `libraries${at}.${name}`,
        kind,
        causes,
        contract,
        { deployed: build, submitted: { ...build, settings: { ...settings, ...other } } },
        knowledgeOf(random),
        random,
      );
    return [
      one("both", "libraries at other addresses", ["unlinked_library"], { libraries }),
      one("one", "one library at another address", ["unlinked_library"], {
        libraries: { [file]: { Shares } },
      }),
      // The service keeps unlinked code up to the first library only: whatever differs behind it is not to be seen.
      one("runs", "unlinked libraries, other runs", ["optimizer_runs", "unlinked_library"], {
        optimizer: { enabled: true, runs: 1 },
      }),
      one("optimizer", "unlinked libraries, optimizer off", ["optimizer", "unlinked_library"], {
        optimizer: { enabled: false },
      }),
    ].map((made, index) => (index < 2 ? made : { ...made, isGiven: false }));
  });
}

/** Built together with files that it does not import. */
function extraFileCases(contracts: readonly RegistryContract[], random: Random): RegistryCase[] {
  const fitting = contracts.filter(({ versions }) =>
    versions.some((one) => /^0\.(?:6\.12|7\.[05]|8\.1[357]|8\.2\d)$/.test(one)),
  );
  return Array.from({ length: 24 }, (_, at) => {
    const contract = random.oneOf(fitting);
    const others = contracts.filter(
      ({ library, file }) => library === contract.library && file !== contract.file,
    );
    const versions = contract.versions.filter((one) => /^0\.(?:6\.12|7\.[05]|8\.1[357]|8\.2\d)$/.test(one));
    const version = versions[random.below(versions.length)] ?? "";
    const settings = {
      optimizer: { enabled: true, runs: 200 },
      ...(version.startsWith("0.8.") && random.next() < 0.8 && contract.isSmall && { viaIR: true }),
    };
    const submitted: Build = { sources: contract.sources, contract: contract.contract, version, settings };
    const extra = others[random.below(Math.max(1, others.length))];
    const deployed: Build = { ...submitted, sources: { ...extra?.sources, ...contract.sources } };
    return {
      ...given(
        `extra${at}`,
        "built with further files",
        ["extra_files"],
        contract,
        { deployed, submitted },
        knowledgeOf(random),
        random,
      ),
      isGiven: false,
    };
  });
}
