// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Pool} from "./Pool.sol";

/// Trades for people who hold tokens: takes them, asks the pool and passes on what it pays.
contract Router {
    using SafeERC20 for IERC20;

    event Tipped(address indexed to, uint256 amount);

    function swapExact(
        Pool pool,
        IERC20 tokenIn,
        uint256 amountIn,
        uint256 minimumOut
    ) external returns (uint256) {
        return trade(pool, tokenIn, amountIn, minimumOut);
    }

    /// The same through one more contract, as wallets with a proxy of their own do.
    function swapThrough(
        Router router,
        Pool pool,
        IERC20 tokenIn,
        uint256 amountIn,
        uint256 minimumOut
    ) external returns (uint256) {
        tokenIn.safeTransferFrom(msg.sender, address(this), amountIn);
        tokenIn.forceApprove(address(router), amountIn);
        return router.swapExact(pool, tokenIn, amountIn, minimumOut);
    }

    /// Tries one pool, and another where the first one refuses.
    function swapBest(
        Pool first,
        Pool second,
        IERC20 tokenIn,
        uint256 amountIn,
        uint256 minimumOut
    ) external returns (uint256) {
        tokenIn.safeTransferFrom(msg.sender, address(this), amountIn);
        tokenIn.forceApprove(address(first), amountIn);
        try first.swap(tokenIn, amountIn, minimumOut, msg.sender) returns (uint256 amountOut) {
            return amountOut;
        } catch {
            tokenIn.forceApprove(address(second), amountIn);
            return second.swap(tokenIn, amountIn, minimumOut, msg.sender);
        }
    }

    /// Splits a tip; whoever asks for no parts divides by zero.
    function tip(address payable[] calldata people) external payable {
        uint256 part = msg.value / people.length;
        for (uint256 at = 0; at < people.length; at++) {
            people[at].transfer(part);
            emit Tipped(people[at], part);
        }
    }

    function fingerprint(bytes calldata data) external pure returns (bytes32) {
        return sha256(data);
    }

    /// Burns all the gas that it is given.
    function spin() external pure {
        for (uint256 at = 0; at < type(uint256).max; at++) {}
    }

    function trade(
        Pool pool,
        IERC20 tokenIn,
        uint256 amountIn,
        uint256 minimumOut
    ) internal returns (uint256) {
        tokenIn.safeTransferFrom(msg.sender, address(this), amountIn);
        tokenIn.forceApprove(address(pool), amountIn);
        return pool.swap(tokenIn, amountIn, minimumOut, msg.sender);
    }
}
