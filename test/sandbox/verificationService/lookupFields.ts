import type { RecordedContract } from "./database.ts";
import { invalidParameter } from "./refusal.ts";

/**
 * The further fields that a look-up asked for; a name that is none is refused. Of the service's fields those are here
 * that tools ask for (argotorg/sourcify, services/server/src/server/services/utils/database-util.ts,
 * `FIELDS_TO_STORED_PROPERTIES`).
 */
export function lookupFields({ verified }: RecordedContract, wanted: string | null): object {
  const { compilation } = verified;
  const { path, name } = compilation.target;
  const { settings } = compilation.stdJsonInput as { readonly settings?: object };
  const fields: Readonly<Record<string, unknown>> = {
    abi: compilation.contractOutput.abi ?? null,
    compilation: {
      language: compilation.language,
      compiler: COMPILERS[compilation.language],
      compilerVersion: compilation.compilerVersion,
      compilerSettings: settings,
      name,
      fullyQualifiedName: `${path}:${name}`,
    },
    proxyResolution: { isProxy: false, proxyType: null, implementations: [] },
    stdJsonInput: compilation.stdJsonInput,
  };
  if (wanted === "all") return fields;
  const names = (wanted ?? "").split(",").filter((field) => field !== "");
  const unknown = names.find((field) => !Object.hasOwn(fields, field));
  if (unknown !== undefined) throw invalidParameter(`Field selector ${unknown} is not a valid field`);
  return Object.fromEntries(names.map((field) => [field, fields[field]]));
}

const COMPILERS: Readonly<Record<string, string>> = {
  Solidity: "solc",
  Yul: "solc",
  Vyper: "vyper",
  Fe: "fe",
};
