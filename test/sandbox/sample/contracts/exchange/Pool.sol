// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// The pool pays less than what the trader wants at least.
error SlippageTooHigh(uint256 amountOut, uint256 minimumOut);

/// Two tokens that are exchanged for each other at the price of their reserves.
contract Pool {
    using SafeERC20 for IERC20;

    IERC20 public immutable token0;
    IERC20 public immutable token1;

    event Swapped(address indexed to, uint256 amountIn, uint256 amountOut);

    constructor(IERC20 token0_, IERC20 token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    /// What would be paid for an amount of a token.
    function quote(IERC20 tokenIn, uint256 amountIn) public view returns (uint256 amountOut) {
        uint256 reserveIn = tokenIn.balanceOf(address(this));
        uint256 reserveOut = other(tokenIn).balanceOf(address(this));
        return (reserveOut * amountIn) / (reserveIn + amountIn);
    }

    function swap(
        IERC20 tokenIn,
        uint256 amountIn,
        uint256 minimumOut,
        address to
    ) external returns (uint256 amountOut) {
        amountOut = quote(tokenIn, amountIn);
        if (amountOut < minimumOut) revert SlippageTooHigh(amountOut, minimumOut);
        tokenIn.safeTransferFrom(msg.sender, address(this), amountIn);
        other(tokenIn).safeTransfer(to, amountOut);
        emit Swapped(to, amountIn, amountOut);
    }

    function other(IERC20 token) internal view returns (IERC20) {
        require(token == token0 || token == token1, "the pool does not hold this token");
        return token == token0 ? token1 : token0;
    }
}
