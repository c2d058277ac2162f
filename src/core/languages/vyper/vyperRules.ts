import { t } from "@vscode/l10n";
import { VYPER_SINCE, vyperCode } from "./vyperCode.ts";
import { lastSegment } from "../../files/fileReader.ts";
import { atLeast } from "../../versions.ts";
import type { LanguageRules } from "../languageRules.ts";
import { knownVyperSettings } from "./knownVyperSettings.ts";
import { stemCollisions } from "./stemCollisions.ts";
import { chanceInWords } from "./vyperCallOrder.ts";
import { readVyperDeclarations } from "./vyperDeclarations.ts";
import { isVyperContract, vyperModules } from "./vyperModules.ts";
import { vyperAllowedBy } from "./vyperPragma.ts";
import { completeVyperVersion, isVyperPrerelease, vyperReleases } from "./vyperReleases.ts";
import { VYPER_SETTINGS } from "./vyperSettings.ts";

/** How Vyper is read. It has one contract a file, which is named after it. */
export const vyperRules: LanguageRules = {
  *definitions(path, text) {
    yield;
    const name = stemOf(path);
    if (isInterface(path)) return [{ kind: "interface", name, start: 0 }];
    // A module that has nothing to call from outside counts as abstract.
    return [{ kind: isVyperContract(text) ? "contract" : "abstract contract", name, start: 0 }];
  },
  modules: (path, text) => (isInterface(path) ? undefined : vyperModules(text)),
  *declarations(path, text) {
    yield;
    return readVyperDeclarations(text, stemOf(path), isInterface(path));
  },
  // Two slashes divide.
  writing: {
    comment: /#[^\n]*/g,
    declarationEnd: "\n",
    functionHead: /^def[ \t]+(\w+)/gm,
    // The parenthesis of its parameters may end at the beginning of a line.
    isInFunction: (behindHead) => !/\n[^\s)]/.test(behindHead),
  },
  importedPaths: (written) => [".vy", ".vyi"].map((ending) => pathOf(written) + ending),
  completeVersion: (version, releases) => completeVyperVersion(version, releases?.vyper),
  releases: vyperReleases.filter((release) => !isVyperPrerelease(release)),
  allowedBy: vyperAllowedBy,
  code: vyperCode,
  metadataHashPlace: (settings, compilerVersion) =>
    !atLeast(compilerVersion, VYPER_SINCE.hash) || settings["bytecodeMetadata"] === false
      ? "none"
      : "creation code",
  releasesWithoutMetadata: (compilerVersion) =>
    atLeast(compilerVersion, VYPER_SINCE.auxdata) && !atLeast(compilerVersion, VYPER_SINCE.layout)
      ? t`Vyper before ${VYPER_SINCE.auxdata}, or from ${VYPER_SINCE.layout} on`
      : undefined,
  chanceInWords,
  revertStatement: async (...of) => (await import("./vyperRevertStatement.ts")).vyperRevertStatement(...of),
  settings: VYPER_SETTINGS,
  knownSettings: knownVyperSettings,
  checks: stemCollisions,
  ownInput: async (context) => (await import("./vyperInput.ts")).vyperContractInput(context),
};

function isInterface(path: string): boolean {
  return path.endsWith(".vyi");
}

/** A file's name without its ending. */
function stemOf(path: string): string {
  return lastSegment(path).replace(/\.\w+$/, "");
}

/** `.a` is `./a`, `..a` is `../a`, as Python counts. */
function pathOf(written: string): string {
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(written) ?? [];
  if (dots === "") return written;
  return dots === "." ? `./${rest}` : `${"../".repeat(dots.length - 1)}${rest}`;
}
