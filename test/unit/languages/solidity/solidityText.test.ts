import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scanSolidity } from "../../../../src/core/languages/solidity/solidityScanner.ts";
import { solidityText } from "../../../../src/core/languages/solidity/solidityText.ts";
import { compileNow } from "../../../sandbox/solcNow.ts";

/** Literals as a source has them. */
const LITERALS = [
  `""`,
  `"plain"`,
  `'single "quoted"'`,
  String.raw`"\x41\u00fc\n\t\r\\\"\'"`,
  String.raw`"\xc3\xbc"`,
  String.raw`"\xff"`,
  `"a\\\nb"`,
  `"a\\\r\nb"`,
  `"a\\\rb"`,
  `"a\\\n\\\nb\\\\n"`,
  `unicode"größer \\\nals"`,
  `hex"6162_63"`,
  `hex'ff'`,
] as const;

/** The values of the constants of a source, `null` for bytes that are no text, as solc's syntax tree has them. */
function valuesBySolc(literals: readonly string[]): readonly (string | null)[] {
  const constants = literals.map((literal, at) => `bytes constant c${at} = ${literal};\n`).join("");
  const output = compileNow({
    language: "Solidity",
    sources: { "a.sol": { content: `pragma solidity ^0.8.0;\n${constants}` } },
    settings: { outputSelection: { "*": { "": ["ast"] } } },
  }) as {
    readonly sources: Record<
      string,
      {
        readonly ast?: { readonly nodes: readonly { readonly value?: { readonly value?: string | null } }[] };
      }
    >;
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const failure = output.errors?.find(({ severity }) => severity === "error");
  assert.equal(failure, undefined, failure?.formattedMessage);
  return (output.sources["a.sol"]?.ast?.nodes ?? []).flatMap(({ value }) =>
    value ? [value.value ?? null] : [],
  );
}

describe("The text of a string literal", () => {
  it("is what solc reads, escaped line breaks left out", () => {
    assert.deepEqual(
      LITERALS.map((literal) => solidityText(literal) ?? null),
      valuesBySolc(LITERALS),
    );
  });

  it("is read the same in an import", () => {
    const quoted = LITERALS.filter((literal) => /^["']/.test(literal));
    assert.deepEqual(
      quoted.map((literal) => scanSolidity(`import ${literal};`).imports[0]?.path),
      quoted.map((literal) => solidityText(literal) ?? literal),
    );
  });

  it("is nothing where the literal is not closed", () => {
    for (const literal of [`"open`, `"`, `'open"`, `hex"61`]) assert.equal(solidityText(literal), undefined);
  });
});
