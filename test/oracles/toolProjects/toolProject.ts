import { randomFrom, type Random } from "../../unit/random.ts";

/** A build tool that really runs here. */
export type Tool = "Hardhat 2" | "Hardhat 3" | "Foundry";

/** How a tool is run in a project. */
export interface ToolRun {
  readonly tool: Tool;
  /** Foundry's profile, or Hardhat 3's build profile. */
  readonly profile?: string;
  /** The configuration, where the tool has to be told. */
  readonly config?: string;
  /** The script, `path:Name` below the project, that forge runs instead of building all. */
  readonly script?: string;
  /** Where it writes artifacts, below the project. */
  readonly artifacts: string;
  /** Where else it writes, below the project. */
  readonly outputs: readonly string[];
}

/** A project of its own kind, drawn at random, that one tool or several build. */
export interface ToolProject {
  /** What is special about it, in few words. */
  readonly shape: string;
  /** By paths below the workspace; a value that begins with `->` is a link. */
  readonly files: Readonly<Record<string, string>>;
  /** The project below the workspace; empty for the workspace itself. */
  readonly root: string;
  /** The folder that is open, below the workspace. */
  readonly open: string;
  readonly runs: readonly ToolRun[];
  /** True where the configuration holds what can't be known without running it. */
  readonly isComputed: boolean;
}

/** Files that are put one by one; a later one of the same path replaces the earlier. */
export class Tree {
  readonly files: Record<string, string> = {};
  #names = 0;

  put(path: string, text: string): void {
    this.files[plain(path)] = text;
  }

  /** Puts a link; both are paths below the workspace. */
  link(path: string, target: string): void {
    const from = plain(path).split("/").slice(0, -1);
    this.files[plain(path)] = `->${"../".repeat(from.length)}${plain(target)}`;
  }

  /** A name that nothing else in the project has. */
  name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }
}

/** A path without `.` and empty parts, in which `..` has climbed. */
export function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** What a path looks like from a folder; both below the workspace. */
export function seenFrom(folder: string, path: string): string {
  const from = plain(folder).split("/").filter(Boolean);
  const to = plain(path).split("/");
  let common = 0;
  while (common < from.length && from[common] === to[common]) common++;
  const up = "../".repeat(from.length - common) || "./";
  return up + to.slice(common).join("/");
}

/** True once in so many times. */
export function once(dice: Random, times: number): boolean {
  return dice.below(times) === 0;
}

/** Other dice of the same project, for what is drawn besides and changes nothing of the rest. */
export function besides({ seed }: Random): Random {
  return randomFrom((seed ^ 0x9e37_79b9) >>> 0);
}

/** So many different ones of a list, in its order. */
export function some<T>(dice: Random, items: readonly T[], most: number): T[] {
  const wanted = dice.below(Math.min(most, items.length) + 1);
  const left = items.map((_item, at) => at);
  const chosen: number[] = [];
  while (chosen.length < wanted) chosen.push(...left.splice(dice.below(left.length), 1));
  return chosen.sort((a, b) => a - b).map((at) => items[at] as T);
}

/** A source file of Solidity as it is drawn. */
export interface Source {
  /** Of the contract in it. */
  readonly name: string;
  /** Below the workspace. */
  readonly path: string;
  readonly isLibrary: boolean;
}

/** An import as one of the forms that there are. */
function importOf(dice: Random, { name }: Source, path: string): string {
  return dice.pick([
    `import "${path}";`,
    `import {${name}} from "${path}";`,
    `import { ${name} as Other${name} } from '${path}';`,
    `import * as All${name} from "${path}";`,
    `import\n  { ${name} }\n  from "${path}"; // imported`,
  ]);
}

/** A contract, or a library with a function that has to be linked, whose code shows how it was compiled. */
export function sourceText(
  dice: Random,
  source: Pick<Source, "name" | "isLibrary">,
  pragma: string,
  imports: readonly { readonly source: Source; readonly path: string }[],
): string {
  const { name } = source;
  const linked = imports.find((one) => one.source.isLibrary);
  const lines = [
    ...(once(dice, 3) ? [] : ["// SPDX-License-Identifier: MIT"]),
    `pragma solidity ${pragma};`,
    ...imports.map((one) =>
      one === linked
        ? `import {${one.source.name}} from "${one.path}";`
        : importOf(dice, one.source, one.path),
    ),
    "",
  ];
  if (source.isLibrary) {
    lines.push(
      `library ${name} {`,
      "  function twice(uint256 a) external pure returns (uint256) { return a * 2; }",
      "}",
    );
  } else {
    lines.push(
      `contract ${name} {`,
      "  uint256 public total;",
      "  mapping(address => uint256) public owed;",
      "  function add(uint256 amount) external returns (uint256) {",
      "    for (uint256 i = 0; i < amount; i++) { total += amount * 3; owed[msg.sender] += i; }",
      `    require(total > ${dice.below(1000)}, "too little");`,
      linked ? `    return ${linked.source.name}.twice(total);` : "    return total;",
      "  }",
      "}",
    );
  }
  const text = `${lines.join("\n")}\n`;
  return once(dice, 12) ? text.replaceAll("\n", "\r\n") : text;
}
