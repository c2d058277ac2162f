// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {
    SafeERC20 // moves tokens that answer nothing, too
} from "@oz/token/ERC20/utils/SafeERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import "./access/Limits.sol";

/**
 * Keeps one kind of token for its owner.
 * The word import in a comment is none: import "./Nothing.sol";
 */
contract Vault is Ownable {
    using SafeERC20 for IERC20Metadata;

    /// Part of a withdrawal that stays, in basis points.
    uint256 public constant FEE_BASIS_POINTS = 25;

    IERC20Metadata public immutable token;
    uint256 public immutable unlockTime;

    event Withdrawn(address indexed to, uint256 amount, uint256 fee);

    error StillLocked(uint256 unlockTime);

    constructor(IERC20Metadata token_, address owner_, uint256 unlockTime_) Ownable(owner_) {
        token = token_;
        unlockTime = unlockTime_;
    }

    function withdraw(address to, uint256 amount) external onlyOwner {
        if (block.timestamp < unlockTime) revert StillLocked(unlockTime);
        Limits.check(amount, token.decimals());
        uint256 fee = (amount * FEE_BASIS_POINTS) / 10_000;
        token.safeTransfer(to, amount - fee);
        emit Withdrawn(to, amount, fee);
    }
}
