// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What stands at 0x167 in the sandbox: it keeps balances in the storage of the token that delegates to it.
contract TokenService {
    mapping(address account => uint256 amount) balances;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    /// `redirectForToken` is packed: its selector, the token's 20 bytes, and the call itself.
    fallback(bytes calldata input) external returns (bytes memory) {
        require(bytes4(input[:4]) == 0x618dc65e, "only calls of tokens");
        bytes calldata call = input[24:];
        bytes4 selector = bytes4(call[:4]);
        if (selector == 0x70a08231) return abi.encode(balances[abi.decode(call[4:], (address))]);
        if (selector == 0xa9059cbb) {
            (address to, uint256 amount) = abi.decode(call[4:], (address, uint256));
            balances[to] += amount;
            emit Transfer(msg.sender, to, amount);
            return abi.encode(true);
        }
        revert();
    }
}

/// The code of a token: it hands every call to the token service (HIP-218, HIP-719).
contract TokenFacade {
    fallback(bytes calldata call) external returns (bytes memory) {
        (bool ok, bytes memory result) = address(0x167).delegatecall(
            abi.encodePacked(bytes4(0x618dc65e), address(this), call)
        );
        if (!ok) revert();
        return result;
    }
}
