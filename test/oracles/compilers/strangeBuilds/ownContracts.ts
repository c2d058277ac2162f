/** A file whose only use is that the package's own contract is part of the folder's build. */
export function reexport(path: string, version: string): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^${version};

import "@openzeppelin/contracts/${path}";
`;
}

export const PERMIT_TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

contract Coin is ERC20, ERC20Burnable, AccessControl, ERC20Permit {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    constructor(address admin) ERC20("Coin", "COIN") ERC20Permit("Coin") {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(MINTER_ROLE, admin);
    }

    function mint(address to, uint256 amount) public onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }
}
`;

export const PLAIN_TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract Plain is ERC20 {
    constructor() ERC20("Plain", "PLN") {}

    function claim() external {
        require(totalSupply() < 1_000_000 ether, "all claimed");
        _mint(msg.sender, 1 ether);
    }
}
`;

export const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20, ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Ownable2Step, Ownable} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract Savings is ERC4626, Ownable2Step, ReentrancyGuard {
    uint256 private immutable openedAt = block.timestamp;
    address public immutable treasury;
    uint16 public feeInPoints = 30;

    error FeeTooHigh(uint16 given, uint16 most);

    constructor(IERC20 asset_, address owner_) ERC20("Savings", "sCOIN") ERC4626(asset_) Ownable(owner_) {
        treasury = owner_;
    }

    function setFee(uint16 points) external onlyOwner {
        if (points > 500) revert FeeTooHigh(points, 500);
        feeInPoints = points;
    }

    function withdraw(uint256 assets, address receiver, address owner_) public override nonReentrant returns (uint256) {
        require(block.timestamp > openedAt + 1 days, "Savings: too early");
        return super.withdraw(assets, receiver, owner_);
    }

    function _decimalsOffset() internal pure override returns (uint8) {
        return 3;
    }
}
`;

export const GOVERNOR = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/governance/Governor.sol";
import "@openzeppelin/contracts/governance/extensions/GovernorSettings.sol";
import "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";

contract Council is Governor, GovernorSettings, GovernorCountingSimple, GovernorVotes {
    constructor(IVotes token) Governor("Council") GovernorSettings(7200, 50400, 0) GovernorVotes(token) {}

    function quorum(uint256) public pure override returns (uint256) {
        return 4e18;
    }

    function votingDelay() public view override(Governor, GovernorSettings) returns (uint256) {
        return super.votingDelay();
    }

    function votingPeriod() public view override(Governor, GovernorSettings) returns (uint256) {
        return super.votingPeriod();
    }

    function proposalThreshold() public view override(Governor, GovernorSettings) returns (uint256) {
        return super.proposalThreshold();
    }
}
`;

export const NFT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import "@openzeppelin/contracts/access/Ownable.sol";

contract Cards is ERC721, ERC721Enumerable, ERC721URIStorage, Ownable {
    uint256 private _next;

    constructor(address initialOwner) ERC721("Cards", "CRD") Ownable(initialOwner) {}

    function safeMint(address to, string memory uri) public onlyOwner {
        uint256 tokenId = _next++;
        _safeMint(to, tokenId);
        _setTokenURI(tokenId, uri);
    }

    function _update(address to, uint256 tokenId, address auth)
        internal
        override(ERC721, ERC721Enumerable)
        returns (address)
    {
        return super._update(to, tokenId, auth);
    }

    function _increaseBalance(address account, uint128 value) internal override(ERC721, ERC721Enumerable) {
        super._increaseBalance(account, value);
    }

    function tokenURI(uint256 tokenId) public view override(ERC721, ERC721URIStorage) returns (string memory) {
        return super.tokenURI(tokenId);
    }

    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(ERC721, ERC721Enumerable, ERC721URIStorage)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }
}
`;

export const MARKET = `// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.13;

/// @title A market for single things.
contract Market {
    struct Offer {
        address seller;
        uint96 price;
        string title;
    }

    mapping(uint256 => Offer) public offers;
    mapping(address => uint256) public due;
    uint256 public immutable feeInPoints;
    uint256 public count;

    event Offered(uint256 indexed id, address indexed seller, uint256 price, string title);
    event Sold(uint256 indexed id, address indexed buyer);

    constructor(uint256 points) {
        feeInPoints = points;
    }

    // A market takes what is offered, as long as it has a price.
    function offer(string calldata title, uint96 price) external returns (uint256 id) {
        require(price > 0, "Market: no price");
        require(bytes(title).length > 0 && bytes(title).length <= 64, "Market: no title");
        id = count++;
        offers[id] = Offer({seller: msg.sender, price: price, title: title});
        emit Offered(id, msg.sender, price, title);
    }

    function buy(uint256 id) external payable {
        Offer memory wanted = offers[id];
        require(wanted.seller != address(0), "Market: not offered");
        require(msg.value == wanted.price, "Market: another price");
        delete offers[id];
        due[wanted.seller] += msg.value - (msg.value * feeInPoints) / 10_000;
        emit Sold(id, msg.sender);
    }

    function collect() external returns (uint256 amount) {
        amount = due[msg.sender];
        due[msg.sender] = 0;
        (bool ok, bytes memory answer) = msg.sender.call{value: amount}("");
        require(ok, string(answer));
    }

    function titles(uint256[] calldata ids) external view returns (string[] memory found) {
        found = new string[](ids.length);
        for (uint256 at; at < ids.length; ++at) found[at] = offers[ids[at]].title;
    }
}
`;

export const LABELS = `// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.13;

library Labels {
    function labelOf(uint256 id) internal pure returns (bytes32) {
        return keccak256(abi.encode("label", id));
    }
}
`;

export const UUPS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.9;

import "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";

contract Points is Initializable, ERC20Upgradeable, OwnableUpgradeable, UUPSUpgradeable {
    constructor() {
        _disableInitializers();
    }

    function initialize() public initializer {
        __ERC20_init("Points", "PTS");
        __Ownable_init();
        __UUPSUpgradeable_init();
    }

    function award(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function _authorizeUpgrade(address) internal override onlyOwner {}
}
`;

export const PROXIES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";

contract OurProxy is TransparentUpgradeableProxy {
    constructor(address logic, address owner, bytes memory data) TransparentUpgradeableProxy(logic, owner, data) {}

    receive() external payable {}
}
`;

export const CLONE_FACTORY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.9;

import "@openzeppelin/contracts/proxy/Clones.sol";
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

contract Pot {
    using SafeERC20 for IERC20;

    address public owner;

    function open(address owner_) external {
        require(owner == address(0), "Pot: open already");
        owner = owner_;
    }

    function pay(IERC20 token, address to, uint256 amount) external {
        require(msg.sender == owner, "Pot: not yours");
        token.safeTransfer(to, amount);
    }
}

contract PotFactory {
    address public immutable pot = address(new Pot());
    address public immutable keeper;
    uint256 private immutable salt = block.number;

    constructor(address keeper_) {
        keeper = keeper_;
    }

    function open() external returns (Pot made) {
        made = Pot(Clones.cloneDeterministic(pot, keccak256(abi.encode(salt, msg.sender))));
        made.open(msg.sender);
    }

    function potOf(address owner) external view returns (address) {
        return Clones.predictDeterministicAddress(pot, keccak256(abi.encode(salt, owner)));
    }
}
`;

export const FLATTENED = `// SPDX-License-Identifier: MIT

// File @openzeppelin/contracts/utils/Context.sol@v4.8.0

pragma solidity ^0.8.0;

abstract contract Context {
    function _msgSender() internal view virtual returns (address) {
        return msg.sender;
    }
}

// File @openzeppelin/contracts/access/Ownable.sol@v4.8.0

pragma solidity ^0.8.0;

abstract contract Ownable is Context {
    address private _owner;

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    constructor() {
        _transferOwnership(_msgSender());
    }

    modifier onlyOwner() {
        require(_owner == _msgSender(), "Ownable: caller is not the owner");
        _;
    }

    function _transferOwnership(address newOwner) internal virtual {
        address oldOwner = _owner;
        _owner = newOwner;
        emit OwnershipTransferred(oldOwner, newOwner);
    }
}

interface IRaffle {
    function draw() external returns (address);
}

library Dice {
    function below(uint256 limit, uint256 nonce) internal view returns (uint256) {
        return uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), msg.sender, nonce))) % limit;
    }
}

contract Raffle is Ownable, IRaffle {
    address[] public players;
    uint256 public rounds;

    constructor(uint256 rounds_) {
        rounds = rounds_;
    }

    function join() external payable {
        require(msg.value == 0.01 ether, "Raffle: a ticket costs 0.01");
        players.push(msg.sender);
    }

    function draw() external override onlyOwner returns (address winner) {
        require(players.length > 2, "Raffle: too few");
        for (uint256 round = 0; round < rounds; round++) winner = players[Dice.below(players.length, round)];
        delete players;
        payable(winner).transfer(address(this).balance);
    }
}
`;

export const SOLMATE_WETH = `// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.15;

import {WETH} from "solmate/tokens/WETH.sol";
import {ReentrancyGuard} from "solmate/utils/ReentrancyGuard.sol";

contract Wrapped is WETH, ReentrancyGuard {
    function withdrawTo(address to, uint256 amount) external nonReentrant {
        _burn(msg.sender, amount);
        (bool ok,) = to.call{value: amount}("");
        require(ok, "NOT_TAKEN");
    }
}
`;

export const SOLMATE_VAULT = `// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.15;

import {ERC20} from "solmate/tokens/ERC20.sol";
import {ERC4626} from "solmate/tokens/ERC4626.sol";
import {Owned} from "solmate/auth/Owned.sol";
import {FixedPointMathLib} from "solmate/utils/FixedPointMathLib.sol";

contract Asset is ERC20("Asset", "AST", 18) {}

contract Yield is ERC4626, Owned {
    using FixedPointMathLib for uint256;

    uint256 public profit;

    constructor(address owner) ERC4626(new Asset(), "Yield", "YLD") Owned(owner) {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this)) + profit.mulWadDown(0.9e18);
    }

    function report(uint256 gained) external onlyOwner {
        profit += gained;
    }
}
`;

export const SOLADY_VOTES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {ERC20Votes} from "solady/tokens/ERC20Votes.sol";
import {Ownable} from "solady/auth/Ownable.sol";
import {LibString} from "solady/utils/LibString.sol";

contract Ballots is ERC20Votes, Ownable {
    using LibString for uint256;

    constructor() {
        _initializeOwner(msg.sender);
    }

    function name() public pure override returns (string memory) {
        return "Ballots";
    }

    function symbol() public pure override returns (string memory) {
        return "BLT";
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function receipt(address voter) external view returns (string memory) {
        return string.concat(symbol(), "-", getVotes(voter).toString());
    }
}
`;

export const SOLADY_FACTORY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {ERC1967Factory} from "solady/utils/ERC1967Factory.sol";
import {LibBit} from "solady/utils/LibBit.sol";

contract Factory is ERC1967Factory {
    function scoreOf(address proxy) external pure returns (uint256) {
        return LibBit.clz(uint160(proxy));
    }
}
`;

export const V4_HOOK = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {PoolId, PoolIdLibrary} from "@uniswap/v4-core/src/types/PoolId.sol";
import {StateLibrary} from "@uniswap/v4-core/src/libraries/StateLibrary.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {FullMath} from "@uniswap/v4-core/src/libraries/FullMath.sol";

contract Feed {
    using PoolIdLibrary for PoolKey;
    using StateLibrary for IPoolManager;

    IPoolManager public immutable manager;
    mapping(PoolId => uint256) public lastSeen;

    constructor(IPoolManager manager_) {
        manager = manager_;
    }

    function look(PoolKey calldata key) external returns (uint256 price, int24 tick) {
        PoolId id = key.toId();
        (uint160 root, int24 now_,,) = manager.getSlot0(id);
        price = FullMath.mulDiv(root, root, 1 << 96);
        tick = TickMath.getTickAtSqrtPrice(root);
        require(now_ == tick, "Feed: stale");
        lastSeen[id] = price;
    }
}
`;

const layer = (name: string, base: string | undefined, body: string) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;
${base === undefined ? "" : `\nimport {${base}} from "./${base}.sol";\n`}
abstract contract ${name}${base === undefined ? "" : ` is ${base}`} {
${body}
}
`;

/** A contract on four abstract ones, each in a file of its own. */
export const FIVE_FILES: Readonly<Record<string, string>> = {
  "src/First.sol": layer(
    "First",
    undefined,
    "    uint256 internal height;\n\n    function _raise(uint256 by) internal virtual {\n        height += by;\n    }",
  ),
  "src/Second.sol": layer(
    "Second",
    "First",
    "    event Raised(uint256 to);\n\n    function _raise(uint256 by) internal virtual override {\n        super._raise(by * 2);\n        emit Raised(height);\n    }",
  ),
  "src/Third.sol": layer(
    "Third",
    "Second",
    '    mapping(address => uint256) public parts;\n\n    function give(uint256 part) external {\n        require(part > 0, "Third: nothing given");\n        parts[msg.sender] += part;\n        _raise(part);\n    }',
  ),
  "src/Fourth.sol": layer(
    "Fourth",
    "Third",
    "    error TooHigh(uint256 height);\n\n    function _raise(uint256 by) internal override {\n        if (height + by > 1e6) revert TooHigh(height + by);\n        super._raise(by);\n    }",
  ),
  "src/Tower.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

import {Fourth} from "./Fourth.sol";

contract Tower is Fourth {
    address public immutable builder = msg.sender;

    function share(address who) external view returns (uint256) {
        return height == 0 ? 0 : (parts[who] * 1e18) / height;
    }
}
`,
};

export const DESCRIPTOR = `// SPDX-License-Identifier: GPL-2.0-or-later
pragma solidity =0.7.6;
pragma abicoder v2;

import "@uniswap/v3-periphery/contracts/libraries/NFTDescriptor.sol";

contract Describe {
    function describe(NFTDescriptor.ConstructTokenURIParams memory params) external pure returns (string memory) {
        return NFTDescriptor.constructTokenURI(params);
    }
}
`;

export const TICKS = `// SPDX-License-Identifier: GPL-2.0-or-later
pragma solidity =0.7.6;

import "@uniswap/v3-core/contracts/libraries/TickMath.sol";
import "@uniswap/v3-periphery/contracts/libraries/OracleLibrary.sol";
import "@uniswap/v3-periphery/contracts/libraries/LiquidityAmounts.sol";

contract Ticks {
    address public immutable pool;

    constructor(address pool_) {
        pool = pool_;
    }

    function quote(uint32 ago, uint128 amount, address base, address other) external view returns (uint256) {
        (int24 tick,) = OracleLibrary.consult(pool, ago);
        return OracleLibrary.getQuoteAtTick(tick, amount, base, other);
    }

    function amounts(int24 at, int24 from, int24 to, uint128 liquidity) external pure returns (uint256, uint256) {
        return
            LiquidityAmounts.getAmountsForLiquidity(
                TickMath.getSqrtRatioAtTick(at),
                TickMath.getSqrtRatioAtTick(from),
                TickMath.getSqrtRatioAtTick(to),
                liquidity
            );
    }
}
`;

export const OBSERVATIONS = `// SPDX-License-Identifier: BUSL-1.1
pragma solidity =0.7.6;

import "@uniswap/v3-core/contracts/libraries/Oracle.sol";
import "@uniswap/v3-core/contracts/libraries/Position.sol";
import "@uniswap/v3-core/contracts/libraries/SwapMath.sol";

contract Book {
    using Oracle for Oracle.Observation[65535];
    using Position for mapping(bytes32 => Position.Info);
    using Position for Position.Info;

    Oracle.Observation[65535] public observations;
    mapping(bytes32 => Position.Info) public positions;
    uint16 public index;
    uint16 public cardinality;
    uint16 public cardinalityNext;

    constructor() {
        (cardinality, cardinalityNext) = observations.initialize(uint32(block.timestamp));
    }

    function write(int24 tick, uint128 liquidity) external {
        (index, cardinality) = observations.write(
            index,
            uint32(block.timestamp),
            tick,
            liquidity,
            cardinality,
            cardinalityNext
        );
        positions.get(msg.sender, tick, tick + 1).update(int128(liquidity), 1, 1);
    }

    function grow(uint16 next) external {
        cardinalityNext = observations.grow(cardinalityNext, next);
    }

    function step(uint160 from, uint160 to, uint128 liquidity, int256 left, uint24 fee)
        external
        pure
        returns (uint160 next, uint256 taken, uint256 given, uint256 kept)
    {
        return SwapMath.computeSwapStep(from, to, liquidity, left, fee);
    }
}
`;

export const GOLD = `pragma solidity ^0.4.24;

import "zeppelin-solidity/contracts/token/ERC20/StandardBurnableToken.sol";
import "zeppelin-solidity/contracts/token/ERC20/PausableToken.sol";
import "zeppelin-solidity/contracts/token/ERC20/DetailedERC20.sol";

contract Gold is DetailedERC20("Gold", "GLD", 8), StandardBurnableToken, PausableToken {
    constructor() public {
        totalSupply_ = 21000000 * 10 ** 8;
        balances[msg.sender] = totalSupply_;
    }
}
`;

export const SALE_1_3 = `pragma solidity ^0.4.11;

import "zeppelin-solidity/contracts/crowdsale/CappedCrowdsale.sol";

contract Sale is CappedCrowdsale {
  function Sale(uint256 from, uint256 to, uint256 rate, address wallet)
    CappedCrowdsale(1000 ether)
    Crowdsale(from, to, rate, wallet)
  {
  }
}
`;

export const VESTING_1_12 = `pragma solidity ^0.4.24;

import "zeppelin-solidity/contracts/token/ERC20/TokenVesting.sol";

contract StaffVesting is TokenVesting {
    constructor() public TokenVesting(msg.sender, now, 30 days, 365 days, true) {}

    function () external payable {
        revert("no ether here");
    }
}
`;

export const MIGRATIONS = `pragma solidity ^0.4.17;

contract Migrations {
  address public owner;
  uint public last_completed_migration;

  modifier restricted() {
    if (msg.sender == owner) _;
  }

  function Migrations() public {
    owner = msg.sender;
  }

  function setCompleted(uint completed) public restricted {
    last_completed_migration = completed;
  }

  function upgrade(address new_address) public restricted {
    Migrations upgraded = Migrations(new_address);
    upgraded.setCompleted(last_completed_migration);
  }
}
`;

export const CAPPED_2_3 = `pragma solidity ^0.5.0;

import "openzeppelin-solidity/contracts/token/ERC20/ERC20Capped.sol";
import "openzeppelin-solidity/contracts/token/ERC20/ERC20Detailed.sol";
import "openzeppelin-solidity/contracts/token/ERC20/ERC20Pausable.sol";

contract Capped is ERC20Capped, ERC20Detailed, ERC20Pausable {
    constructor() public ERC20Capped(1000000 ether) ERC20Detailed("Capped", "CAP", 18) {}
}
`;

export const DEEDS_2_5 = `pragma solidity ^0.5.0;

import "@openzeppelin/contracts/token/ERC721/ERC721Full.sol";
import "@openzeppelin/contracts/token/ERC721/ERC721MetadataMintable.sol";

contract Deeds is ERC721Full, ERC721MetadataMintable {
    constructor() public ERC721Full("Deeds", "DEED") {}

    function burn(uint256 tokenId) external {
        require(_isApprovedOrOwner(msg.sender, tokenId), "Deeds: not yours");
        _burn(tokenId);
    }
}
`;

export const PRESET_3 = `// SPDX-License-Identifier: MIT
pragma solidity >=0.6.0 <0.8.0;

import "@openzeppelin/contracts/presets/ERC20PresetMinterPauser.sol";
import "@openzeppelin/contracts/access/TimelockController.sol";
import "@openzeppelin/contracts/proxy/TransparentUpgradeableProxy.sol";
`;

export const LINK = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

import {LinkToken} from "@chainlink/contracts/src/v0.8/shared/token/ERC677/LinkToken.sol";

contract OurLink is LinkToken {
    function version() external pure returns (uint256) {
        return 2;
    }
}
`;

export const GAS_ORACLE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.9;

import { Ownable } from "@openzeppelin/contracts/access/Ownable.sol";

contract GasPriceOracle is Ownable {
    uint256 public gasPrice;
    uint256 public overhead;
    uint256 public scalar = 1e6;

    event GasPriceUpdated(uint256);

    constructor(address owner) Ownable() {
        transferOwnership(owner);
    }

    function setGasPrice(uint256 price) public onlyOwner {
        gasPrice = price;
        emit GasPriceUpdated(price);
    }

    function getL1GasUsed(bytes memory data) public view returns (uint256) {
        uint256 total = 0;
        for (uint256 i = 0; i < data.length; i++) {
            if (data[i] == 0) total += 4;
            else total += 16;
        }
        return (total + overhead) * scalar;
    }
}
`;

export const PRICE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IPrice {
    function price() external view returns (uint256);
}

contract Price is IPrice {
    function price() external pure returns (uint256) {
        return 1e18;
    }
}
`;

export const MARKER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Marker {}
`;

export const FORWARDER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Forward {
    address public immutable target;

    constructor(address target_) {
        target = target_;
    }

    receive() external payable {}

    fallback() external payable {
        address to = target;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := call(gas(), to, callvalue(), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
`;

export const ADAPTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";

abstract contract Answers is ERC165 {
    function answers(bytes4 selector) public view virtual returns (bool);

    function supportsInterface(bytes4 id) public view virtual override returns (bool) {
        return answers(id) || super.supportsInterface(id);
    }
}

contract Adapter is Answers {
    address private immutable behind;

    constructor(address behind_) {
        behind = behind_;
    }

    function answers(bytes4 selector) public view override returns (bool) {
        return selector == type(IERC4906).interfaceId && behind.code.length > 0;
    }
}
`;

export const BILLING = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Rates {
    function of_(uint256 amount, uint256 points) external pure returns (uint256) {
        return (amount * points) / 10_000;
    }
}

library Names {
    function long(string memory first, string memory last) public pure returns (string memory) {
        return string.concat(first, " ", last);
    }
}

contract Billing {
    address public immutable to;
    mapping(address => string) public customers;

    constructor(address to_) {
        to = to_;
    }

    function register(string calldata first, string calldata last) external {
        customers[msg.sender] = Names.long(first, last);
    }

    function pay() external payable {
        uint256 fee = Rates.of_(msg.value, 250);
        require(fee > 0, "Billing: too little");
        payable(to).transfer(msg.value - fee);
    }

    function quote(uint256[] calldata amounts) external pure returns (uint256 sum) {
        for (uint256 i = 0; i < amounts.length; i++) sum += Rates.of_(amounts[i], 250 + i);
    }
}
`;

export const FACTORY = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract House is ERC20 {
    uint256 public immutable number;

    constructor(string memory street, uint256 number_, address to) ERC20(street, "HSE") {
        number = number_;
        _mint(to, 100 ether);
    }
}

contract Houses is Ownable {
    House[] public all;

    event Built(House indexed house, uint256 number);

    constructor(address owner) Ownable(owner) {}

    function build(string calldata street) external onlyOwner returns (House house) {
        house = new House(street, all.length, msg.sender);
        all.push(house);
        emit Built(house, all.length);
    }
}
`;

export const ERC721A = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import "erc721a/contracts/extensions/ERC721AQueryable.sol";

contract Stamps is ERC721AQueryable {
    constructor() ERC721A("Stamps", "STMP") {}

    function take(uint256 quantity) external payable {
        require(quantity > 0 && quantity < 6, "Stamps: one to five");
        _mint(msg.sender, quantity);
    }
}
`;

export const TWO_LIKE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Left {
    uint256 public sum;

    function add(uint256 amount) external {
        require(amount > 3, "too little");
        sum += amount;
    }
}

contract Right {
    uint256 public sum;

    function add(uint256 amount) external {
        require(amount > 4, "too little");
        sum += amount;
    }
}
`;

/** A factory and its child in files of their own. */
export const FACTORY_IN_FILES: Readonly<Record<string, string>> = {
  "src/Car.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

import {Plates} from "./Plates.sol";

contract Car {
    address public immutable maker = msg.sender;
    bytes8 public immutable plate;
    uint256 public driven;

    constructor(uint256 number) {
        plate = Plates.plateOf(number);
    }

    function drive(uint256 distance) external {
        require(distance > 0, "Car: stands still");
        driven += distance;
    }
}
`,
  "src/Plates.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

library Plates {
    function plateOf(uint256 number) internal pure returns (bytes8 plate) {
        for (uint256 at = 0; at < 8; at++) {
            plate |= bytes8(bytes1(uint8(65 + (number % 26)))) >> (at * 8);
            number /= 26;
        }
    }
}
`,
  "src/Garage.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

import {Car} from "./Car.sol";

contract Garage {
    Car public last;
    uint256 public built;

    function create() external returns (Car made) {
        made = new Car{salt: bytes32(built)}(++built);
        last = made;
    }

    function lastCar() external view returns (address) {
        return address(last);
    }
}
`,
};

export const OLD_LINKED = `pragma solidity ^0.4.18;

library Sums {
    function add(uint a, uint b) public pure returns (uint) {
        uint c = a + b;
        assert(c >= a);
        return c;
    }
}

contract Ledger {
    mapping(address => uint) public entries;

    event Entered(address indexed by, uint amount);

    function enter(uint amount) public {
        require(amount > 0);
        entries[msg.sender] = Sums.add(entries[msg.sender], amount);
        emit Entered(msg.sender, amount);
    }
}
`;

export const ENCODER_0_5 = `pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;

contract Orders {
    struct Order {
        address maker;
        uint256[] amounts;
        string note;
    }

    Order[] private orders;

    function place(Order memory order) public returns (uint256) {
        require(order.maker == msg.sender, "Orders: not yours");
        orders.push(order);
        return orders.length;
    }

    function all() public view returns (Order[] memory) {
        return orders;
    }
}
`;

export const SHOP = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Coin} from "./token/Coin.sol";

contract Shop {
    Coin public immutable coin;
    mapping(uint256 => uint256) public prices;

    constructor(address admin) {
        coin = new Coin(admin);
    }

    function price(uint256 item, uint256 amount) external {
        require(coin.hasRole(coin.MINTER_ROLE(), msg.sender), "Shop: only who mints");
        prices[item] = amount;
    }

    function buy(uint256 item) external {
        require(prices[item] > 0, "Shop: not for sale");
        coin.burnFrom(msg.sender, prices[item]);
    }
}
`;
