import { join } from "node:path";
import { AbiCoder } from "ethers";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../../src/core/languages/solidity/solidityPragma.ts";
import { scanSolidityDirectives } from "../../../src/core/languages/solidity/solidityScanner.ts";
import { withImports, type Libraries } from "./registrySources.ts";

/** A real contract of a package, or a contract as people write it on top of one. */
export interface RegistryContract {
  /** `@openzeppelin/contracts 4.9`. */
  readonly library: string;
  readonly contract: string;
  /** Source unit name of its file. */
  readonly file: string;
  /** Source unit name → content, everything imported included. */
  readonly sources: Readonly<Record<string, string>>;
  /** Short versions that compile it, oldest first. */
  readonly versions: readonly string[];
  /** Constructor arguments, ABI-encoded without `0x`. */
  readonly constructorArguments: string;
  /** Takes long to compile: few cases are made of it. */
  readonly isLarge: boolean;
  /** The IR pipeline takes many times as long: it is used for small contracts. */
  readonly isSmall: boolean;
}

/** Where the packages are. */
export interface PackageFolders {
  /** `node_modules` of the packages that only these cases use. */
  readonly contracts: string;
  /** `node_modules` of the packages that other proofs use, too. */
  readonly oracles: string;
}

type Argument = readonly [type: string, value: unknown];

/** A contract of a library: its path there, its name, its constructor's arguments. */
type Entry = readonly [path: string, contract: string, ...args: readonly Argument[]];

const OWNER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const OTHER = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
/** The factory that anvil puts on every chain, for constructors that want an address with code. */
const CODE_OF_THE_CHAIN = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const address: Argument = ["address", OWNER];
const other: Argument = ["address", OTHER];
const text = (value: string): Argument => ["string", value];
const number = (value: bigint | number): Argument => ["uint256", value];
const payees: Argument = ["address[]", [OWNER, OTHER]];
const shares: Argument = ["uint256[]", [70, 30]];

/** How much source makes a contract a large one, in characters with everything imported. */
const LARGE = 100_000;
/** And a small one. */
const SMALL = 40_000;

/** When what is locked in the cases is free: in 2100, in seconds. */
const FAR_FUTURE = 4_102_444_800;

const FROM_0_4_11 = ["0.4.11", "0.4.16", "0.4.18", "0.4.21", "0.4.24"];
const FROM_0_4_24 = ["0.4.24", "0.4.25", "0.4.26"];
const FROM_0_5_0 = ["0.5.0", "0.5.3", "0.5.8", "0.5.9", "0.5.12", "0.5.16", "0.5.17"];
const FROM_0_6_6 = ["0.6.6", "0.6.11", "0.6.12", "0.7.0", "0.7.5", "0.7.6"];
const FROM_0_8_20 = [
  ...["0.8.20", "0.8.21", "0.8.22", "0.8.24", "0.8.25", "0.8.26", "0.8.27", "0.8.28", "0.8.29", "0.8.30"],
  ...["0.8.33", "0.8.35", "0.8.36", "0.8.37"],
];
const FROM_0_8_4 = [
  ...["0.8.4", "0.8.6", "0.8.9", "0.8.10", "0.8.13", "0.8.15", "0.8.17", "0.8.18", "0.8.19"],
  ...FROM_0_8_20,
];
const FROM_0_8_0 = ["0.8.0", "0.8.2", ...FROM_0_8_4];

function from(version: string): readonly string[] {
  return FROM_0_8_0.slice(FROM_0_8_0.indexOf(version));
}

const ZEPPELIN_1_3: readonly Entry[] = [
  ["token/StandardToken.sol", "StandardToken"],
  ["token/MintableToken.sol", "MintableToken"],
  ["token/PausableToken.sol", "PausableToken"],
  ["ownership/Claimable.sol", "Claimable"],
  ["ownership/DelayedClaimable.sol", "DelayedClaimable"],
  ["lifecycle/Pausable.sol", "Pausable"],
  ["lifecycle/Migrations.sol", "Migrations"],
  ["ownership/HasNoEther.sol", "HasNoEther"],
  ["ownership/NoOwner.sol", "NoOwner"],
  ["crowdsale/RefundVault.sol", "RefundVault", address],
  ["payment/PullPayment.sol", "PullPayment"],
];

const ZEPPELIN_1_12: readonly Entry[] = [
  ["token/ERC20/StandardToken.sol", "StandardToken"],
  ["token/ERC20/PausableToken.sol", "PausableToken"],
  ["token/ERC20/CappedToken.sol", "CappedToken", number(1_000_000)],
  ["token/ERC20/RBACMintableToken.sol", "RBACMintableToken"],
  ["token/ERC721/ERC721Token.sol", "ERC721Token", text("Ledger"), text("LDG")],
  ["payment/SplitPayment.sol", "SplitPayment", payees, shares],
  ["payment/RefundEscrow.sol", "RefundEscrow", address],
  ["ownership/Heritable.sol", "Heritable", number(3_600)],
  ["access/Whitelist.sol", "Whitelist"],
];

const OPENZEPPELIN_2: readonly Entry[] = [
  ["token/ERC20/ERC20.sol", "ERC20"],
  ["token/ERC20/ERC20Pausable.sol", "ERC20Pausable"],
  ["token/ERC20/ERC20Capped.sol", "ERC20Capped", number(1_000_000)],
  ["token/ERC20/ERC20Burnable.sol", "ERC20Burnable"],
  ["token/ERC721/ERC721Full.sol", "ERC721Full", text("Ledger"), text("LDG")],
  ["payment/PaymentSplitter.sol", "PaymentSplitter", payees, shares],
  ["payment/escrow/RefundEscrow.sol", "RefundEscrow", address],
  [
    "drafts/TokenVesting.sol",
    "TokenVesting",
    address,
    number(FAR_FUTURE),
    number(100),
    number(1_000),
    ["bool", true],
  ],
  ["drafts/ERC20Snapshot.sol", "ERC20Snapshot"],
  ["access/roles/WhitelistedRole.sol", "WhitelistedRole"],
];

const OPENZEPPELIN_3: readonly Entry[] = [
  ["token/ERC20/ERC20.sol", "ERC20", text("Ledger"), text("LDG")],
  ["presets/ERC20PresetMinterPauser.sol", "ERC20PresetMinterPauser", text("Ledger"), text("LDG")],
  ["token/ERC1155/ERC1155.sol", "ERC1155", text("https://ledger.example/")],
  ["payment/PaymentSplitter.sol", "PaymentSplitter", payees, shares],
  ["token/ERC20/TokenTimelock.sol", "TokenTimelock", other, address, number(FAR_FUTURE)],
  ["proxy/ProxyAdmin.sol", "ProxyAdmin"],
];

const OPENZEPPELIN_4: readonly Entry[] = [
  ["token/ERC20/ERC20.sol", "ERC20", text("Ledger"), text("LDG")],
  ["token/ERC20/presets/ERC20PresetMinterPauser.sol", "ERC20PresetMinterPauser", text("L"), text("LDG")],
  ["token/ERC721/ERC721.sol", "ERC721", text("Ledger"), text("LDG")],
  ["token/ERC1155/ERC1155.sol", "ERC1155", text("https://ledger.example/")],
  ["token/ERC20/utils/TokenTimelock.sol", "TokenTimelock", other, address, number(FAR_FUTURE)],
  ["finance/PaymentSplitter.sol", "PaymentSplitter", payees, shares],
  ["finance/VestingWallet.sol", "VestingWallet", address, ["uint64", FAR_FUTURE], ["uint64", 1_000]],
  ["utils/escrow/RefundEscrow.sol", "RefundEscrow", address],
  ["metatx/MinimalForwarder.sol", "MinimalForwarder"],
  ["proxy/transparent/ProxyAdmin.sol", "ProxyAdmin"],
  [
    "governance/TimelockController.sol",
    "TimelockController",
    number(3_600),
    ["address[]", [OWNER]],
    ["address[]", [OTHER]],
    address,
  ],
];

const OPENZEPPELIN_5: readonly Entry[] = [
  ["finance/VestingWallet.sol", "VestingWallet", address, ["uint64", FAR_FUTURE], ["uint64", 1_000]],
  ["metatx/ERC2771Forwarder.sol", "ERC2771Forwarder", text("Forwarder")],
  ["proxy/transparent/ProxyAdmin.sol", "ProxyAdmin", address],
  [
    "governance/TimelockController.sol",
    "TimelockController",
    number(3_600),
    ["address[]", [OWNER]],
    ["address[]", [OTHER]],
    address,
  ],
];

const OPENZEPPELIN_UPGRADEABLE_4: readonly Entry[] = [
  ["token/ERC20/presets/ERC20PresetMinterPauserUpgradeable.sol", "ERC20PresetMinterPauserUpgradeable"],
  ["finance/PaymentSplitterUpgradeable.sol", "PaymentSplitterUpgradeable"],
  ["token/ERC1155/presets/ERC1155PresetMinterPauserUpgradeable.sol", "ERC1155PresetMinterPauserUpgradeable"],
  ["utils/escrow/RefundEscrowUpgradeable.sol", "RefundEscrowUpgradeable"],
];

const SAFE: readonly Entry[] = [
  ["handler/TokenCallbackHandler.sol", "TokenCallbackHandler"],
  ["handler/CompatibilityFallbackHandler.sol", "CompatibilityFallbackHandler"],
  ["proxies/SafeProxyFactory.sol", "SafeProxyFactory"],
  ["accessors/SimulateTxAccessor.sol", "SimulateTxAccessor"],
  ["proxies/SafeProxy.sol", "SafeProxy", address],
];

const SOLADY: readonly Entry[] = [
  ["tokens/WETH.sol", "WETH"],
  ["accounts/ERC4337Factory.sol", "ERC4337Factory", address],
  ["utils/ERC1967Factory.sol", "ERC1967Factory"],
  ["accounts/ERC7821.sol", "ERC7821"],
  ["accounts/Timelock.sol", "Timelock"],
  ["utils/Lifebuoy.sol", "Lifebuoy"],
];

const SOLMATE: readonly Entry[] = [
  ["tokens/WETH.sol", "WETH"],
  ["auth/authorities/RolesAuthority.sol", "RolesAuthority", address, other],
  ["auth/authorities/MultiRolesAuthority.sol", "MultiRolesAuthority", address, other],
];

const CHAINLINK: readonly Entry[] = [
  ["vendor/multicall/ebd8b64/src/Multicall3.sol", "Multicall3"],
  ["vendor/canonical-weth/WETH9.sol", "WETH9"],
  ["shared/token/ERC677/LinkToken.sol", "LinkToken"],
  ["vrf/dev/BlockhashStore.sol", "BlockhashStore"],
  ["automation/upkeeps/CronUpkeepDelegate.sol", "CronUpkeepDelegate"],
  ["automation/testhelpers/UpkeepAutoFunder.sol", "UpkeepAutoFunder", address, other],
];

const TOKEN_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title The token of a co-operative.
contract CoopToken is ERC20, ERC20Permit, Ownable {
    uint256 public constant CAP = 5_000_000 ether;
    uint256 private immutable _startedAt;

    event Minted(address indexed to, uint256 amount);

    error CapExceeded(uint256 wanted);

    constructor(address owner) ERC20("Coop", "COOP") ERC20Permit("Coop") Ownable(owner) {
        _startedAt = block.timestamp;
        _mint(owner, 1_000 ether);
    }

    // Only as many as the members agreed on.
    function mint(address to, uint256 amount) external onlyOwner {
        if (totalSupply() + amount > CAP) revert CapExceeded(totalSupply() + amount);
        _mint(to, amount);
        emit Minted(to, amount);
    }

    function age() external view returns (uint256) {
        return block.timestamp - _startedAt;
    }
}
`;

const VAULT_SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

contract SavingsVault is ERC4626, Pausable {
    address public immutable guardian;
    uint256 public feeBasisPoints = 25;

    constructor(IERC20 asset_, address guardian_) ERC20("Savings", "svTKN") ERC4626(asset_) {
        guardian = guardian_;
    }

    modifier onlyGuardian() {
        require(msg.sender == guardian, "SavingsVault: not the guardian");
        _;
    }

    function setFee(uint256 basisPoints) external onlyGuardian {
        require(basisPoints <= 500, "SavingsVault: fee too high");
        feeBasisPoints = basisPoints;
    }

    function pause() external onlyGuardian {
        _pause();
    }

    function unpause() external onlyGuardian {
        _unpause();
    }

    function feeOn(uint256 assets) public view returns (uint256) {
        return (assets * feeBasisPoints) / 10_000;
    }
}
`;

const GOVERNOR_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";

contract TownGovernor is Governor, GovernorCountingSimple, GovernorVotes {
    constructor(IVotes token) Governor("Town") GovernorVotes(token) {}

    function votingDelay() public pure override returns (uint256) {
        return 7200;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 50400;
    }

    function quorum(uint256) public pure override returns (uint256) {
        return 40_000 ether;
    }
}
`;

const NFT_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import "erc721a/contracts/ERC721A.sol";

contract Postcards is ERC721A {
    uint256 public price = 0.05 ether;

    constructor() ERC721A("Postcards", "POST") {}

    function buy(uint256 quantity) external payable {
        require(msg.value >= price * quantity, "Postcards: too little");
        require(quantity < 21, "Postcards: too many");
        _mint(msg.sender, quantity);
    }
}
`;

const SOLMATE_VAULT_SOURCE = `// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity >=0.8.0;

import {ERC20} from "solmate/src/tokens/ERC20.sol";
import {ERC4626} from "solmate/src/tokens/ERC4626.sol";

contract IdleVault is ERC4626 {
    constructor(ERC20 token) ERC4626(token, "Idle", "IDLE") {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this));
    }
}

contract PlainToken is ERC20("Plain", "PLN", 18) {
    uint256 internal constant LIMIT = 77_000;

    function mint(address to, uint256 amount) external {
        require(amount <= LIMIT, "LIMIT");
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}
`;

const UNISWAP_3_SOURCE = `// SPDX-License-Identifier: BUSL-1.1
pragma solidity >=0.7.0 <0.8.0;

import "@uniswap/v3-core/contracts/libraries/Oracle.sol";
import "@uniswap/v3-core/contracts/libraries/TickMath.sol";

contract PricePool {
    using Oracle for Oracle.Observation[65535];

    Oracle.Observation[65535] public observations;
    address public immutable factory = msg.sender;
    uint16 public index;
    uint16 public cardinality;

    function initialize(uint160 price) external {
        require(cardinality == 0, "AI");
        TickMath.getTickAtSqrtRatio(price);
        (cardinality, ) = observations.initialize(uint32(block.timestamp));
    }

    function write(uint160 price, uint128 liquidity) external {
        require(cardinality != 0, "NI");
        int24 tick = TickMath.getTickAtSqrtRatio(price);
        (index, cardinality) =
            observations.write(index, uint32(block.timestamp), tick, liquidity, cardinality, 100);
    }
}

contract PricePoolFactory {
    mapping(bytes32 => address) public pools;

    event PoolCreated(bytes32 indexed pair, address pool);

    function create(bytes32 pair) external returns (address pool) {
        require(pools[pair] == address(0), "EX");
        pool = address(new PricePool{salt: pair}());
        pools[pair] = pool;
        emit PoolCreated(pair, pool);
    }
}
`;

const UNISWAP_4_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC6909} from "@uniswap/v4-core/src/ERC6909.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";

contract Claims is ERC6909 {
    mapping(uint256 id => int24) public tickOf;

    function open(uint256 id, uint160 price) external {
        tickOf[id] = TickMath.getTickAtSqrtPrice(price);
        _mint(msg.sender, id, 1_000);
    }

    function close(uint256 id) external {
        require(tickOf[id] != 0, "closed");
        delete tickOf[id];
        _burn(msg.sender, id, 1_000);
    }
}
`;

const AAVE_SOURCE = `// SPDX-License-Identifier: BUSL-1.1
pragma solidity ^0.8.10;

import {WadRayMath} from "@aave/core-v3/contracts/protocol/libraries/math/WadRayMath.sol";
import {MathUtils} from "@aave/core-v3/contracts/protocol/libraries/math/MathUtils.sol";

contract InterestMeter {
    using WadRayMath for uint256;

    uint256 public index = 1e27;
    uint40 public lastUpdate;

    function accrue(uint256 rate) external returns (uint256) {
        require(rate < 3e27, "rate");
        index = index.rayMul(MathUtils.calculateCompoundedInterest(rate, lastUpdate, block.timestamp));
        lastUpdate = uint40(block.timestamp);
        return index;
    }

    function linear(uint256 rate) external view returns (uint256) {
        return MathUtils.calculateLinearInterest(rate, lastUpdate).rayMul(index);
    }
}
`;

/** What proxies are made with. */
export function registryLibraries({ contracts, oracles }: PackageFolders) {
  const one = (name: string, folder: string): Libraries => [[name, folder]];
  return {
    solady: one("solady", join(oracles, "solady")),
    openZeppelin4: one("@openzeppelin/contracts", join(contracts, "@openzeppelin/contracts-4.9")),
    openZeppelin5: one("@openzeppelin/contracts", join(contracts, "@openzeppelin/contracts-5.0")),
    safe: one("@safe-global/safe-contracts", join(contracts, "@safe-global/safe-contracts")),
  };
}

/** Everything that cases are made of, always in the same order. */
export function registryContracts({ contracts, oracles }: PackageFolders): RegistryContract[] {
  const installed = (name: string, folder = ".", root = contracts) => join(root, name, folder);
  const openZeppelin = (version: string): Libraries => [
    [
      "@openzeppelin/contracts",
      version === "5.7"
        ? installed("@openzeppelin/contracts", ".", oracles)
        : installed(`@openzeppelin/contracts-${version}`),
    ],
  ];
  const all: RegistryContract[] = [];
  const add = (
    library: string,
    versions: readonly string[],
    libraries: Libraries,
    entries: readonly Entry[],
    { prefix = library.split(" ")[0] ?? "", own = {}, isLarge = false } = {},
  ) => {
    for (const [path, contract, ...args] of entries) {
      const file = prefix === "" ? path : `${prefix}/${path}`;
      const sources = withImports(file, libraries, own);
      const size = Object.values(sources).reduce((sum, { length }) => sum + length, 0);
      all.push({
        library,
        contract,
        file,
        sources,
        versions: versions.filter((version) => allows(sources, version)),
        constructorArguments: AbiCoder.defaultAbiCoder()
          .encode(
            args.map(([type]) => type),
            args.map(([, value]) => value),
          )
          .slice(2),
        isLarge: isLarge || size > LARGE,
        isSmall: size < SMALL,
      });
    }
  };
  const own = (
    library: string,
    versions: readonly string[],
    libraries: Libraries,
    source: string,
    entries: readonly Entry[],
    isLarge = false,
  ) => {
    const [[path] = [""]] = entries;
    add(library, versions, libraries, entries, { prefix: "", own: { [path]: source }, isLarge });
  };
  add(
    "zeppelin-solidity 1.3",
    FROM_0_4_11,
    [["zeppelin-solidity", installed("zeppelin-solidity-1.3", "contracts")]],
    ZEPPELIN_1_3,
  );
  add(
    "zeppelin-solidity 1.12",
    FROM_0_4_24,
    [["zeppelin-solidity", installed("zeppelin-solidity", "contracts")]],
    ZEPPELIN_1_12,
  );
  add(
    "openzeppelin-solidity 2.3",
    FROM_0_5_0,
    [["openzeppelin-solidity", installed("openzeppelin-solidity-2.3", "contracts")]],
    OPENZEPPELIN_2,
  );
  // One of its libraries needs 0.5.5.
  add("@openzeppelin/contracts 2.5", FROM_0_5_0.slice(2), openZeppelin("2.5"), OPENZEPPELIN_2);
  add("@openzeppelin/contracts 3.4", FROM_0_6_6, openZeppelin("3.4"), OPENZEPPELIN_3);
  add("@openzeppelin/contracts 4.9", from("0.8.4"), openZeppelin("4.9"), OPENZEPPELIN_4);
  add("@openzeppelin/contracts 5.0", FROM_0_8_20, openZeppelin("5.0"), OPENZEPPELIN_5);
  add("@openzeppelin/contracts 5.7", from("0.8.25"), openZeppelin("5.7"), OPENZEPPELIN_5);
  add(
    "@openzeppelin/contracts-upgradeable 4.9",
    from("0.8.4"),
    [["@openzeppelin/contracts-upgradeable", installed("@openzeppelin/contracts-upgradeable-4.9")]],
    OPENZEPPELIN_UPGRADEABLE_4,
  );
  add(
    "@safe-global/safe-contracts 1.4",
    ["0.7.0", "0.7.6", "0.8.0", "0.8.9", "0.8.19", "0.8.26"],
    [["@safe-global/safe-contracts", installed("@safe-global/safe-contracts")]],
    SAFE.map(([path, ...rest]) => [`contracts/${path}`, ...rest]),
  );
  add(
    "@safe-global/safe-contracts 1.4",
    ["0.7.6", "0.8.19"],
    [["@safe-global/safe-contracts", installed("@safe-global/safe-contracts")]],
    [["contracts/Safe.sol", "Safe"]],
    { isLarge: true },
  );
  const uniswap2: Libraries = [["@uniswap/v2-core", installed("@uniswap/v2-core")]];
  add("@uniswap/v2-core 1.0", ["0.5.16"], uniswap2, [
    ["contracts/UniswapV2ERC20.sol", "UniswapV2ERC20"],
    ["contracts/UniswapV2Pair.sol", "UniswapV2Pair"],
    ["contracts/UniswapV2Factory.sol", "UniswapV2Factory", address],
  ]);
  const uniswap3: Libraries = [["@uniswap/v3-core", installed("@uniswap/v3-core", ".", oracles)]];
  own("@uniswap/v3-core 1.0", ["0.7.0", "0.7.5", "0.7.6"], uniswap3, UNISWAP_3_SOURCE, [
    ["contracts/PricePool.sol", "PricePool"],
    ["contracts/PricePool.sol", "PricePoolFactory"],
  ]);
  add("solmate 6.8", from("0.8.0"), [["solmate", installed("solmate")]], SOLMATE.map(inSrc));
  add("solady 0.1", from("0.8.4"), [["solady", installed("solady", ".", oracles)]], SOLADY.map(inSrc));
  const chainlink: Libraries = [
    ["@chainlink/contracts", installed("@chainlink/contracts", ".", oracles)],
    ...["4.7.3", "4.8.3", "4.9.6"].map(
      (version) =>
        [
          `@openzeppelin/contracts@${version}`,
          installed(`@openzeppelin/contracts-${version}`, ".", oracles),
        ] as const,
    ),
  ];
  add(
    "@chainlink/contracts 1.5",
    ["0.8.19"],
    chainlink,
    CHAINLINK.map(([path, ...rest]) => [`src/v0.8/${path}`, ...rest]),
  );
  own("@openzeppelin/contracts 5.7", from("0.8.25"), openZeppelin("5.7"), TOKEN_SOURCE, [
    ["contracts/CoopToken.sol", "CoopToken", address],
  ]);
  own("@openzeppelin/contracts 5.0", FROM_0_8_20, openZeppelin("5.0"), VAULT_SOURCE, [
    ["contracts/SavingsVault.sol", "SavingsVault", other, address],
  ]);
  own(
    "@openzeppelin/contracts 5.0",
    FROM_0_8_20,
    openZeppelin("5.0"),
    GOVERNOR_SOURCE,
    [["contracts/TownGovernor.sol", "TownGovernor", address]],
    true,
  );
  own("erc721a 4.3", from("0.8.4"), [["erc721a", installed("erc721a")]], NFT_SOURCE, [
    ["contracts/Postcards.sol", "Postcards"],
  ]);
  own("solmate 6.8", from("0.8.0"), [["solmate", installed("solmate")]], SOLMATE_VAULT_SOURCE, [
    ["src/IdleVault.sol", "PlainToken"],
  ]);
  const uniswap4: Libraries = [
    ["@uniswap/v4-core", installed("@uniswap/v4-core", ".", oracles)],
    ["solmate", installed("solmate")],
  ];
  add("@uniswap/v4-core 1.0", ["0.8.26"], uniswap4, [["src/PoolManager.sol", "PoolManager", address]], {
    isLarge: true,
  });
  own("@uniswap/v4-core 1.0", from("0.8.24"), uniswap4, UNISWAP_4_SOURCE, [["src/Claims.sol", "Claims"]]);
  const aave: Libraries = [["@aave/core-v3", installed("@aave/core-v3", ".", oracles)]];
  own("@aave/core-v3 1.19", from("0.8.10"), aave, AAVE_SOURCE, [
    ["contracts/InterestMeter.sol", "InterestMeter"],
  ]);
  const accounts: Libraries = [
    ["@account-abstraction/contracts", installed("@account-abstraction/contracts")],
    ["@openzeppelin/contracts", installed("@openzeppelin/contracts")],
  ];
  add("@account-abstraction/contracts 0.8", from("0.8.28"), accounts, [
    ["accounts/Simple7702Account.sol", "Simple7702Account"],
    ["core/SenderCreator.sol", "SenderCreator"],
    ["accounts/SimpleAccount.sol", "SimpleAccount", address],
  ]);
  add(
    "@account-abstraction/contracts 0.8",
    ["0.8.28", "0.8.30"],
    accounts,
    [["core/EntryPoint.sol", "EntryPoint"]],
    { isLarge: true },
  );
  // Proxies that are verified as what they are. From 5.5 on a proxy has to make a first call: here it has the factory
  // create nothing, with a salt of zero.
  const proxied = (call = "0x"): readonly Argument[] => [
    ["address", CODE_OF_THE_CHAIN],
    ["bytes", call],
  ];
  const withOwner = (call = "0x"): readonly Argument[] => [
    ["address", CODE_OF_THE_CHAIN],
    address,
    ["bytes", call],
  ];
  add("@openzeppelin/contracts 3.4", FROM_0_6_6, openZeppelin("3.4"), [
    ["proxy/UpgradeableProxy.sol", "UpgradeableProxy", ...proxied()],
    ["proxy/TransparentUpgradeableProxy.sol", "TransparentUpgradeableProxy", ...withOwner()],
  ]);
  for (const [version, first, call] of [
    ["4.9", "0.8.4"],
    ["5.0", "0.8.20"],
    ["5.7", "0.8.25", `0x${"00".repeat(32)}`],
  ] as const)
    add(`@openzeppelin/contracts ${version}`, from(first), openZeppelin(version), [
      ["proxy/ERC1967/ERC1967Proxy.sol", "ERC1967Proxy", ...proxied(call)],
      [
        "proxy/transparent/TransparentUpgradeableProxy.sol",
        "TransparentUpgradeableProxy",
        ...withOwner(call),
      ],
    ]);
  return all;
}

/** Whether every pragma of the sources allows a release: a file of a library may ask for more than the others do. */
function allows(sources: RegistryContract["sources"], version: string): boolean {
  return Object.values(sources)
    .flatMap((content) => scanSolidityDirectives(content).versionPragmas)
    .every(({ expression }) => {
      const parsed = parseSolidityVersionExpression(expression);
      return parsed !== undefined && satisfiesSolidity(version, parsed);
    });
}

function inSrc([path, ...rest]: Entry): Entry {
  return [`src/${path}`, ...rest];
}
