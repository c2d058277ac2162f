// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// How much may leave the vault at once.
library Limits {
    error AboveLimit(uint256 amount, uint256 limit);

    /// Largest withdrawal in whole tokens.
    uint256 internal constant LARGEST_WITHDRAWAL = 10_000;

    function check(uint256 amount, uint8 decimals) internal pure {
        uint256 limit = LARGEST_WITHDRAWAL * 10 ** decimals;
        if (amount > limit) revert AboveLimit(amount, limit);
    }
}
