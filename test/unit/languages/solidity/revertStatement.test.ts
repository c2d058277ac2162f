import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { describe, it } from "node:test";
import type { RevertCause } from "../../../../src/core/languages/reverted.ts";
import { revertStatement } from "../../../../src/core/languages/solidity/revertStatement.ts";
import { repositoryRoot } from "../../../rig/paths.ts";
import { compileNow } from "../../../sandbox/solcNow.ts";
import { threadMs } from "../../../rig/threadTime.ts";

type Sources = Readonly<Record<string, string>>;

/** What a stranger would expect: the line that a remark marks, or nothing. */
interface Case {
  readonly sources: Sources;
  /** `Pool.sol swap`: the function that was called, where it is declared. */
  readonly called: string;
  /** `Pool.sol Pool`: the contract that ran. */
  readonly contract?: string;
  readonly cause: RevertCause;
}

const error = (name: string, ...types: string[]): RevertCause => ({ kind: "error", name, types });
const reason = (text: string): RevertCause => ({ kind: "reason", reason: text });
const panic = (code: number): RevertCause => ({ kind: "panic", code });
const MARK = "// HERE";

/** solc takes it: nothing here is what nobody could have written. */
function compiles(sources: Sources): void {
  const output = compileNow({
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [
        name,
        { content: `pragma solidity ^0.8.26;${content}` },
      ]),
    ),
    settings: { outputSelection: { "*": { "*": ["abi"] } } },
  }) as { readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[] };
  const failure = output.errors?.find(({ severity }) => severity === "error");
  assert.equal(failure, undefined, failure?.formattedMessage);
}

async function found({ sources, called, contract, cause }: Case): Promise<string | undefined> {
  const place = (named: string, keyword: string) => {
    const [file = "", name = ""] = named.split(" ");
    const lines = (sources[file] ?? assert.fail(named)).split("\n");
    const line = lines.findIndex((one) => new RegExp(`${keyword}\\s+${name}\\b`).test(one));
    assert.ok(line >= 0, named);
    return { path: `/${file}`, line, character: 0 };
  };
  const statement = await revertStatement(
    {
      called: place(called, "function"),
      contract: contract === undefined ? undefined : place(contract, "(?:contract|library)"),
    },
    cause,
    {
      read: (path) => Promise.resolve(sources[path.slice(1)]),
      resolve: (path, importer) => {
        const target = path.startsWith(".") ? posix.join(posix.dirname(importer), path) : `/${path}`;
        return Promise.resolve(target.slice(1) in sources ? target : undefined);
      },
    },
  );
  return statement && sources[statement.path.slice(1)]?.split("\n")[statement.line];
}

async function goesToMark(one: Case, { isCompiled = true } = {}): Promise<void> {
  if (isCompiled) compiles(one.sources);
  const line = await found(one);
  assert.ok(line?.includes(MARK), line ?? "nothing was found");
}

async function goesNowhere(one: Case, { isCompiled = true } = {}): Promise<void> {
  if (isCompiled) compiles(one.sources);
  assert.equal(await found(one), undefined);
}

describe("The statement that reverted", () => {
  const POOL = `contract Pool {
  error TooLow(uint256 given);
  error TooSeven(uint256 given);
  function swap(uint256 n) external pure {
    // revert TooLow(n);
    if (n < 5) revert TooLow(n);
    require(n < 100, "too \\"much\\"");
    require(n != 7, TooSeven(n));
  }
  function twice(uint256 n) external pure {
    if (n == 1) revert TooLow(n);
    if (n == 2) revert TooLow(n);
  }
}`;

  it("is found by its error, in a revert and in a require, and by its reason", async () => {
    const at = (marked: string) =>
      POOL.replace(marked, `${MARK}\n${marked}`).replace(`${MARK}\n${marked}`, marked);
    for (const [cause, text] of [
      [error("TooLow", "uint256"), "if (n < 5) revert TooLow(n);"],
      [error("TooSeven", "uint256"), "require(n != 7, TooSeven(n));"],
      [reason('too "much"'), 'require(n < 100, "too \\"much\\"");'],
    ] as const) {
      const sources = { "Pool.sol": at(text) };
      compiles(sources);
      assert.equal((await found({ sources, called: "Pool.sol swap", cause }))?.trim(), text);
    }
  });

  it("is not told where several could be it, or where it is in another function", async () => {
    const sources = { "Pool.sol": POOL };
    for (const cause of [error("TooLow", "uint256"), reason('too "much"')])
      await goesNowhere({ sources, called: "Pool.sol twice", cause });
    await goesNowhere({ sources, called: "Pool.sol swap", cause: error("Unknown") });
  });

  it("is found in a modifier of the function, also in one of a base in another file", () =>
    goesToMark({
      sources: {
        "access/Owned.sol": `
abstract contract Owned {
  address internal owner = msg.sender;
  error NotOwner(address who);
  modifier onlyOwner() {
    if (msg.sender != owner) revert NotOwner(msg.sender); ${MARK}
    _;
  }
}`,
        "Vault.sol": `
import {Owned} from "./access/Owned.sol";
contract Vault is Owned {
  function sweep() external onlyOwner {}
}`,
      },
      called: "Vault.sol sweep",
      contract: "Vault.sol Vault",
      cause: error("NotOwner", "address"),
    }));

  it("is found behind several private and internal functions, by a reason that is a constant elsewhere", () =>
    goesToMark({
      sources: {
        "Reasons.sol": `library Reasons { string internal constant PAUSED = "is paused"; }`,
        "Vault.sol": `
import "./Reasons.sol";
contract Vault {
  bool paused;
  string constant ZERO = "is zero";
  function pay(uint256 n) external view returns (uint256) { return _checked(n); }
  function _checked(uint256 n) private view returns (uint256) {
    require(n > 0, ZERO);
    return _whenRunning(n);
  }
  function _whenRunning(uint256 n) internal view returns (uint256) {
    require(!paused, Reasons.PAUSED); ${MARK}
    return n;
  }
}`,
      },
      called: "Vault.sol pay",
      contract: "Vault.sol Vault",
      cause: reason("is paused"),
    }));

  const MATH = `
library SafeMath {
  function sub(uint256 a, uint256 b) internal pure returns (uint256) { return sub(a, b, "underflow"); }
  function sub(uint256 a, uint256 b, string memory message) internal pure returns (uint256) {
    require(b <= a, message); ${MARK}
    return a - b;
  }
}
library Checks {
  function positive(uint256 n) internal pure { require(n > 0, "not positive"); }
}`;

  it("is found in a library that is attached to a type, with the reason that was handed to it", async () => {
    const sources = {
      "lib/Math.sol": MATH,
      "Bank.sol": `
import {SafeMath as Sums, Checks} from "lib/Math.sol";
contract Bank {
  using Sums for uint256;
  function take(uint256 n) external pure returns (uint256) {
    Checks.positive(n);
    return n.sub(4, "too little");
  }
  function give(uint256 n) external pure returns (uint256) { return n.sub(4); }
}`,
    };
    const contract = "Bank.sol Bank";
    await goesToMark({ sources, contract, called: "Bank.sol take", cause: reason("too little") });
    await goesToMark({ sources, contract, called: "Bank.sol give", cause: reason("underflow") });
    await goesNowhere({ sources, contract, called: "Bank.sol take", cause: reason("underflow") });
  });

  it("is found where a function is overridden and calls super, in the order of inheritance", () =>
    goesToMark({
      sources: {
        "Chain.sol": `
contract Root {
  error Stopped(string by);
  function go() public virtual { revert Stopped("root"); }
}
contract Left is Root {
  function go() public virtual override { super.go(); }
}
contract Right is Root {
  function go() public virtual override {
    revert Stopped("right"); ${MARK}
  }
}
contract Both is Right, Left {
  function go() public override(Left, Right) { Left.go(); }
}`,
      },
      called: "Chain.sol go",
      contract: "Chain.sol Both",
      // Root's own is declared first; what Left calls super is Right here.
      cause: error("Stopped", "string"),
    }));

  it("is found in what overrides a function that a base calls", () =>
    goesToMark({
      sources: {
        "Base.sol": `
abstract contract Base {
  error Refused();
  function run() external { _before(); }
  function _before() internal virtual { revert Refused(); }
}`,
        "Mine.sol": `
import "./Base.sol";
contract Mine is Base {
  function _before() internal override {
    revert Refused(); ${MARK}
  }
}`,
      },
      called: "Base.sol run",
      contract: "Mine.sol Mine",
      cause: error("Refused"),
    }));

  it("is not told where a contract that is not known may override what is called", () =>
    goesNowhere({
      sources: {
        "Base.sol": `
abstract contract Base {
  error Refused();
  function run() external { _before(); }
  function _before() internal virtual { revert Refused(); }
}`,
      },
      called: "Base.sol run",
      cause: error("Refused"),
    }));

  it("is that of the contract which ran and not of one with a function of the same name", () =>
    goesToMark({
      sources: {
        "Two.sol": `
contract Other { function swap() external pure { require(false, "no"); } }
contract Mine {
  function _check() private pure {
    require(false, "no"); ${MARK}
  }
  function swap2() external pure { _check(); }
}
contract Third { function _check() internal pure { require(false, "no"); } }`,
      },
      called: "Two.sol swap2",
      contract: "Two.sol Mine",
      cause: reason("no"),
    }));

  it("is never in a comment or in another text", async () => {
    const sources = {
      "Words.sol": `
contract Words {
  event Said(string what);
  /* require(false, "no"); */
  function say(bool isSo) external {
    // require(isSo, "no");
    emit Said('require(isSo, "no");');
    /* if (!isSo) revert("no"); */ require(isSo, unicode"no"); ${MARK}
  }
  function tell() external { emit Said("no"); /* revert("no"); */ }
}`,
    };
    const contract = "Words.sol Words";
    await goesToMark({ sources, contract, called: "Words.sol say", cause: reason("no") });
    await goesNowhere({ sources, contract, called: "Words.sol tell", cause: reason("no") });
  });

  it("is told from an error of the same name with other arguments", async () => {
    const sources = {
      "Errors.sol": `
error Denied(address who);
library Far { error Denied(uint256 code); }
contract Gate {
  function enter(uint256 n) external view {
    if (n == 1) revert Far.Denied(n);
    if (n == 2) revert Denied(msg.sender); ${MARK}
  }
}`,
    };
    const one = { sources, contract: "Errors.sol Gate", called: "Errors.sol enter" };
    await goesToMark({ ...one, cause: error("Denied", "address") });
    assert.match((await found({ ...one, cause: error("Denied", "uint256") })) ?? "", /Far\.Denied/);
    await goesNowhere({ ...one, cause: error("Denied", "bytes32") });
  });

  it("is found by the error's own name where an import gives it another", () =>
    goesToMark({
      sources: {
        "Far.sol": `error Closed(); error Open();`,
        "Door.sol": `
import {Closed as Shut, Open as Closed} from "./Far.sol";
contract Door {
  function pass(bool isOpen) external pure {
    if (isOpen) revert Closed();
    revert Shut(); ${MARK}
  }
}`,
      },
      called: "Door.sol pass",
      contract: "Door.sol Door",
      cause: error("Closed"),
    }));

  it("is found in a free function and through the name of a module", () =>
    goesToMark({
      sources: {
        "checks.sol": `
error Bad();
function check(bool isGood) pure {
  if (!isGood) revert Bad(); ${MARK}
}`,
        "Use.sol": `
import * as Checks from "./checks.sol";
contract Use { function go() external pure { Checks.check(false); } }`,
      },
      called: "Use.sol go",
      contract: "Use.sol Use",
      cause: error("Bad"),
    }));

  it("is found for a panic where a single statement can have caused it", async () => {
    const sources = {
      "Panics.sol": `
contract Panics {
  uint256[] stack;
  function check(uint256 n) external pure { uint256 m = n + 1;
    assert(m > 3); ${MARK}
  }
  function share(uint256 n) external pure returns (uint256) { uint256 m = 3 * n; m += 2;
    return m / n; ${MARK}
  }
  function both(uint256 n) external pure { assert(n > 3); assert(n < 9); }
  function drop() external {
    stack.pop(); ${MARK}
  }
}`,
    };
    const of = (name: string, code: number) => ({
      sources,
      contract: "Panics.sol Panics",
      called: `Panics.sol ${name}`,
      cause: panic(code),
    });
    await goesToMark(of("check", 0x01));
    await goesToMark(of("share", 0x12));
    await goesToMark(of("drop", 0x31));
    await goesNowhere(of("both", 0x01));
    await goesNowhere(of("share", 0x11));
    await goesNowhere(of("check", 0x41));
  });

  it("is not told where a part of what ran can't be read, which may have reverted as well", async () => {
    const sources = {
      "Part.sol": `
import {Helper} from "@far/Helper.sol";
contract Part is Helper {
  function go(uint256 n) external {
    _prepare(n);
    require(n > 3, "too few");
  }
  function alone(uint256 n) external pure { require(n > 3, "too few"); }
}`,
    };
    await goesNowhere(
      { sources, called: "Part.sol go", contract: "Part.sol Part", cause: reason("too few") },
      { isCompiled: false },
    );
  });

  it("is not told where a reason that is made at run time, or assembly, could be it", async () => {
    const sources = {
      "Made.sol": `
contract Made {
  function go(uint256 n, string calldata why) external pure {
    require(n > 3, "too few");
    require(n > 4, why);
  }
  function low(uint256 n) external pure {
    require(n > 3, "too few");
    assembly { if lt(n, 9) { mstore(0, n) revert(0, 32) } }
  }
  function on(address to) external {
    require(to != address(0), "too few"); ${MARK}
    (bool isDone, ) = to.call("");
    if (!isDone) assembly { returndatacopy(0, 0, returndatasize()) revert(0, returndatasize()) }
  }
}`,
    };
    const of = (name: string) => ({
      sources,
      contract: "Made.sol Made",
      called: `Made.sol ${name}`,
      cause: reason("too few"),
    });
    await goesNowhere(of("go"));
    await goesNowhere(of("low"));
    await goesToMark(of("on"));
  });

  it("is not that of a function pointer's target, which nothing names", () =>
    goesNowhere({
      sources: {
        "Pointer.sol": `
contract Pointer {
  function go(bool isFirst) external pure {
    function() pure step = isFirst ? _a : _b;
    step();
    require(isFirst, "no");
  }
  function _a() private pure { require(false, "no"); }
  function _b() private pure {}
}`,
      },
      called: "Pointer.sol go",
      contract: "Pointer.sol Pointer",
      cause: reason("no"),
    }));

  it("is looked for in bounded time in functions that call each other in circles and in imports without end", async () => {
    const many = Array.from(
      { length: 3_000 },
      (_, at) => `function f${at}() private { f${(at + 1) % 3_000}(); f0(); }`,
    );
    const sources = {
      "Long.sol": `import "./Long.sol"; contract Long { ${many.join("\n")} \nfunction go() external { f0(); revert("no"); } }`,
    };
    const started = threadMs();
    await goesNowhere(
      { sources, called: "Long.sol go", contract: "Long.sol Long", cause: reason("no") },
      { isCompiled: false },
    );
    const hostile = `contract A is A { using A for A; constructor() A() {} function go( external { revert("`;
    for (const text of [hostile, hostile.repeat(50), "{".repeat(50_000), "(".repeat(9_000)])
      await found({
        sources: { "A.sol": `${text}\nfunction go() external { revert("no"); }` },
        called: "A.sol go",
        cause: reason("no"),
      });
    assert.ok(threadMs() - started < 5_000);
  });

  describe("in contracts that use OpenZeppelin's", () => {
    const SAMPLE = join(repositoryRoot, "test/sandbox/sample/contracts");
    const PACKAGES = join(repositoryRoot, "node_modules");
    const read = (path: string) => readFile(path, "utf8").catch(() => undefined);
    const lineOf = async (path: string, name: RegExp) => {
      const line = ((await read(path)) ?? "").split("\n").findIndex((one) => name.test(one));
      assert.ok(line >= 0, path);
      return { path, line, character: 0 };
    };
    const statement = async (
      called: readonly [path: string, name: string],
      contract: readonly [path: string, name: string],
      cause: RevertCause,
    ) => {
      const place = await revertStatement(
        {
          called: await lineOf(called[0], new RegExp(`function ${called[1]}\\(`)),
          contract: await lineOf(contract[0], new RegExp(`^(?:abstract )?contract ${contract[1]}\\b`)),
        },
        cause,
        {
          read,
          resolve: (path, importer) =>
            Promise.resolve(path.startsWith(".") ? join(dirname(importer), path) : join(PACKAGES, path)),
        },
      );
      return place && ((await read(place.path)) ?? "").split("\n")[place.line]?.trim();
    };

    it("is found in the function, in one that it calls, and in a base of the package", async () => {
      const pool = [join(SAMPLE, "exchange/Pool.sol"), "Pool"] as const;
      const swap = [pool[0], "swap"] as const;
      assert.match(
        (await statement(swap, pool, error("SlippageTooHigh", "uint256", "uint256"))) ?? "",
        /^if \(amountOut < minimumOut\) revert SlippageTooHigh/,
      );
      assert.match(
        (await statement(swap, pool, reason("the pool does not hold this token"))) ?? "",
        /^require\(token == token0/,
      );
      const erc20 = join(PACKAGES, "@openzeppelin/contracts/token/ERC20/ERC20.sol");
      const coin = join(PACKAGES, "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol");
      const balance = error("ERC20InsufficientBalance", "address", "uint256", "uint256");
      assert.match(
        (await statement([erc20, "transfer"], [coin, "ERC20Capped"], balance)) ?? "",
        /^revert ERC20InsufficientBalance\(/,
      );
      const cap = error("ERC20ExceededCap", "uint256", "uint256");
      assert.match(
        (await statement([erc20, "transfer"], [coin, "ERC20Capped"], cap)) ?? "",
        /^revert ERC20ExceededCap\(/,
      );
    });
  });
});
