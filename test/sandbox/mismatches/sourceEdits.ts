import { codeOf } from "./registrySources.ts";

/** Edits a contract's own file as a developer does; `undefined` where there is nothing of the kind in it. */
export type SourceEdit = (source: string, contract: string) => string | undefined;

/** Where something begins and ends. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Another number in a function or constant. */
export const changedConstant: SourceEdit = (source, contract) => {
  const range = contractRange(source, contract);
  if (!range) return undefined;
  const code = codeOf(source).slice(range.start, range.end);
  const found =
    /(?<=[=(*/+\-<> ])(?!0x)\d{2,}(?=[;)\s,])/.exec(code) ?? /(?<=[=(*/+\-<> ])[2-9](?=[;)])/.exec(code);
  if (!found) return undefined;
  return spliced(source, range.start + found.index, found[0].length, String(Number(found[0]) + 3));
};

/** A comparison the other way round, in a function's body. */
export const changedComparison: SourceEdit = (source, contract) => {
  const range = contractRange(source, contract);
  if (!range) return undefined;
  const code = codeOf(source).slice(range.start, range.end);
  const found = /(?<=\w[\w)\].]* )(?:>=|<=|==|!=)(?= [\w(])/.exec(code);
  if (!found) return undefined;
  const other = { ">=": ">", "<=": "<", "==": "!=", "!=": "==" }[found[0]];
  return other && spliced(source, range.start + found.index, 2, other);
};

/** A further check at the start of a function that changes state. */
export const addedCheck: SourceEdit = (source, contract) => {
  const body = functionBodies(source, contract).find(
    ({ head }) => /\b(?:public|external)\b/.test(head) && !/\b(?:view|pure|constant)\b/.test(head),
  );
  return (
    body &&
    spliced(
      source,
      body.open + 1,
      0,
      "\n        require(msg.sender != 0x00000000000000000000000000000000000000AA);",
    )
  );
};

/** Another text in a `require` or `revert`. */
export const changedMessage: SourceEdit = (source, contract) => {
  const range = contractRange(source, contract);
  if (!range) return undefined;
  const code = codeOf(source, true).slice(range.start, range.end);
  const found = /(?:require|revert)\([^;]*?"([^"]{2,})"\s*\)/.exec(code);
  if (!found) return undefined;
  return spliced(source, range.start + found.index + found[0].lastIndexOf('"'), 0, " (see the manual)");
};

/** One more function. */
export const addedFunction: SourceEdit = (source, contract) => {
  const range = contractRange(source, contract);
  const visibility = /pragma solidity[^;]*0\.4\.(?:1[0-6]|[0-9]\b)/.test(source) ? "constant" : "view";
  return (
    range &&
    spliced(
      source,
      range.end - 1,
      0,
      `\n    function editionOfLedger() public ${visibility} returns (uint256) {\n        return block.number + 4;\n    }\n`,
    )
  );
};

/** The first own function with another name; what calls it in the file goes along. */
export const renamedFunction: SourceEdit = (source, contract) => {
  const named = functionBodies(source, contract).find(
    ({ name, head }) =>
      /\b(?:public|external)\b/.test(head) &&
      !/\boverride\b/.test(head) &&
      name !== undefined &&
      name !== contract,
  )?.name;
  if (named === undefined) return undefined;
  const code = codeOf(source);
  let edited = source;
  for (const { index } of [...code.matchAll(new RegExp(String.raw`\b${named}\b`, "g"))].reverse())
    edited = spliced(edited, index, named.length, `${named}Now`);
  return edited;
};

/** The last function before the first one. */
export const movedFunction: SourceEdit = (source, contract) => {
  const functions = functionBodies(source, contract);
  const [first, last] = [functions[0], functions.at(-1)];
  if (!first || !last || first === last) return undefined;
  const text = source.slice(last.start, last.close + 1);
  return spliced(spliced(source, last.start, text.length, ""), first.start, 0, `${text}\n\n    `);
};

/** A further check in the constructor alone. */
export const changedConstructor: SourceEdit = (source, contract) => {
  const body = functionBodies(source, contract).find(({ name }) => name === undefined || name === contract);
  return body && spliced(source, body.open + 1, 0, "\n        assert(block.number != 3);");
};

/** A remark at the end. */
export const addedComment: SourceEdit = (source) => `${source}// Reviewed in spring.\n`;

/** Empty lines before the contract. */
export const changedWhitespace: SourceEdit = (source, contract) => {
  const range = contractRange(source, contract);
  return range && spliced(source, range.start, 0, "\n\n");
};

/** Lines that end as Windows has them. */
export const changedLineEnds: SourceEdit = (source) => source.replace(/\r?\n/g, "\r\n");

/** Another line end after the first line alone. */
export const mixedLineEnds: SourceEdit = (source) => source.replace("\n", "\r\n");

/** Another licence in the first line, or one where there is none. */
export const changedLicence: SourceEdit = (source) =>
  /SPDX-License-Identifier: [\w.-]+/.test(source)
    ? source.replace(/SPDX-License-Identifier: [\w.-]+/, "SPDX-License-Identifier: UNLICENSED")
    : `// SPDX-License-Identifier: UNLICENSED\n${source}`;

/** An event with another name. */
export const renamedEvent: SourceEdit = (source, contract) => {
  const range = contractRange(source, contract);
  if (!range) return undefined;
  const code = codeOf(source);
  const name = /\bevent\s+(\w+)/.exec(code.slice(range.start, range.end))?.[1];
  if (name === undefined) return undefined;
  let edited = source;
  for (const { index } of [...code.matchAll(new RegExp(String.raw`\b${name}\b`, "g"))].reverse())
    edited = spliced(edited, index, name.length, `${name}V2`);
  return edited;
};

function spliced(text: string, start: number, length: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(start + length);
}

/** A contract from its keyword to after its closing brace. */
function contractRange(source: string, contract: string): Range | undefined {
  const code = codeOf(source);
  const found = new RegExp(String.raw`\bcontract\s+${contract}\b`).exec(code);
  if (!found) return undefined;
  const close = closing(code, code.indexOf("{", found.index));
  return { start: found.index, end: close + 1 };
}

/** The place of the brace that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === "{") depth++;
    else if (code[at] === "}" && --depth === 0) return at;
  }
  return code.length - 1;
}

interface FunctionBody {
  /** `undefined` of a `constructor`. */
  readonly name: string | undefined;
  readonly head: string;
  readonly start: number;
  readonly open: number;
  readonly close: number;
}

/** Functions with a body, and the constructor, in their order. */
function functionBodies(source: string, contract: string): FunctionBody[] {
  const range = contractRange(source, contract);
  if (!range) return [];
  const code = codeOf(source);
  const found = code
    .slice(range.start, range.end)
    .matchAll(/\b(?:function\s+(\w+)|constructor)\s*\([^{};]*\{/g);
  return [...found].map(({ 0: head, 1: name, index }) => {
    const start = range.start + index;
    const open = start + head.length - 1;
    return { name, head, start, open, close: closing(code, open) };
  });
}
