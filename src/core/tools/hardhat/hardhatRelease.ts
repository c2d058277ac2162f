import { foldersUpwards, joinPath, type FileReader } from "../../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readJson } from "../../json/dataFile.ts";
import { asText, field, fieldAt } from "../../json/looseData.ts";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../languages/solidity/solidityPragma.ts";
import { findPackage } from "../nodePackages.ts";

/** The release of Hardhat that a project uses. */
interface HardhatRelease {
  readonly major: 2 | 3;
  /** Both may read the configuration, and this is the likelier one. */
  readonly isUnsure: boolean;
}

/** Where a manifest names what it depends on, what others are to bring last. */
const DEPENDENCIES = ["devDependencies", "dependencies", "optionalDependencies", "peerDependencies"];

/**
 * The major version of Hardhat that a project uses: the one installed, else the one that `package.json` asks for. Where
 * neither tells, its modules do: Hardhat 3 refuses a package that is none of ES modules (NomicFoundation/hardhat,
 * packages/hardhat/src/internal/cli/main.ts), and in such a one Hardhat 2 has a configuration that says by its name that it
 * is CommonJS, or counts on Node to load the other kind.
 *
 * @param configuration its path, where it is known
 */
export async function hardhatRelease(
  files: FileReader,
  root: string,
  configuration = "",
): Promise<HardhatRelease> {
  const installed = await findPackage(files, root, "hardhat");
  if (installed) return { major: Number.parseInt(installed.version, 10) >= 3 ? 3 : 2, isUnsure: false };
  let isModule: boolean | undefined;
  for (const folder of foldersUpwards(root)) {
    const manifest = await readJson(files, joinPath(folder, "package.json"), LARGEST_CONFIGURATION_BYTES);
    if (manifest === undefined) continue;
    isModule ??= field(manifest, "type") === "module";
    for (const kind of DEPENDENCIES) {
      const major = majorOf(asText(fieldAt(manifest, kind, "hardhat")) ?? "");
      if (major) return { major, isUnsure: false };
    }
    if (field(manifest, "workspaces") !== undefined) break;
  }
  const mayBe3 = isModule === true && !/\.c[jt]s$/.test(configuration);
  return { major: mayBe3 ? 3 : 2, isUnsure: mayBe3 };
}

/** In characters; a longer range is none that a person wrote. */
const MAX_RANGE = 256;

/**
 * The major version that all releases of a range have; `undefined` where there are several, and for what is no range: a tag
 * such as `latest`, a folder, a repository, what a workspace has elsewhere (npm's package.json, "dependencies").
 */
function majorOf(asked: string): 2 | 3 | undefined {
  const range = asked
    .replace(/^npm:(?:@[^/@]+\/)?[^/@]+@|^workspace:/, "")
    .replace(/(?<=\d)[-+][\w.+-]+|v(?=\d)/g, "");
  const expression = asked.length > MAX_RANGE ? undefined : parseSolidityVersionExpression(range);
  if (!expression) return undefined;
  // A range that allows a release allows one of these, or one at a number that it names.
  const releases = ["1.0.0", "2.0.0", "2.99999.0", "3.0.0", "3.99999.0", "4.0.0"];
  for (const [named] of range.matchAll(/\d+(?:\.\d+)*/g)) {
    const [major = 0, minor = 0, patch = 0] = named.split(".").map(Number);
    releases.push(`${major}.${minor}.${patch}`, `${major}.${minor}.${patch + 1}`);
  }
  const majors = new Set(
    releases
      .filter((release) => satisfiesSolidity(release, expression))
      .map((release) => (Number.parseInt(release, 10) >= 3 ? 3 : 2)),
  );
  const [only, ...others] = majors;
  return others.length === 0 ? only : undefined;
}
