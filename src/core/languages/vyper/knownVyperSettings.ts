import {
  either,
  evmVersion,
  fields,
  fileNames,
  isContract,
  listOf,
  matching,
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
  const outputs = listOf(word);
  return fields({
    ...switches("experimentalCodegen", "experimental_codegen", "venomExperimental", "bytecodeMetadata"),
    ...switches("enable_decimals", "debug", "nonreentrancy_by_default"),
    evmVersion,
    evm_version: evmVersion,
    optimize: either(plain, matching(/^\w{1,12}$/)),
    search_paths: either(path, listOf(path)),
    outputSelection: tableOf(isFile, either(outputs, tableOf(isContract, outputs))),
    venom: tableOf((key) => /^\w{1,40}$/.test(key), plain),
  });
}
