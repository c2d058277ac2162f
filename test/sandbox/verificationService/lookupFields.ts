import type { RecordedContract } from "./database.ts";
import { isObject } from "../../../src/core/json/shape.ts";
import type { Transformations } from "./verifier.ts";
import { invalidParameter } from "./refusal.ts";

/**
 * The further fields that a look-up asked for; a name that is none is refused. Of the service's fields those are here
 * that tools ask for (argotorg/sourcify, services/server/src/server/services/utils/database-util.ts,
 * `FIELDS_TO_STORED_PROPERTIES`).
 */
export function lookupFields({ verified }: RecordedContract, wanted: string | null): object {
  const { compilation } = verified;
  const { path, name } = compilation.target;
  const { settings, sources } = compilation.stdJsonInput as {
    readonly settings?: object;
    readonly sources?: object;
  };
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
    creationBytecode: codeFields(verified.transformations?.creation),
    runtimeBytecode: codeFields(verified.transformations?.runtime),
    proxyResolution: { isProxy: false, proxyType: null, implementations: [] },
    sources: sources ?? null,
    stdJsonInput: compilation.stdJsonInput,
  };
  if (wanted === "all") return fields;
  const names = (wanted ?? "").split(",").filter((field) => field !== "");
  const answer: Record<string, unknown> = {};
  for (const name of names) {
    const [field = "", part] = name.split(".");
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const isKnown =
      part === undefined ? Object.hasOwn(fields, field) : isObject(value) && Object.hasOwn(value, part);
    if (!isKnown) throw invalidParameter(`Field selector ${name} is not a valid field`);
    const parts = isObject(value) && part !== undefined ? { [part]: value[part] } : value;
    answer[field] =
      part === undefined ? value : { ...(answer[field] as object | undefined), ...(parts as object) };
  }
  return answer;
}

/** What was changed in one of the recompiled codes. */
function codeFields(transformations: Transformations["runtime"] | undefined): object {
  return {
    transformations: transformations?.list ?? null,
    transformationValues: transformations?.values ?? null,
  };
}

const COMPILERS: Readonly<Record<string, string>> = {
  Solidity: "solc",
  Yul: "solc",
  Vyper: "vyper",
  Fe: "fe",
};
