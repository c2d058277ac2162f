import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import { relativePath } from "../../files/fileReader.ts";
import type { CompilationContext } from "../compilationContext.ts";
import { inputFileOf } from "../../sources/inputFile.ts";
import { SolidityTokenizer } from "../solidity/solidityTokenizer.ts";
import { decodeSource, hasByteOrderMark } from "../../sources/sourceText.ts";
import type { CompilerInput, CompilerSettings } from "../../sources/standardJsonInput.ts";
import { DEFAULT_OPTIMIZER } from "../solidity/solcCode.ts";

/** The name that solc gives a file that is a block of code without an object. */
const UNNAMED_OBJECT = "object";

interface YulObject {
  readonly name: string;
  /** UTF-16 offset of the name, or of the file for a block of code. */
  readonly start: number;
}

/**
 * The object that a Yul file defines: its outermost one, since the others are parts of it
 * (ethereum/solidity, libyul/ObjectParser.cpp). `undefined` for a file that is no Yul.
 */
export function yulObjectOf(text: string): YulObject | undefined {
  const tokenizer = new SolidityTokenizer(text);
  const first = tokenizer.next();
  if (first === "{") return { name: UNNAMED_OBJECT, start: 0 };
  const name = first === "object" ? tokenizer.next() : undefined;
  if (name === undefined || !/^".*"$/.test(name)) return undefined;
  return { name: name.slice(1, -1), start: tokenizer.position - name.length };
}

/**
 * The input of a Yul object: one file, as solc's Yul mode has it, which takes no remappings and no libraries
 * (ethereum/solidity, libsolidity/interface/StandardCompiler.cpp, `compileYul`). The compiler, the optimizer and the
 * EVM version are those that the project's tool sets for Solidity.
 *
 * @throws LedgerLensError `contract_not_found`, `source_not_utf8`.
 */
export async function yulContractInput({
  root,
  contract,
  bySolc,
}: CompilationContext): Promise<CompilerInput> {
  const known = await bySolc();
  const name = known.name ?? relativePath(contract.path, root) ?? contract.path;
  const content = decodeSource(contract.path, contract.source.bytes);
  const object = yulObjectOf(content);
  if (object?.name !== contract.contractName) {
    const offer = object ? t`It has ${object.name}.` : t`It has no object.`;
    throw new LedgerLensError(
      "contract_not_found",
      t`${name} has no object ${contract.contractName}. ${offer}`,
    );
  }
  const { compiler } = known;
  const { optimizer, evmVersion } = known.settings ?? {};
  const settings: CompilerSettings = {
    optimizer: { ...DEFAULT_OPTIMIZER, ...optimizer },
    ...(evmVersion !== undefined && { evmVersion }),
    outputSelection: { "*": { "*": ["evm.bytecode", "evm.deployedBytecode"] } },
  };
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier: `${name}:${contract.contractName}`,
    stdJsonInput: { language: "Yul", sources: { [name]: { content } }, settings },
    source: "derived",
    files: [inputFileOf(name, contract.source, Buffer.byteLength(content))],
    findings: [
      ...known.findings,
      ...compiler.findings,
      ...(hasByteOrderMark(contract.source.bytes)
        ? [
            {
              code: "byte_order_mark",
              severity: "warning",
              sentence: t`${name} begins with a byte-order mark, which solc rejects; it is left out.`,
              path: contract.path,
            } as const,
          ]
        : []),
    ],
    warnings: [],
    project: root,
    changedSinceBuild: [],
  };
}
