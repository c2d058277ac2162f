const COUNTER = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// A first contract to deploy and to verify.
contract Counter {
    uint256 public constant LARGEST_STEP = 10;

    uint256 public count;

    event Counted(address indexed by, uint256 count);

    error StepTooLarge(uint256 step, uint256 largest);

    function add(uint256 step) external {
        if (step > LARGEST_STEP) revert StepTooLarge(step, LARGEST_STEP);
        count += step;
        emit Counted(msg.sender, count);
    }
}
`;

const DEPLOY = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {Counter} from "../src/Counter.sol";

interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Deploy {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function run() external returns (Counter counter) {
        vm.startBroadcast();
        counter = new Counter();
        vm.stopBroadcast();
    }
}
`;

const FOUNDRY = `[profile.default]
src = "src"
script = "script"
out = "out"
solc = "0.8.28"
evm_version = "cancun"
optimizer = true
optimizer_runs = 200
`;

const README = `# Ledger Lens sample

A contract that is not deployed yet. Deploy it with Foundry, then verify it.

## On this machine, offline

Start \`anvil\` in one terminal. In another:

    forge script script/Deploy.s.sol:Deploy --rpc-url http://127.0.0.1:8545 --broadcast --unlocked --sender 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266

Then run **Ledger Lens: Verify Locally…**. It compares the code of your node; nothing is published.

## On a public testnet

With an account that has test ether on Sepolia:

    forge script script/Deploy.s.sol:Deploy --rpc-url https://ethereum-sepolia-rpc.publicnode.com --broadcast --interactives 1

Then run **Ledger Lens: Verify Contract…**. You see every file before it is published.

## See why one fails

Change \`LARGEST_STEP\` in \`src/Counter.sol\` after deploying, then verify locally again.
`;

const SETTINGS = `{
  "ledgerLens.rpcUrls": {
    "31337": "http://127.0.0.1:8545",
    "11155111": "https://ethereum-sepolia-rpc.publicnode.com"
  }
}
`;

/**
 * The files of the sample by their paths below its folder: a Foundry project of one contract, not deployed yet. Its compiler
 * is one that the repository has, so that a test deploys these very files.
 */
export const SAMPLE_FILES: ReadonlyMap<string, string> = new Map([
  ["README.md", README],
  ["foundry.toml", FOUNDRY],
  ["src/Counter.sol", COUNTER],
  ["script/Deploy.s.sol", DEPLOY],
  [".vscode/settings.json", SETTINGS],
]);
