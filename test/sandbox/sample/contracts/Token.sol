// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// The token that the vault keeps.
contract Token is ERC20 {
    constructor(address owner, uint256 supply) ERC20("Sample Token", "SMPL") {
        _mint(owner, supply);
    }
}
