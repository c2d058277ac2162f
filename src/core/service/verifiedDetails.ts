import { anyJson, ifReadable, nullable, object, optional, readAs, text } from "../json/shape.ts";
import { asItems, asRecord } from "../json/looseData.ts";
import { codeTransformations, type CodeTransformation } from "./codeTransformation.ts";

/** What a service did to the recompiled code of a verified contract before it compared it. */
export interface VerifiedDetails {
  readonly runtime: readonly CodeTransformation[];
  readonly creation: readonly CodeTransformation[];
  /** What the deployment wrote into each immutable, by the compiler's id of it: words without `0x`. */
  readonly immutables: ReadonlyMap<string, string>;
  /** 0x-prefixed; what stands behind the creation code. */
  readonly constructorArguments?: string;
  /** The constructor's parameters as the JSON ABI has them. */
  readonly constructorInputs: readonly unknown[];
}

/** The fields of a look-up that {@link readVerifiedDetails} reads (argotorg/sourcify, services/server/src/apiv2.yaml). */
export const DETAIL_FIELDS = [
  "abi",
  "creationBytecode.transformations",
  "creationBytecode.transformationValues",
  "runtimeBytecode.transformations",
  "runtimeBytecode.transformationValues",
].join(",");

const code = ifReadable(
  nullable(
    object({
      transformations: ifReadable(nullable(codeTransformations)),
      transformationValues: ifReadable(
        nullable(object({ constructorArguments: optional(text()), immutables: ifReadable(anyJson) })),
      ),
    }),
  ),
);
const details = object({ abi: ifReadable(anyJson), creationBytecode: code, runtimeBytecode: code });

/** Reads the answer of a look-up with {@link DETAIL_FIELDS}; what it does not say is as good as nothing. */
export function readVerifiedDetails(body: unknown): VerifiedDetails {
  const { abi, creationBytecode, runtimeBytecode } = readAs(details, body) ?? {};
  const data = creationBytecode?.transformationValues?.constructorArguments;
  return {
    runtime: runtimeBytecode?.transformations ?? [],
    creation: creationBytecode?.transformations ?? [],
    immutables: immutablesOf(runtimeBytecode?.transformationValues?.immutables),
    ...(data !== undefined && { constructorArguments: data }),
    constructorInputs: constructorInputsOf(abi),
  };
}

function immutablesOf(values: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asRecord(values) ?? {}).flatMap(([id, value]) => {
      const digits = typeof value === "string" ? /^0x((?:[\da-f]{2})+)$/i.exec(value)?.[1] : undefined;
      return digits === undefined ? [] : [[id, digits.toLowerCase()] as const];
    }),
  );
}

/** The parameters of the constructor in a JSON ABI, as they stand there; none where it takes none. */
export function constructorInputsOf(abi: unknown): readonly unknown[] {
  const constructor = asItems(abi)
    .map(asRecord)
    .find((item) => item?.["type"] === "constructor");
  return asItems(constructor?.["inputs"]);
}
