// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Proxy} from "@openzeppelin/contracts/proxy/Proxy.sol";

/// Stands in front of a router, so that people approve one address whatever router is behind it.
contract RouterProxy is Proxy {
    address private immutable router;

    constructor(address router_) {
        router = router_;
    }

    receive() external payable {
        _fallback();
    }

    function _implementation() internal view override returns (address) {
        return router;
    }
}
