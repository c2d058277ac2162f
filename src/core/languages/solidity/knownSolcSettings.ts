import { isAddress } from "../../evm/address.ts";
import { asText } from "../../json/looseData.ts";
import {
  evmVersion,
  fields,
  fileNames,
  isContract,
  isPath,
  listOfKnown,
  textLike,
  switches,
  tableOf,
  word,
  type Known,
} from "../knownSettings.ts";
import { parseRemapping } from "./remapping.ts";

const remapping: Known = (value, at) => {
  const text = asText(value) ?? "";
  return isPath(text) && parseRemapping(text) ? [] : [at];
};
const address: Known = (value, at) => (isAddress(asText(value) ?? "") ? [] : [at]);
/** What solc reads of its settings; it refuses any other key (libsolidity/interface/StandardCompiler.cpp). */
export function knownSolcSettings(sources: object): Known {
  const isFile = fileNames(sources);
  const contracts = (known: Known) => tableOf(isFile, tableOf(isContract, known));
  return fields({
    ...switches("viaIR", "viaSSACFG", "experimental", "parserErrorRecovery", "eofVersion"),
    remappings: listOfKnown(remapping),
    evmVersion,
    libraries: contracts(address),
    outputSelection: contracts(listOfKnown(word)),
    stopAfter: textLike(/^parsing$/),
    metadata: fields({
      ...switches("useLiteralContent", "appendCBOR"),
      bytecodeHash: textLike(/^(?:ipfs|bzzr1|none)$/),
    }),
    debug: fields({
      revertStrings: textLike(/^(?:default|strip|debug|verboseDebug)$/),
      debugInfo: listOfKnown(textLike(/^(?:\*|location|snippet|ast-id|ethdebug)$/)),
    }),
    optimizer: fields({
      ...switches("enabled", "runs"),
      details: fields({
        ...switches("peephole", "inliner", "jumpdestRemover", "orderLiterals", "deduplicate", "cse", "yul"),
        ...switches("constantOptimizer", "simpleCounterForLoopUncheckedIncrement"),
        yulDetails: fields({
          ...switches("stackAllocation"),
          // Steps are letters, loops of them in brackets, and a colon before those of the end.
          optimizerSteps: textLike(/^[A-Za-z:[\]\s]{0,1000}$/),
        }),
      }),
    }),
    modelChecker: fields({
      ...switches("bmcLoopIterations", "divModNoSlacks", "printQuery", "timeout"),
      ...switches("showProvedSafe", "showUnproved", "showUnsupported"),
      contracts: tableOf(isFile, listOfKnown(word)),
      engine: word,
      extCalls: word,
      invariants: listOfKnown(word),
      solvers: listOfKnown(word),
      targets: listOfKnown(word),
    }),
  });
}
