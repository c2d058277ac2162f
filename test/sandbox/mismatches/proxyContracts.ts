/** Proxies of before today's agreements, and of no agreement, as projects write them. */
export const agreedSlots = `// SPDX-License-Identifier: MIT
pragma solidity >=0.7.6;

abstract contract Forwarder {
    function target() internal view virtual returns (address);

    fallback() external payable {
        address to = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

// EIP-1822: the slot is keccak256("PROXIABLE").
contract UniversalProxy is Forwarder {
    constructor(address to) {
        assembly { sstore(0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7, to) }
    }

    function target() internal view override returns (address to) {
        assembly { to := sload(0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7) }
    }
}

// Before EIP-1967.
contract EarlyProxy is Forwarder {
    bytes32 private constant SLOT = keccak256("org.zeppelinos.proxy.implementation");

    constructor(address to) {
        bytes32 slot = SLOT;
        assembly { sstore(slot, to) }
    }

    function target() internal view override returns (address to) {
        bytes32 slot = SLOT;
        assembly { to := sload(slot) }
    }
}

// No agreement: variables as anybody declares them.
contract OwnedProxy is Forwarder {
    address public owner = msg.sender;
    address private current;

    constructor(address to) { current = to; }

    function target() internal view override returns (address) { return current; }
}

// No agreement, and it answers implementation() itself.
contract OutspokenProxy is Forwarder {
    mapping(uint256 => address) private versions;

    constructor(address to) { versions[7] = to; }

    function implementation() external view returns (address) { return versions[7]; }

    function target() internal view override returns (address) { return versions[7]; }
}

// Fixed for ever, in an immutable.
contract FixedProxy is Forwarder {
    address private immutable fixedTarget;

    constructor(address to) { fixedTarget = to; }

    function target() internal view override returns (address) { return fixedTarget; }
}
`;

/** OpenZeppelin's clones, made by a factory as projects make them. */
export const cloneFactory = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

contract CloneFactory {
    event Cloned(address at);

    function plain(address to) external { emit Cloned(Clones.clone(to)); }

    function withArguments(address to) external {
        emit Cloned(Clones.cloneWithImmutableArgs(to, abi.encode(msg.sender, uint256(42))));
    }
}
`;

/** OpenZeppelin's upgradeable proxies and the beacon. */
export const upgradeable = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TransparentUpgradeableProxy} from
    "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";

contract Standard is ERC1967Proxy {
    constructor(address to) ERC1967Proxy(to, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) { return true; }
}

contract Transparent is TransparentUpgradeableProxy {
    constructor(address to) TransparentUpgradeableProxy(to, msg.sender, "") {}

    function _unsafeAllowUninitialized() internal pure override returns (bool) { return true; }
}

contract Beacon is UpgradeableBeacon {
    constructor(address to) UpgradeableBeacon(to, msg.sender) {}
}

contract Lit is BeaconProxy {
    constructor(address beacon) BeaconProxy(beacon, "") {}
}
`;

/**
 * Runtime codes of minimal proxies as they are found on chains, the implementation's address in the place of
 * `{implementation}`.
 */
export const minimalProxies: readonly (readonly [name: string, code: string])[] = [
  ["EIP-1167", "363d3d373d3d3d363d73{implementation}5af43d82803e903d91602b57fd5bf3"],
  ["44 bytes, without a copy", "3d3d3d3d363d3d37363d73{implementation}5af43d3d93803e602a57fd5bf3"],
  ["44 bytes, with PUSH0", "365f5f375f5f365f73{implementation}5af43d5f5f3e5f3d91602a57fd5bf3"],
  ["Vyper before 0.2.9", "366000600037611000600036600073{implementation}5af4602c57600080fd5b6110006000f3"],
  [
    "clone with arguments, which takes plain transfers itself",
    "36602c57343d527f9e4ac34f21c619cefc926c8bd93b54bf5a39c7ab2127a895af1cc0691d7e3dff593da1005b363d3d373d3d3d3d610022806062363936013d73{implementation}5af43d3d93803e606057fd5bf3000000000000000000000000000000000000000000000000000000000000002a0020",
  ],
  [
    "EIP-3448, with metadata behind it",
    "363d3d373d3d3d3d60368038038091363936013d73{implementation}5af43d3d93803e603457fd5bf3000000000000000000000000000000000000000000000000000000000000002a0000000000000000000000000000000000000000000000000000000000000020",
  ],
];

/** The proxy of every Safe 1.3.0, whose first storage slot is the implementation. */
export const safeProxy =
  "608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea2646970667358221220d1429297349653a4918076d650332de1a1068c5f3e07c5c82360c277770b955264736f6c63430007060033";
