import {
  eitherKnown,
  evmVersion,
  fields,
  fileNames,
  isContract,
  listOfKnown,
  textLike,
  path,
  plain,
  switches,
  tableOf,
  word,
  type Known,
} from "../knownSettings.ts";

/** What Vyper reads of its settings (vyper/cli/vyper_json.py) and writes into its own bundles. */
export function knownVyperSettings(sources: object): Known {
  const isFile = fileNames(sources);
  const outputs = listOfKnown(word);
  return fields({
    ...switches("experimentalCodegen", "experimental_codegen", "venomExperimental", "bytecodeMetadata"),
    ...switches("enable_decimals", "debug", "nonreentrancy_by_default"),
    evmVersion,
    evm_version: evmVersion,
    optimize: eitherKnown(plain, textLike(/^\w{1,12}$/)),
    search_paths: eitherKnown(path, listOfKnown(path)),
    outputSelection: tableOf(isFile, eitherKnown(outputs, tableOf(isContract, outputs))),
    venom: tableOf((key) => /^\w{1,40}$/.test(key), plain),
  });
}
