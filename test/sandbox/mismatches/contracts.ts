/**
 * The contracts of the cases. They compile with solc 0.7.6 and 0.8 alike unless they say otherwise, and are small
 * enough to compile quickly.
 */

/** Holds money for two people: structs, events, a copy of bytes in memory. */
export const escrow = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

contract Escrow {
    struct Deal { address payer; address payable payee; uint256 amount; bool isOpen; bytes note; }

    Deal[] public deals;
    mapping(address => uint256) public openDeals;
    uint256 private constant FEE_PER_MILLE = 3;

    event Opened(uint256 indexed id, address indexed payer, uint256 amount);
    event Released(uint256 indexed id, uint256 paid);

    function open(address payable payee, bytes calldata note) external payable returns (uint256 id) {
        require(msg.value > 1000, "Escrow: too little");
        id = deals.length;
        deals.push(Deal(msg.sender, payee, msg.value, true, note));
        openDeals[msg.sender] += 1;
        emit Opened(id, msg.sender, msg.value);
    }

    function release(uint256 id) external {
        Deal storage deal = deals[id];
        require(deal.isOpen, "Escrow: closed");
        require(deal.payer == msg.sender, "Escrow: not the payer");
        deal.isOpen = false;
        openDeals[msg.sender] -= 1;
        uint256 paid = deal.amount - (deal.amount * FEE_PER_MILLE) / 1000;
        deal.payee.transfer(paid);
        emit Released(id, paid);
    }

    function noteOf(uint256 id) external view returns (bytes memory) {
        return abi.encodePacked(deals[id].note, deals[id].payer);
    }
}
`;

/** Names for addresses: strings in storage. */
export const registry = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

contract Registry {
    mapping(bytes32 => address) private holders;
    mapping(address => string) public names;
    address public immutable keeper;

    event Named(address indexed holder, string name);

    constructor() { keeper = msg.sender; }

    function claim(string calldata name) external {
        bytes32 key = keccak256(bytes(name));
        require(holders[key] == address(0), "Registry: taken");
        require(bytes(name).length <= 32, "Registry: too long");
        holders[key] = msg.sender;
        names[msg.sender] = name;
        emit Named(msg.sender, name);
    }

    function holderOf(string memory name) public view returns (address) {
        return holders[keccak256(abi.encodePacked(name))];
    }

    function free(string calldata name) external {
        require(msg.sender == keeper || holderOf(name) == msg.sender, "Registry: not yours");
        delete holders[keccak256(bytes(name))];
    }
}
`;

/** Draws a winner; reads the block, hashes, has a loop. */
export const lottery = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

contract Lottery {
    address payable[] private players;
    mapping(address => uint256) public tickets;
    uint256 public immutable price;
    uint256 public round;
    uint64 public closesAt;

    event Bought(address indexed player, uint256 indexed round);
    event Drawn(address indexed winner, uint256 prize, uint256 indexed round);

    constructor(uint256 price_, uint64 duration) {
        price = price_;
        closesAt = uint64(block.timestamp) + duration;
    }

    function buy() external payable {
        require(msg.value == price, "Lottery: wrong price");
        require(block.timestamp < closesAt, "Lottery: closed");
        players.push(msg.sender == address(0) ? payable(address(1)) : payable(msg.sender));
        tickets[msg.sender]++;
        emit Bought(msg.sender, round);
    }

    function draw() external {
        require(block.timestamp >= closesAt, "Lottery: open");
        uint256 at = uint256(keccak256(abi.encode(blockhash(block.number - 1), players.length))) % players.length;
        uint256 prize = address(this).balance;
        address payable winner = players[at];
        delete players;
        round++;
        winner.transfer(prize);
        emit Drawn(winner, prize, round);
    }

    function playersFrom(uint256 start) external view returns (address[] memory list) {
        list = new address[](players.length - start);
        for (uint256 i = start; i < players.length; i++) list[i - start] = players[i];
    }
}
`;

/** Two immutables, a limit and a mask; its constructor takes arguments. */
export const treasury = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

contract Treasury {
    address public immutable owner;
    uint256 public immutable limit;
    mapping(address => uint256) public spent;
    uint256 public total;

    event Spent(address indexed by, address indexed to, uint256 amount);

    constructor(address owner_, uint256 limit_) {
        owner = owner_;
        limit = limit_;
    }

    receive() external payable { total += msg.value; }

    function spend(address payable to, uint256 amount) external {
        require(msg.sender == owner, "Treasury: not the owner");
        require(spent[to] + amount <= limit, "Treasury: over the limit");
        spent[to] += amount;
        total -= amount;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "Treasury: refused");
        emit Spent(msg.sender, to, amount);
    }

    function share(uint256 parts) external view returns (uint256) {
        return total / parts;
    }
}
`;

/** A library with external functions, and a contract that calls it. */
export const statistics = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

library Statistics {
    function mean(uint256[] memory values) external pure returns (uint256 sum) {
        for (uint256 i = 0; i < values.length; i++) sum += values[i];
        return sum / values.length;
    }

    function largest(uint256[] memory values) external pure returns (uint256 best) {
        for (uint256 i = 0; i < values.length; i++) if (values[i] > best) best = values[i];
    }
}

library Limits {
    function check(uint256 value, uint256 most) external pure returns (bool) {
        return value <= most && value != 0;
    }
}

contract Station {
    uint256[] private readings;
    uint256 public immutable most;

    constructor(uint256 most_) { most = most_; }

    function record(uint256 value) external {
        require(Limits.check(value, most), "Station: out of range");
        readings.push(value);
    }

    function mean() external view returns (uint256) { return Statistics.mean(readings); }

    function largest() external view returns (uint256) { return Statistics.largest(readings); }
}

contract Meter {
    uint256[] public samples;

    function add(uint256 value) external { samples.push(value); }

    function average() external view returns (uint256) { return Statistics.mean(samples); }
}
`;

/** A factory whose children have immutables. */
export const nursery = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

contract Seedling {
    address public immutable gardener;
    uint256 public immutable plantedAt;
    uint256 public water;

    event Watered(uint256 amount);

    constructor(address gardener_) {
        gardener = gardener_;
        plantedAt = block.timestamp;
    }

    function pour(uint256 amount) external {
        require(msg.sender == gardener, "Seedling: not the gardener");
        water += amount;
        emit Watered(amount);
    }
}

contract Nursery {
    Seedling[] public seedlings;

    event Planted(Seedling indexed seedling, address indexed gardener);

    function plant() external returns (Seedling seedling) {
        seedling = new Seedling(msg.sender);
        seedlings.push(seedling);
        emit Planted(seedling, msg.sender);
    }

    function plantMany(uint256 count) external {
        require(count < 10, "Nursery: too many");
        for (uint256 i = 0; i < count; i++) seedlings.push(new Seedling{salt: bytes32(i)}(msg.sender));
    }
}
`;

/** OpenZeppelin's token. */
export const coin = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract Coin is ERC20, Ownable {
    uint256 public constant CAP = 1_000_000e18;

    constructor(address owner_) ERC20("Coin", "COIN") Ownable(owner_) { _mint(owner_, 1_000e18); }

    function mint(address to, uint256 amount) external onlyOwner {
        require(totalSupply() + amount <= CAP, "Coin: cap");
        _mint(to, amount);
    }
}
`;

/** Two contracts of one shape, for mistakes among siblings; the second adds a pause. */
export const boxes = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

abstract contract BoxBase {
    uint256 internal stored;
    event Stored(uint256 value);
    function store(uint256 value) public virtual { stored = value; emit Stored(value); }
    function retrieve() public view virtual returns (uint256);
}

interface IBox { function store(uint256 value) external; function retrieve() external view returns (uint256); }

contract BoxV1 is BoxBase {
    function retrieve() public view override returns (uint256) { return stored; }
    function version() external pure returns (uint256) { return 1; }
}

contract BoxV2 is BoxBase {
    bool public isPaused;
    function pause() external { isPaused = true; }
    function store(uint256 value) public override { require(!isPaused, "Box: paused"); super.store(value); }
    function retrieve() public view override returns (uint256) { return stored; }
    function version() external pure returns (uint256) { return 2; }
    function increment() external { stored += 1; }
}

contract BoxDoubled is BoxBase {
    function retrieve() public view override returns (uint256) { return stored * 2; }
    function version() external pure returns (uint256) { return 1; }
}
`;

/** The constructor deploys a runtime code of its own: the one that is passed in. */
export const shell = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

contract Shell {
    constructor(bytes memory code, uint256 salt) {
        assembly {
            mstore(0, salt)
            return(add(code, 0x20), mload(code))
        }
    }

    function run(uint256 a) external pure returns (uint256) { return a + 1; }
}
`;

/** The same with other parameters, and no salt. */
export const husk = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

contract Husk {
    uint256 public value;

    constructor(bytes memory code) {
        assembly { return(add(code, 0x20), mload(code)) }
    }

    function set(uint256 value_) external { value = value_; }
    function get() external view returns (uint256) { return value; }
}
`;

/** Many variables at once, more than the stack of the legacy pipeline holds. */
export const deep = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

contract Deep {
    function mix(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e, uint256 f) external pure returns (uint256) {
        uint256 g = a + b; uint256 h = b * c; uint256 i = c + d; uint256 j = d * e; uint256 k = e + f;
        uint256 l = f * g; uint256 m = g + h; uint256 n = h * i; uint256 o = i + j; uint256 p = j * k;
        return a + b * c + d * e + f + g * h + i * j + k + l * m + n + o * p + a * p + b * o + c * n + d * m + e * l;
    }
}
`;

/** Reads its own balance and the chain. */
export const vaultOfAges = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

contract VaultOfAges {
    mapping(address => uint256) public unlockedAt;
    mapping(address => uint256) public kept;

    function keep(uint256 duration) external payable {
        kept[msg.sender] += msg.value;
        unlockedAt[msg.sender] = block.timestamp + duration;
    }

    function take() external {
        require(block.timestamp >= unlockedAt[msg.sender], "VaultOfAges: locked");
        uint256 amount = kept[msg.sender];
        kept[msg.sender] = 0;
        require(address(this).balance >= amount, "VaultOfAges: empty");
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "VaultOfAges: refused");
    }
}
`;

/** Two files, for spellings that differ from file to file. */
export const orchard: Readonly<Record<string, string>> = {
  "contracts/Orchard.sol": `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

import "./Soil.sol";

contract Orchard is Soil {
    uint256 public trees;

    function plant(uint256 count) external {
        require(water > count, "Orchard: dry");
        trees += count;
    }
}
`,
  "contracts/Soil.sol": `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

contract Soil {
    uint256 public water;

    function pour() external payable { water += msg.value; }
}
`,
};

/** Counts leading zeros, for which Osaka has an instruction. */
export const scale = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.31;

contract Scale {
    mapping(address => uint256) public heaviest;

    function weigh(uint256 grams) external returns (uint256 zeros) {
        assembly { zeros := clz(grams) }
        if (grams > heaviest[msg.sender]) heaviest[msg.sender] = grams;
    }
}
`;

/** A factory whose child uses a constant so often that its creation code keeps it behind everything else. */
export const smithy = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0;

contract Anvil {
    mapping(bytes32 => uint256) public struck;
    uint256 public weight;
    address public immutable smith;

    constructor(uint256 first) {
        smith = msg.sender;
        struck[keccak256("iron")] = first;
        if (first > 3) struck[keccak256("iron")] = 2 * first;
        if (first > 9) struck[keccak256("iron")] += 7;
        weight = uint256(keccak256("iron")) ^ first;
        weight += uint256(keccak256("iron")) / 3;
    }

    function strike(uint256 times) external view returns (uint256) {
        return times * weight + struck[bytes32(times)];
    }
}

contract Smithy {
    address[] public anvils;

    function forge(uint256 first) external returns (address made) {
        made = address(new Anvil{salt: bytes32(first)}(first));
        anvils.push(made);
    }

    function count() external view returns (uint256) {
        return anvils.length;
    }
}
`;

/** Two functions, of which one may have another name. */
export const till = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.0;

contract Till {
    mapping(address => uint256) private kept;
    uint256 private total;

    function put(uint256 amount) external {
        require(amount > 0 && amount < 1_000_000, "amount");
        kept[msg.sender] += amount;
        total += amount;
    }

    function take(uint256 amount) external returns (uint256 left) {
        require(kept[msg.sender] >= amount, "too much");
        kept[msg.sender] -= amount;
        total -= amount;
        left = kept[msg.sender];
    }
}
`;

/** Without a function that could be found by a selector. */
export const relay = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

contract Relay {
    address private target;

    constructor() { target = msg.sender; }

    fallback() external payable { hand(); }

    function hand() internal virtual { relay(chosen()); }
    function chosen() internal view virtual returns (address) { return target; }
    function relay(address to) internal virtual {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
`;
