import type {
  IFeCompiler,
  ISolidityCompiler,
  IVyperCompiler,
  SolidityOutput,
  VyperOutput,
} from "@ethereum-sourcify/lib-sourcify";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import type { VyperCompilers } from "../vyperCompilers.ts";

/** The compilers as the service's engine asks for them. */
export interface ServiceCompilers {
  readonly solc: ISolidityCompiler;
  readonly vyper: IVyperCompiler;
  readonly fe: IFeCompiler;
}

/**
 * Compilers that answer as the public service's own package does: a release is known by its full name alone, one that
 * can't be had and the errors of a compiler are thrown, and the engine makes `compiler_error` of both
 * (argotorg/sourcify, packages/compilers/src/lib/{solidityCompiler,vyperCompiler,feCompiler}.ts).
 */
export function serviceCompilers(solidity: SolidityCompilers, vyper: VyperCompilers): ServiceCompilers {
  return {
    solc: {
      async compile(version, input) {
        const isKnown = (await solidity.fullVersion(version)) === version;
        const output = isKnown ? await solidity.compile(version, input) : undefined;
        // Where there is no binary for the platform, the build for JavaScript ("bin") is the last that is asked for.
        if (!output) throw notFetched(`solc v${version}`, "bin");
        return checked(output) as unknown as SolidityOutput;
      },
    },
    vyper: {
      async compile(version, input) {
        const output = await vyper.compile(version, input);
        if (!output) throw notFetched(`vyper ${version}`, "linux");
        return checked(output) as unknown as VyperOutput;
      },
    },
    fe: {
      // There is no package of it for Node or Python; what is no version of it is refused before anything is fetched.
      compile: (version) =>
        Promise.reject(
          /^\d\d/.test(version)
            ? notFetched(`Fe ${version}`, "fe_linux_amd64")
            : new Error(
                `Fe compiler version ${version} is not supported. Minimum supported version is 26.0.0-alpha.12.`,
              ),
        ),
    },
  };
}

function notFetched(release: string, platform: string): Error {
  return new Error(
    `Failed fetching ${release} for platform ${platform}. Please check if the version is valid.`,
  );
}

function checked<T extends { readonly errors?: readonly { readonly severity: string }[] }>(output: T): T {
  const errors = output.errors?.filter(({ severity }) => severity === "error") ?? [];
  if (errors.length > 0) throw Object.assign(new Error("Compiler error"), { errors });
  return output;
}
