import type { Random } from "../random.ts";

/** A type that may be written in some scope, and what may be done with it. */
interface KnownType {
  readonly name: string;
  readonly kind: "value" | "reference";
  readonly isMappingKey: boolean;
}

/** A constant that may be written as the length of an array. */
type Lengths = readonly [string, ...string[]];

const ELEMENTARY: readonly [KnownType, ...KnownType[]] = [
  ...["uint", "int", "uint8", "uint256", "int24", "bool", "address", "bytes32", "bytes4"].map((name) => ({
    name,
    kind: "value" as const,
    isMappingKey: true,
  })),
  { name: "string", kind: "reference", isMappingKey: true },
  { name: "bytes", kind: "reference", isMappingKey: true },
] as unknown as [KnownType, ...KnownType[]];

/** Text that looks like a declaration and is none. */
const DECOYS = [
  "/* function decoy(uint256) external; */",
  "// struct Decoy { uint256 decoy; }",
  "//// error Decoy(uint256); contract Decoy {",
  "/* import {Decoy} from './Decoy.sol'; } */",
] as const;

const BODIES = [
  "{}",
  "{ if (true) { } }",
  '{ string memory s = "} function decoy() external {"; s; }',
  "{ assembly { let x := 1 } /* } */ }",
  "{ // }\n    }",
] as const;

/**
 * A group of Solidity files that import each other in all the ways there are, with types of one used in another through
 * inheritance, aliases and modules. They compile with solc 0.8.28 and later.
 */
export function randomContracts(source: Random, folder: string): Record<string, string> {
  return new Generator(source, folder).files();
}

class Generator {
  readonly #random: Random;
  readonly #folder: string;
  #names = 0;

  constructor(source: Random, folder: string) {
    this.#random = source;
    this.#folder = folder;
  }

  files(): Record<string, string> {
    const { pick } = this.#random;
    const length = this.#name("LENGTH");
    const lengths: Lengths = [
      "2",
      "0x10",
      "1e1",
      length,
      `${length} * 2 + 1`,
      `2 * (${length} + 1)`,
      `2 ** ${length}`,
    ];
    const struct = this.#name("Order");
    const inner = this.#name("Part");
    const state = this.#name("State");
    const price = this.#name("Price");
    const remote = this.#name("IRemote");
    const failure = this.#name("Failed");
    const value = (name: string): KnownType => ({ name, kind: "value", isMappingKey: true });
    const reference = (name: string): KnownType => ({ name, kind: "reference", isMappingKey: false });
    const level0 = [...ELEMENTARY, value(state), value(price), value(remote)];
    const types = [
      `enum ${state} { ${["A", "B", "C"].map((one) => `${one}${this.#decoy()}`).join(", ")} }`,
      `type ${price} is ${pick(["uint128", "int64", "bytes8", "address"])};`,
      this.#struct(inner, level0, lengths),
      this.#struct(struct, [...level0, reference(inner)], lengths),
      `error ${failure}(${this.#list(2, (at) => `${this.#any([...level0, reference(struct)], lengths)} a${at}`)});`,
      `interface ${remote} {${this.#decoy()}\n${this.#functions([...level0, reference(struct)], lengths, "interface")}}`,
    ];
    // solc knows the value of a constant only behind it.
    const constant = `uint256 constant ${length} = ${pick(["3", "1 + 2", "0x03", "9 / 3"])};`;
    const shared = [constant, ...this.#shuffled(types)];
    // The base sees the types by some kind of import, under the names that it gives them.
    const [baseImport, seen] = this.#import("./Types.sol", [length, state, price, inner, struct, remote]);
    const baseTypes = [
      ...ELEMENTARY,
      value(seen(state)),
      value(seen(price)),
      value(seen(remote)),
      reference(seen(struct)),
    ];
    // solc takes no constant of a module for a length.
    const baseLengths: Lengths = seen(length).includes(".")
      ? ["3"]
      : ["3", seen(length), `${seen(length)} + 1`];
    const base = this.#name("Base");
    const own = this.#name("Own");
    const kept = this.#name("KEPT");
    const mode = this.#name("Mode");
    const inBase = [...baseTypes, reference(own), value(mode)];
    const baseContract = [
      `abstract contract ${base} {`,
      `uint256 ${pick(["internal", "public"])} constant ${kept} = 4;`,
      ...this.#shuffled([
        this.#struct(own, baseTypes, baseLengths),
        `enum ${mode} { On, Off }`,
        this.#functions(inBase, [kept, ...baseLengths], "abstract"),
        this.#variables(inBase, [kept, ...baseLengths]),
        this.#errorsAndEvents(inBase, baseLengths),
        `modifier ${this.#name("only")}(uint256 x) { require(x > 0); _; }`,
        `function inherited(uint256) public virtual {}`,
        `function shared(${seen(struct)} memory x) public virtual ${pick(["", "view"])} {}`,
      ]),
      "}",
    ];
    const main = this.#name("Main");
    const library = this.#name("Library");
    // The main file sees the base, and through it what the base inherits and imports.
    const [mainImport, seenByMain] = this.#import("./Base.sol", [base]);
    const inMain = [
      ...ELEMENTARY,
      reference(own),
      value(mode),
      value(`${seenByMain(base)}.${mode}`),
      reference(`${seenByMain(base)}.${own}`),
    ];
    const mapped = this.#name("Ledger");
    const mainFile = [
      mainImport,
      `library ${library} {`,
      `  struct ${mapped} { mapping(address => uint256) balances; uint256[] list; }`,
      this.#functions([...ELEMENTARY, reference(`${seenByMain(base)}.${own}`)], ["2"], "library"),
      `  function ${this.#name("f")}(${mapped} storage x, mapping(uint256 => ${mapped}) storage y) public {}`,
      `  function ${this.#name("f")}(uint256[] storage x, ${seenByMain(base)} y, ${seenByMain(base)}.${mode} z) external {}`,
      "}",
      `abstract contract ${main} is ${seenByMain(base)} {`,
      `  using ${library} for uint256;`,
      this.#functions(inMain, [kept, "5"], "contract"),
      this.#variables(inMain, [kept, "5"]),
      this.#errorsAndEvents(inMain, ["2"]),
      `  constructor(uint256 x) payable { x; }`,
      `  function inherited(uint256 x) public override virtual {}`,
      `  receive() external payable {}`,
      `  fallback() external {}`,
      "}",
      `abstract contract ${this.#name("Heir")} is ${seenByMain(base)}, ${main} { constructor() ${main}(1) {} function inherited(uint256 y) public override(${seenByMain(base)}, ${main}) {} }`,
      `contract ${this.#name("Alone")} layout at 2 ** 10 + 1 { uint256 public ${this.#name("v")}; }`,
    ];
    const header = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n";
    const file = (lines: readonly string[]) => header + lines.join(pick(["\n", "\r\n", "\n\n"])) + "\n";
    return {
      [`${this.#folder}/Types.sol`]: file(shared),
      [`${this.#folder}/Base.sol`]: file([baseImport, ...baseContract]),
      [`${this.#folder}/Main.sol`]: file(mainFile),
    };
  }

  #name(prefix: string): string {
    return `${prefix}${this.#random.pick(["", "_", "$"])}${++this.#names}`;
  }

  /** An import of some kind, and how it makes one write each name. */
  #import(path: string, names: readonly string[]): [string, (name: string) => string] {
    const { below } = this.#random;
    switch (below(4)) {
      case 0:
        return [`import "${path}";`, (name) => name];
      case 1: {
        const module = this.#name("module");
        const form = below(2) === 0 ? `"${path}" as ${module}` : `* as ${module} from "${path}"`;
        return [`import ${form};`, (name) => `${module}.${name}`];
      }
      case 2:
        return [`import {${names.join(", ")}} from '${path}';`, (name) => name];
      default: {
        const local = new Map(names.map((name) => [name, this.#name("Local")]));
        const list = names
          .map((name) => `${name} as ${local.get(name) ?? name}${this.#decoy()}`)
          .join(",\n  ");
        return [`import {\n  ${list}\n} from "${path}";`, (name) => local.get(name) ?? name];
      }
    }
  }

  #decoy(): string {
    const { below, pick } = this.#random;
    return below(4) === 0 ? `\n  ${pick(DECOYS)}\n` : "";
  }

  #shuffled(parts: readonly string[]): string[] {
    return parts
      .map((part) => ({ part, at: this.#random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ part }) => part + this.#decoy());
  }

  #list(max: number, item: (at: number) => string): string {
    return Array.from({ length: this.#random.below(max + 1) }, (_, at) => item(at)).join(
      `,${this.#decoy()} `,
    );
  }

  /** A type without mappings. */
  #any(types: readonly KnownType[], lengths: readonly string[]): string {
    const { below } = this.#random;
    let name = types[below(types.length)]?.name ?? "uint";
    while (below(4) === 0) name += below(2) === 0 ? "[]" : `[${lengths[below(lengths.length)] ?? "2"}]`;
    return name;
  }

  #isReference(type: string, types: readonly KnownType[]): boolean {
    return type.endsWith("]") || types.find(({ name }) => name === type)?.kind === "reference";
  }

  #located(type: string, types: readonly KnownType[], locations: readonly [string, ...string[]]): string {
    return this.#isReference(type, types) ? `${type} ${this.#random.pick(locations)}` : type;
  }

  #struct(name: string, types: readonly KnownType[], lengths: readonly string[]): string {
    const members = Array.from(
      { length: this.#random.below(3) },
      (_, at) => `  ${this.#any(types, lengths)} m${at};${this.#decoy()}`,
    );
    // A getter needs something that it can give.
    return `struct ${name} {\n  uint8 first;\n${members.join("\n")}\n}`;
  }

  #functions(
    types: readonly KnownType[],
    lengths: readonly string[],
    owner: "interface" | "abstract" | "contract" | "library",
  ): string {
    const { below, pick } = this.#random;
    const functions = Array.from({ length: 1 + below(4) }, () => {
      const visibility =
        owner === "interface" ? "external" : pick(["external", "public", "internal", "private"]);
      const isExternal = visibility === "external";
      const isUnimplemented =
        owner === "interface" || (owner === "abstract" && visibility !== "private" && below(3) === 0);
      const locations: [string, ...string[]] = isExternal ? ["memory", "calldata"] : ["memory"];
      const one = (at: number, prefix: string) => {
        const type = this.#located(this.#any(types, lengths), types, prefix === "r" ? ["memory"] : locations);
        return `${type}${below(4) === 0 ? "" : ` ${prefix}${at}`}`;
      };
      const inputs = this.#list(3, (at) => one(at, "a"));
      const results = this.#list(2, (at) => one(at, "r"));
      const words = this.#shuffledWords([
        visibility,
        owner === "library" ? pick(["", "view", "pure"]) : pick(["", "view", "pure", "payable"]),
        isUnimplemented && owner !== "interface" ? "virtual" : "",
      ]);
      const mutability =
        words.includes("payable") && !/external|public/.test(words) ? words.replace("payable", "") : words;
      const returns = results === "" ? "" : `returns (${results})`;
      const body = isUnimplemented ? ";" : pick(BODIES);
      const canHaveBody = !/pure|view/.test(mutability) ? body : body === ";" ? ";" : "{}";
      return `  function ${this.#name("f")}(${inputs})${this.#decoy()} ${mutability} ${returns} ${canHaveBody}`;
    });
    return `${functions.join("\n")}\n`;
  }

  #shuffledWords(words: readonly string[]): string {
    return words
      .map((word) => ({ word, at: this.#random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ word }) => word)
      .join(" ");
  }

  #variables(types: readonly KnownType[], lengths: readonly string[]): string {
    const { below, pick } = this.#random;
    const variables = Array.from({ length: 1 + below(3) }, () => {
      let type = this.#any(types, lengths);
      while (below(3) === 0) {
        const keys = types.filter(({ isMappingKey }) => isMappingKey);
        const key = keys[below(keys.length)]?.name ?? "address";
        const named = (prefix: string) => (below(2) === 0 ? "" : ` ${this.#name(prefix)}`);
        type = `mapping(${key}${named("key")} => ${type}${named("value")})${pick(["", "[]", "[3]"])}`;
      }
      return `  ${type} ${pick(["public", "public", "internal", "private", ""])} ${this.#name("v")};`;
    });
    const callback = `  function (uint256) external returns (bool) ${pick(["public", "internal"])} ${this.#name("v")};`;
    const constant = `  string public constant ${this.#name("TEXT")} = "} function decoy(uint256) external { //";`;
    return [...variables, callback, constant].join("\n");
  }

  #errorsAndEvents(types: readonly KnownType[], lengths: readonly string[]): string {
    const parameter = (at: number, indexed: string) => `${this.#any(types, lengths)}${indexed} p${at}`;
    return [
      `  error ${this.#name("Refused")}(${this.#list(3, (at) => parameter(at, ""))});`,
      `  event ${this.#name("Happened")}(${this.#list(3, (at) => parameter(at, this.#random.pick(["", " indexed"])))})${this.#random.pick(["", " anonymous"])};`,
    ].join("\n");
  }
}
