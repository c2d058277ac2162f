import { placeFinder, type DefinitionPlace } from "../../text/definitionPlace.ts";
import type { ProjectCode, RevertCause, RevertedCall } from "../reverted.ts";
import { importedModules, logicalLines, type VyperLine } from "./vyperScanner.ts";

/** Of a contract with its modules. */
const MAX_MODULES = 100;
const MAX_TEXT = 4 * 1024 * 1024;

/** A text on one line, with what may stand before it. */
const LITERAL = /^[\s(\\]*("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/;

/** A file with its functions. */
interface Module {
  readonly path: string;
  readonly text: string;
  /** By name, each with the lines below it. */
  readonly functions: ReadonlyMap<string, { readonly line: VyperLine; readonly body: readonly VyperLine[] }>;
  /** Reasons that are constants. */
  readonly constants: ReadonlyMap<string, string>;
  /** What an import is called here, with the file it leads to. */
  readonly imports: ReadonlyMap<string, string | undefined>;
}

/**
 * The `assert` or `raise` that reverted a call with a reason: in the function, in those of the contract and in those of its
 * modules that it calls. `undefined` where there is none, where several may have done it, and where a module can't be read.
 */
export async function vyperRevertStatement(
  { called }: RevertedCall,
  cause: RevertCause,
  reader: ProjectCode,
): Promise<DefinitionPlace | undefined> {
  if (cause.kind !== "reason") return undefined;
  const modules = await modulesOf(called.path, reader);
  const own = modules.get(called.path);
  const placeIn = own && placeFinder(own.path, own.text);
  const entry = [...(own?.functions ?? [])].find(
    ([name, { line }]) => placeIn?.(line.start + line.text.indexOf(name, 4)).line === called.line,
  );
  if (!own || !entry) return undefined;
  const open: (readonly [module: Module, name: string])[] = [[own, entry[0]]];
  const seen = new Set<string>();
  const sites: DefinitionPlace[] = [];
  // What is called meanwhile is added behind.
  for (const [module, name] of open) {
    const key = `${module.path} ${name}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const found = module.functions.get(name);
    if (!found) return undefined;
    const place = placeFinder(module.path, module.text);
    for (const line of found.body) {
      // What is put together by hand may be any reason.
      const raw = /\braw_revert\s*\(/.exec(line.text);
      if (raw) sites.push(place(line.start + raw.index));
      const site = siteIn(line, module, cause.reason);
      if (site !== undefined) sites.push(place(site));
      for (const [, owner = "", callee = ""] of line.text.matchAll(/(?<![\w.)\]])(\w+)\.(\w+)\s*\(/g)) {
        if (isOfAnother(line.text, owner)) continue;
        if (owner === "self") open.push([module, callee]);
        else if (module.imports.has(owner)) {
          const target = modules.get(module.imports.get(owner) ?? "");
          // Interfaces have no code, and a module that is not there may have any.
          if (!target) return undefined;
          if (target.functions.has(callee)) open.push([target, callee]);
        }
      }
    }
  }
  return sites.length === 1 ? sites[0] : undefined;
}

/** Whether a call on a line is made from outside, also where a contract calls itself. */
function isOfAnother(line: string, owner: string): boolean {
  return new RegExp(`\\b(?:extcall|staticcall)\\s+${owner}\\b`).test(line);
}

/** The offset of a statement that gives this reason, or may give it. */
function siteIn(
  { start, text }: VyperLine,
  { text: whole, constants }: Module,
  reason: string,
): number | undefined {
  const found = /(?:^\s*|:\s*)(assert|raise)\b/.exec(text);
  if (!found) return undefined;
  const at = found.index + found[0].length;
  const comma = found[1] === "assert" ? lastComma(text, at) : at - 1;
  if (comma === undefined) return undefined;
  // A text is a blank in the line, and blanks at its end are cut off.
  const expression = whole.slice(start + comma + 1);
  const literal = LITERAL.exec(expression)?.[1];
  const isWhole = text.slice(comma + 1).replace(/[()\s]/g, "") === "";
  const name = text.slice(comma + 1).trim();
  // Neither gives a reason.
  if (isWhole && literal === undefined) return undefined;
  if (name === "UNREACHABLE") return undefined;
  const given = isWhole && literal !== undefined ? textOf(literal) : constants.get(name);
  return given === undefined || given === reason ? start + at - (found[1] ?? "").length : undefined;
}

/** The last comma that no bracket encloses. */
function lastComma(text: string, from: number): number | undefined {
  let depth = 0;
  let comma: number | undefined;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
    else if (character === "," && depth === 0) comma = at;
  }
  return comma;
}

function textOf(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(x[0-9a-fA-F]{2}|[^])/g, (_, escape: string) =>
      escape.startsWith("x") && escape.length === 3
        ? String.fromCharCode(parseInt(escape.slice(1), 16))
        : escape === "n"
          ? "\n"
          : escape === "t"
            ? "\t"
            : escape,
    );
}

/** A file and all modules that it imports, by path. */
async function modulesOf(first: string, reader: ProjectCode): Promise<ReadonlyMap<string, Module>> {
  const modules = new Map<string, Module>();
  const asked = new Set([first]);
  let length = 0;
  for (const path of asked) {
    const text = await reader.read(path);
    length += text?.length ?? 0;
    if (text === undefined || length > MAX_TEXT || modules.size >= MAX_MODULES) continue;
    const imports = new Map<string, string | undefined>();
    for (const { path: written, alias } of importedModules(text)) {
      const target = await reader.resolve(written, path);
      imports.set(alias, target);
      if (target !== undefined) asked.add(target);
    }
    modules.set(path, { path, text, imports, ...functionsOf(text) });
  }
  return modules;
}

function functionsOf(text: string): Pick<Module, "functions" | "constants"> {
  const functions = new Map<string, { line: VyperLine; body: VyperLine[] }>();
  const constants = new Map<string, string>();
  let body: VyperLine[] | undefined;
  for (const line of logicalLines(text)) {
    if (line.isIndented) {
      body?.push(line);
      continue;
    }
    body = undefined;
    const name = /^def\s+(\w+)/.exec(line.text)?.[1];
    if (name !== undefined) {
      body = [];
      // What stands behind the colon on the same line is no statement of a compiler's.
      functions.set(name, { line, body });
      continue;
    }
    const constant = /^(\w+)\s*:\s*constant\s*\(\s*String\b[^=]*=/.exec(line.text);
    if (constant?.[1] === undefined) continue;
    const value = LITERAL.exec(text.slice(line.start + constant[0].length))?.[1];
    if (value !== undefined) constants.set(constant[1], textOf(value));
  }
  return { functions, constants };
}
