import type { ProjectCode } from "../reverted.ts";
import {
  codeFile,
  type CodeBlock,
  type CodeContract,
  type CodeError,
  type CodeFile,
  type CodeToken,
} from "./codeOutline.ts";

/** Of a contract's closure: far more than any contract imports. */
const MAX_FILES = 300;
/** UTF-16 units of all of them. */
const MAX_TEXT = 8 * 1024 * 1024;

/** What a name stands for. */
type Named =
  | { readonly kind: "contract"; readonly contract: CodeContract }
  | { readonly kind: "function"; readonly block: CodeBlock }
  | { readonly kind: "error"; readonly error: CodeError }
  | { readonly kind: "constant"; readonly value: readonly CodeToken[]; readonly file: CodeFile }
  | { readonly kind: "module"; readonly file: CodeFile };

/** Files with all that they import, and what a name stands for in each. */
export class CodeClosure {
  readonly #files = new Map<string, CodeFile>();
  /** Where an import leads, by importer and path. */
  readonly #imports = new Map<string, CodeFile>();

  /** Reads files and what they import. */
  static async of(paths: readonly string[], reader: ProjectCode): Promise<CodeClosure> {
    const closure = new CodeClosure();
    await closure.#read(paths, reader);
    return closure;
  }

  get files(): Iterable<CodeFile> {
    return this.#files.values();
  }

  file(path: string): CodeFile | undefined {
    return this.#files.get(path);
  }

  /** All that a name stands for in a file: functions may have several of a name. */
  named(file: CodeFile, name: string, seen = new Set<string>()): Named[] {
    const question = `${file.path}\n${name}`;
    if (seen.has(question)) return [];
    seen.add(question);
    const constant = file.constants.get(name);
    const own: Named[] = [
      ...file.contracts
        .filter((one) => one.name === name)
        .map((contract) => ({ kind: "contract", contract }) as const),
      ...file.blocks
        .filter((one) => one.name === name)
        .map((block) => ({ kind: "function", block }) as const),
      ...file.errors.filter((one) => one.name === name).map((error) => ({ kind: "error", error }) as const),
      ...(constant ? [{ kind: "constant", value: constant, file } as const] : []),
    ];
    const imported = file.imports.flatMap((declaration): Named[] => {
      const target = this.#imports.get(`${file.path}\n${declaration.path}`);
      if (!target) return [];
      if (declaration.alias !== undefined)
        return declaration.alias === name ? [{ kind: "module", file: target }] : [];
      if (!declaration.names) return this.named(target, name, seen);
      return declaration.names
        .filter(({ local }) => local === name)
        .flatMap((one) => this.named(target, one.name, seen));
    });
    return [...own, ...imported];
  }

  /** The same for `A.b`, where `A` is a module or a contract. */
  namedPath(file: CodeFile, path: string): Named[] {
    const [first = "", ...rest] = path.split(".");
    return rest.reduce<Named[]>(
      (found, name) =>
        found.flatMap((one) => {
          if (one.kind === "module") return this.named(one.file, name);
          return one.kind === "contract" ? this.#member(one.contract, name) : [];
        }),
      this.named(file, first),
    );
  }

  /** The contract of a name, where it stands for one. */
  contract(file: CodeFile, path: string): CodeContract | undefined {
    return this.namedPath(file, path).flatMap((one) => (one.kind === "contract" ? [one.contract] : []))[0];
  }

  /**
   * A contract and all that it inherits from, the most derived first, as solc linearises them (docs/contracts.rst, "Multiple
   * Inheritance and Linearization").
   *
   * @returns `undefined` where a base is not there
   */
  linearised(contract: CodeContract, depth = 0): CodeContract[] | undefined {
    if (depth > 64) return undefined;
    const lists: CodeContract[][] = [];
    const direct: CodeContract[] = [];
    for (const name of [...contract.bases].reverse()) {
      const base = this.contract(contract.file, name);
      const list = base && this.linearised(base, depth + 1);
      if (!base || !list) return undefined;
      direct.push(base);
      lists.push(list);
    }
    const merged = [contract];
    const left = [...lists, direct].map((list) => [...list]);
    while (left.some((list) => list.length > 0)) {
      const head = left
        .map(([first]) => first)
        .find((one) => one && left.every((list) => !list.slice(1).includes(one)));
      if (!head) return undefined;
      merged.push(head);
      for (const list of left) if (list[0] === head) list.shift();
    }
    return merged;
  }

  #member({ errors, constants, blocks, file }: CodeContract, name: string): Named[] {
    const value = constants.get(name);
    return [
      ...errors.filter((one) => one.name === name).map((error) => ({ kind: "error", error }) as const),
      ...blocks.filter((one) => one.name === name).map((block) => ({ kind: "function", block }) as const),
      ...(value ? [{ kind: "constant", value, file } as const] : []),
    ];
  }

  async #read(paths: readonly string[], reader: ProjectCode): Promise<void> {
    const asked = new Set(paths);
    const targets: (readonly [question: string, path: string])[] = [];
    let length = 0;
    for (const path of asked) {
      const text = await reader.read(path);
      length += text?.length ?? 0;
      if (text === undefined || length > MAX_TEXT || this.#files.size >= MAX_FILES) continue;
      const file = codeFile(path, text);
      this.#files.set(path, file);
      for (const declaration of file.imports) {
        const target = await reader.resolve(declaration.path, path);
        if (target === undefined) continue;
        asked.add(target);
        targets.push([`${path}\n${declaration.path}`, target]);
      }
    }
    for (const [question, target] of targets) {
      const file = this.#files.get(target);
      if (file) this.#imports.set(question, file);
    }
  }
}
