// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pool} from "./Pool.sol";

/// Makes pools, and finds them again.
contract PoolFactory {
    mapping(bytes32 pair => Pool pool) public pools;

    error PairExists(Pool pool);

    function createPool(IERC20 token0, IERC20 token1) external returns (Pool pool) {
        bytes32 pair = keccak256(abi.encode(token0, token1));
        if (address(pools[pair]) != address(0)) revert PairExists(pools[pair]);
        pool = new Pool(token0, token1);
        pools[pair] = pool;
    }

    function createPoolAt(IERC20 token0, IERC20 token1, bytes32 salt) external returns (Pool pool) {
        return new Pool{salt: salt}(token0, token1);
    }
}
