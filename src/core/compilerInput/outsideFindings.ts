import { relativePath } from "../files.ts";
import { ownValue } from "../json/ownValue.ts";
import { asItems, field, parseJson } from "../projects/looseData.ts";
import type { InputFinding } from "./inputFinding.ts";
import type { CompilerInput, StandardJsonInput } from "./standardJsonInput.ts";

/** More names in one sentence tell nothing new. */
const MOST_NAMES = 3;

/** "a.sol, b.sol, c.sol and 4 more". */
export function namesInBrief(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
}

/** That something leads out of the open folders and is left out. */
export function leadsOutside(path: string, real: string, root: string): InputFinding {
  const shown = relativePath(path, root) ?? path;
  const where = real === path ? "lies" : `leads to ${real},`;
  return {
    code: "outside_project",
    severity: "warning",
    sentence: `${shown} ${where} outside the open folders and is not read; open the folder that holds both.`,
    path,
  };
}

/** The same of several things that a job came upon, in one finding. */
export function leadOutside(refused: ReadonlyMap<string, string>, root: string): InputFinding[] {
  const [first, ...others] = refused;
  if (!first) return [];
  if (others.length === 0) return [leadsOutside(...first, root)];
  const names = [...refused.keys()].map((path) => relativePath(path, root) ?? path);
  return [
    {
      code: "outside_project",
      severity: "warning",
      sentence: `${namesInBrief(names)} lead outside the open folders and are not read; open the folder that holds them.`,
      path: first[0],
    },
  ];
}

const SOURCE_NAMES: Readonly<Record<StandardJsonInput["language"], RegExp>> = {
  Solidity: /\.sol$/i,
  Yul: /\.(?:yul|sol)$/i,
  Vyper: /\.(?:vyi?|json)$/i,
  Fe: /\.fe$/i,
};

/** What goes and is no source by its name: of the import, of the file, or of the file that a link leads to. */
export function foreignKinds({
  stdJsonInput,
  files,
}: Pick<CompilerInput, "stdJsonInput" | "files">): InputFinding[] {
  const { language } = stdJsonInput;
  const isSource = SOURCE_NAMES[language];
  return files.flatMap(({ name, path, realPath }) => {
    const other = [name, path, realPath ?? path].find((one) => !isSource.test(one));
    const isPlainJson = other === undefined && name.endsWith(".json") && !isInterface(stdJsonInput, name);
    if (other === undefined && !isPlainJson) return [];
    const reason = isPlainJson
      ? "is JSON without an interface"
      : other === realPath && realPath !== undefined
        ? `leads to ${realPath}, which is no ${language} source by its name`
        : `is no ${language} source by its name`;
    return [
      {
        code: "not_a_source",
        severity: "warning",
        sentence: `${name} ${reason}; everybody can read it once it is published.`,
        path,
      },
    ];
  });
}

/** An ABI, or an artifact that has one. */
function isInterface({ sources, interfaces = {} }: StandardJsonInput, name: string): boolean {
  const given = ownValue(interfaces, name) ?? ownValue(sources, name);
  const content = field(given, "content");
  const json = typeof content === "string" ? parseJson(content) : given;
  const entries = Array.isArray(json) ? (json as unknown[]) : asItems(field(json, "abi"));
  return entries.length > 0 && entries.every((entry) => typeof field(entry, "type") === "string");
}

/** The files that lie in the opened folders and not in the project. */
export function filesBeyond({ files }: Pick<CompilerInput, "files">): InputFinding[] {
  const names = files.flatMap(({ name, origin }) => (origin === "workspace" ? [name] : []));
  if (names.length === 0) return [];
  return [
    {
      code: "outside_project",
      severity: "warning",
      sentence: `${namesInBrief(names)} ${names.length === 1 ? "lies" : "lie"} outside the project, elsewhere in the open folders.`,
    },
  ];
}
