import type { CauseCode } from "../../../src/core/matching/explanation.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import type { Random } from "../../unit/random.ts";
import type { Build } from "./mismatchCase.ts";

/** A random pair of builds of which the true difference is known. */
export interface RandomPair {
  readonly kind: CauseCode;
  readonly deployed: Build;
  readonly submitted: Build;
}

const MODERN = ["0.8.24", "0.8.28", "0.8.37"] as const;
const RUNS = [1, 200, 10_000, 1_000_000] as const;

/** Draws a pair that differs in one thing. */
export function drawPair(random: Random): RandomPair {
  const kind = random.pick([
    "compiler_version",
    "evm_version",
    "optimizer",
    "optimizer_runs",
    "via_ir",
    "metadata_settings",
    "edited_source",
    "edited_source",
    "wrong_contract",
  ] as const);
  const version = random.pick(MODERN);
  const isOptimized = kind === "optimizer_runs" || random.below(4) > 0;
  const settings: CompilerSettings = {
    ...(isOptimized && { optimizer: { enabled: true, runs: random.pick(RUNS) } }),
    ...(random.below(3) === 0 && { viaIR: true }),
  };
  const parts = drawParts(random);
  const deployed: Build = { ...sourceOf(parts), version, settings };
  switch (kind) {
    case "compiler_version":
      return { kind, deployed, submitted: { ...deployed, version: other(random, MODERN, version) } };
    case "evm_version": {
      const targets = ["london", "shanghai", "cancun"] as const;
      const target = random.pick(targets);
      return {
        kind,
        deployed: { ...deployed, settings: { ...settings, evmVersion: target } },
        submitted: { ...deployed, settings: { ...settings, evmVersion: other(random, targets, target) } },
      };
    }
    case "optimizer":
      return {
        kind,
        deployed,
        submitted: {
          ...deployed,
          settings: {
            ...settings,
            optimizer: { enabled: !isOptimized, runs: settings.optimizer?.runs ?? 200 },
          },
        },
      };
    case "optimizer_runs":
      return {
        kind,
        deployed,
        submitted: {
          ...deployed,
          settings: {
            ...settings,
            optimizer: { enabled: true, runs: other(random, RUNS, settings.optimizer?.runs) },
          },
        },
      };
    case "via_ir":
      return {
        kind,
        deployed,
        submitted: { ...deployed, settings: { ...settings, viaIR: settings["viaIR"] !== true } },
      };
    case "metadata_settings": {
      const forms = ["ipfs", "none", "bzzr1"] as const;
      const form = random.pick(forms);
      return {
        kind,
        deployed: { ...deployed, settings: { ...settings, metadata: { bytecodeHash: form } } },
        submitted: {
          ...deployed,
          settings: { ...settings, metadata: { bytecodeHash: other(random, forms, form) } },
        },
      };
    }
    case "wrong_contract":
      return { kind, deployed, submitted: { ...sourceOf(drawParts(random)), version, settings } };
    default:
      return {
        kind: "edited_source",
        deployed,
        submitted: { ...sourceOf(editParts(random, parts)), version, settings },
      };
  }
}

function other<T>(random: Random, choices: readonly T[], not: T | undefined): T {
  const rest = choices.filter((choice) => choice !== not);
  return rest[random.below(rest.length)] as T;
}

/** A function of a contract: its name, and numbers and words that an edit may change. */
interface Part {
  readonly shape: number;
  readonly name: string;
  readonly number: number;
  readonly message: string;
  readonly operator: string;
}

const NAMES = [
  "add",
  "bid",
  "claim",
  "deal",
  "earn",
  "fund",
  "give",
  "hold",
  "join",
  "keep",
  "lend",
  "move",
  "note",
  "open",
  "pay",
  "quit",
  "rate",
  "send",
  "take",
  "undo",
  "vote",
  "warn",
  "yield_",
  "zero",
  "audit",
  "block_",
  "cover",
  "draft",
] as const;
const MESSAGES = [
  "too much",
  "too little",
  "not allowed here",
  "closed",
  "the caller is not the owner",
  "late",
] as const;
const OPERATORS = ["+", "-", "*", "^", "|"] as const;

function drawParts(random: Random): Part[] {
  const names = new Set<string>();
  for (let count = 3 + random.below(6); names.size < count;) names.add(random.pick(NAMES));
  return [...names].map((name) => ({
    shape: random.below(SHAPES.length),
    name,
    number: 2 + random.below(5_000),
    message: random.pick(MESSAGES),
    operator: random.pick(OPERATORS),
  }));
}

/** Changes one thing of one function, or drops or adds one. */
function editParts(random: Random, parts: readonly Part[]): Part[] {
  const at = random.below(parts.length);
  const part = parts[at];
  if (!part) return [...parts];
  const edit = random.below(6);
  if (edit === 0 && parts.length > 3) return parts.filter((one) => one !== part);
  if (edit === 1) return [...parts, { ...part, name: `${part.name}Twice` }];
  const changed: Part =
    edit === 2
      ? { ...part, number: part.number + 1 + random.below(90) }
      : edit === 3
        ? { ...part, operator: other(random, OPERATORS, part.operator) }
        : edit === 4
          ? { ...part, message: other(random, MESSAGES, part.message) }
          : { ...part, shape: (part.shape + 1) % SHAPES.length };
  return parts.map((one) => (one === part ? changed : one));
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const SHAPES: readonly ((part: Part) => string)[] = [
  ({ name, number, message, operator }) => `
    event ${capitalised(name)}Done(address indexed who, uint256 amount);
    function ${name}(uint256 amount) external {
        require(amount < ${number}, "${message}");
        unchecked { total[msg.sender] = total[msg.sender] ${operator} amount; }
        emit ${capitalised(name)}Done(msg.sender, amount);
    }`,
  ({ name, number, message, operator }) => `
    function ${name}(address to, uint256 amount) external payable returns (uint256 left) {
        require(msg.sender == owner, "${message}");
        left = (total[to] ${operator} amount) % ${number};
        total[to] = left;
        (bool ok, ) = payable(to).call{value: msg.value}("");
        require(ok, "${name} failed");
    }`,
  ({ name, number, message }) => `
    function ${name}(string calldata text) external returns (bytes32 key) {
        require(bytes(text).length < ${number}, "${message}");
        key = keccak256(abi.encodePacked(text, msg.sender));
        texts[key] = text;
    }`,
  ({ name, number, operator }) => `
    function ${name}(uint256[] memory values) public pure returns (uint256 sum) {
        for (uint256 i = 0; i < values.length; i++) sum = sum ${operator} (values[i] / ${number});
    }`,
  ({ name, number, message }) => `
    mapping(uint256 => address) public ${name}Of;
    function ${name}(uint256 id) external {
        if (${name}Of[id] != address(0)) revert("${message}");
        ${name}Of[id] = msg.sender;
        total[address(this)] += ${number};
    }`,
  ({ name, number }) => `
    function ${name}(bytes32 key) external view returns (string memory, uint256) {
        return (texts[key], block.timestamp + ${number});
    }`,
];

function sourceOf(parts: readonly Part[]): Pick<Build, "sources" | "contract"> {
  const body = parts.map((part) => (SHAPES[part.shape] ?? (() => ""))(part)).join("\n");
  return {
    contract: "Drawn",
    sources: {
      "Drawn.sol": `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

contract Drawn {
    address public immutable owner = msg.sender;
    mapping(address => uint256) public total;
    mapping(bytes32 => string) private texts;
${body}
}
`,
    },
  };
}
