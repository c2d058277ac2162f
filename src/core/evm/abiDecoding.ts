import { bytesOfHex } from "./hex.ts";
import { AbiCoder, ErrorFragment, EventFragment, FunctionFragment, ParamType } from "ethers/abi";
import { foreignWhole } from "../text/shownText.ts";
import { isAbiOfSize } from "./abiEntry.ts";

/** A function or error: an item of a JSON ABI, or human-readable such as `function f(uint256 amount)`. */
export type AbiItem = string | Readonly<Record<string, unknown>>;

/** A decoded argument or result. */
export interface DecodedValue {
  readonly name?: string;
  /** `uint256`, `(address,bool)[]` */
  readonly type: string;
  /** Exact and in one line; hostile parts are visible. */
  readonly text: string;
  /** Where the addresses, the bytes and the integers in {@link text} are; missing where it has none, or is one itself. */
  readonly parts?: readonly ValuePart[];
}

/** An address, bytes of any length, or an integer within the text of a list or a struct. */
export interface ValuePart {
  readonly type: "address" | "bytes" | "integer";
  /** Where it begins in the text. */
  readonly at: number;
  readonly text: string;
}

/** A function or error and its arguments. */
export interface DecodedCall {
  readonly name: string;
  /** `transfer(address,uint256)` */
  readonly signature: string;
  readonly values: readonly DecodedValue[];
  /** The data is not what the definition says, so there are no values. */
  readonly isMalformed: boolean;
  /** Whether encoding the values again gives the data, which a chance hit on a selector does not. */
  readonly isCanonical: boolean;
}

/** Decodes by ABI. */
export interface AbiDecoder {
  /** The call or error in `data` (`0x`, selector, arguments); `undefined` when the selector is another's. */
  decode(item: AbiItem, data: string): DecodedCall | undefined;
  /**
   * The event of a log; `undefined` when its first topic is another event's, or when other parameters are indexed than the
   * definition says. Of an indexed parameter of a dynamic type only its hash is known, which then is the value.
   */
  decodeLog(item: AbiItem, topics: readonly string[], data: string): DecodedCall | undefined;
  /**
   * The event of a log of which only the signature is known, as collections of signatures have it: which parameters are
   * indexed is tried out: what counts gives the log again when it is encoded, and has the fewest numbers that look like addresses. `undefined`
   * where nothing does.
   *
   * @param signature `Transfer(address,address,uint256)`
   */
  decodeGuessedLog(signature: string, topics: readonly string[], data: string): DecodedCall | undefined;
  /** Whether a definition names results. */
  hasResults(item: AbiItem): boolean;
  /** What a function returned; `undefined` when the definition names no results or the data has others. */
  decodeResult(item: AbiItem, data: string): readonly DecodedValue[] | undefined;
}

let decoder: AbiDecoder | undefined;

/** The one decoder. The library behind this module (ethers) takes long to load: import it at the first need. */
export function abiDecoder(): AbiDecoder {
  return (decoder ??= newDecoder());
}

function newDecoder(): AbiDecoder {
  const coder = AbiCoder.defaultAbiCoder();

  // A string is decoded as the bytes that it is: one that is no UTF-8 must not take the other values with it.
  const asBytes = (type: ParamType) => ParamType.from(type.format("sighash").replace(/\bstring\b/g, "bytes"));

  const read = (item: AbiItem) => {
    if (!isAbiOfSize(item)) return undefined;
    const isError = typeof item === "string" ? /^\s*error\b/.test(item) : item["type"] === "error";
    try {
      const fragment = isError ? ErrorFragment.from(item) : FunctionFragment.from(item);
      const outputs = "outputs" in fragment ? fragment.outputs : [];
      return {
        name: fragment.name,
        selector: fragment.selector,
        signature: fragment.format("sighash"),
        inputs: { types: fragment.inputs, raw: fragment.inputs.map(asBytes) },
        outputs: { types: outputs, raw: outputs.map(asBytes) },
      };
    } catch {
      // Hostile or half an ABI: as good as none.
      return undefined;
    }
  };

  // One action after the other is of the same function, and reading its definition takes longer than decoding by it.
  let last: { readonly item: string; readonly found: ReturnType<typeof read> } | undefined;
  const readOnce = (item: AbiItem) => {
    if (typeof item !== "string") return read(item);
    if (last?.item !== item) last = { item, found: read(item) };
    return last.found;
  };

  const decodeRaw = ({ types, raw }: Parameters, hex: string) => {
    if (wordsOf(types) > MAX_WORDS) throw new RangeError("the types take more words than any call has");
    // The library takes fifteen times as long to make bytes of a text.
    return coder.decode(raw, bytesOfHex(hex) ?? hex);
  };

  const valuesOf = (types: readonly ParamType[], decoded: ArrayLike<unknown>): DecodedValue[] =>
    types.map((type, at) => ({
      ...(type.name !== "" && { name: foreignWhole(type.name) }),
      type: type.format("sighash"),
      ...textAndParts(type, decoded[at]),
    }));

  const readEvent = (item: AbiItem) => {
    if (!isAbiOfSize(item)) return undefined;
    try {
      return EventFragment.from(item);
    } catch {
      // Hostile or half an ABI: as good as none.
      return undefined;
    }
  };

  /** @param isIndexed of each parameter, whether a topic has it */
  const decodeEvent = (
    event: EventFragment,
    isIndexed: readonly boolean[],
    topics: readonly string[],
    data: string,
  ): DecodedCall => {
    const named = { name: foreignWhole(event.name), signature: event.format("sighash") };
    const hash = ParamType.from("bytes32");
    const indexed = event.inputs.filter((_input, at) => isIndexed[at] === true);
    // A topic has room for a word: of what is longer it has the hash.
    const inTopics = indexed.map((input) => (isOneWord(input) ? asBytes(input) : hash));
    const inData = event.inputs.filter((_input, at) => isIndexed[at] !== true);
    const plain = { types: inData, raw: inData.map(asBytes) };
    try {
      const words = topics
        .slice(1)
        .map((topic) => topic.slice(2))
        .join("");
      const fromTopics = coder.decode(inTopics, `0x${words}`);
      const fromData = decodeRaw(plain, data);
      let [topic, part] = [0, 0];
      const values = event.inputs.map((input, at): DecodedValue => {
        const value: unknown = isIndexed[at] === true ? fromTopics[topic++] : fromData[part++];
        const type = isIndexed[at] === true && !isOneWord(input) ? hash : input;
        return {
          ...(input.name !== "" && { name: foreignWhole(input.name) }),
          type: input.format("sighash"),
          ...textAndParts(type, value),
        };
      });
      const isCanonical =
        coder.encode(plain.raw, fromData) === data.toLowerCase() &&
        coder.encode(inTopics, fromTopics) === `0x${words}`.toLowerCase();
      return { ...named, values, isMalformed: false, isCanonical };
    } catch {
      return { ...named, values: [], isMalformed: true, isCanonical: false };
    }
  };

  return {
    decodeLog(item, topics, data) {
      const event = readEvent(item);
      if (!event || event.anonymous || event.topicHash !== topics[0]?.toLowerCase()) return undefined;
      const isIndexed = event.inputs.map((input) => input.indexed === true);
      return isIndexed.filter(Boolean).length === topics.length - 1
        ? decodeEvent(event, isIndexed, topics, data)
        : undefined;
    },
    decodeGuessedLog(signature, topics, data) {
      const event = readEvent(`event ${signature}`);
      if (event?.topicHash !== topics[0]?.toLowerCase() || !event) return undefined;
      let [tries, fewest, best]: [number, number, DecodedCall | undefined] = [0, Infinity, undefined];
      for (const isIndexed of choicesOf(event.inputs.length, topics.length - 1)) {
        if (++tries > MAX_GUESSES || fewest === 0) break;
        const decoded = decodeEvent(event, isIndexed, topics, data);
        const doubts = decoded.isCanonical ? decoded.values.filter(isDoubtful).length : Infinity;
        if (doubts < fewest) [fewest, best] = [doubts, decoded];
      }
      return best;
    },
    decode(item, data) {
      const found = readOnce(item);
      if (found?.selector !== data.slice(0, 10).toLowerCase()) return undefined;
      const { inputs, signature } = found;
      const named = { name: foreignWhole(found.name), signature };
      const body = `0x${data.slice(10)}`;
      try {
        const decoded = decodeRaw(inputs, body);
        const values = valuesOf(inputs.types, decoded);
        const isCanonical = coder.encode(inputs.raw, decoded) === body.toLowerCase();
        return { ...named, values, isMalformed: false, isCanonical };
      } catch {
        return { ...named, values: [], isMalformed: true, isCanonical: false };
      }
    },
    hasResults: (item) => (readOnce(item)?.outputs.types.length ?? 0) > 0,
    decodeResult(item, data) {
      const outputs = readOnce(item)?.outputs;
      if (!outputs || outputs.types.length === 0) return undefined;
      try {
        return valuesOf(outputs.types, decodeRaw(outputs, data));
      } catch {
        return undefined;
      }
    },
  };
}

/** The types of arguments or results, and those by which their data is taken apart. */
interface Parameters {
  readonly types: readonly ParamType[];
  readonly raw: readonly ParamType[];
}

/** Whether a value of this type is itself in a topic, and not its hash. */
function isOneWord(type: ParamType): boolean {
  return !type.isArray() && !type.isTuple() && type.baseType !== "string" && type.baseType !== "bytes";
}

/** An event has at most three indexed parameters, and few have more than ten in all. */
const MAX_GUESSES = 400;

/** A number of the size of an address more likely is one, under another parameter. */
function isDoubtful({ type, text }: DecodedValue): boolean {
  return /^uint\d*$/.test(type) && /^\d{36,49}$/.test(text) && BigInt(text) >> 160n === 0n;
}

/** Every choice of some out of many, the earliest first: of what is indexed, most events have their first parameters. */
function* choicesOf(many: number, some: number, from = 0): Generator<readonly boolean[]> {
  if (some < 0 || some > many - from) return;
  if (from === many) {
    yield [];
    return;
  }
  for (const rest of choicesOf(many, some - 1, from + 1)) yield [true, ...rest];
  for (const rest of choicesOf(many, some, from + 1)) yield [false, ...rest];
}

/** How many values a definition may ask for outright: one from elsewhere may want an array of a billion. */
const MAX_WORDS = 100_000;

/** How many words the heads of these types take. */
function wordsOf(types: readonly ParamType[]): number {
  return types.reduce((sum, type) => sum + headWords(type), 0);
}

function headWords(type: ParamType): number {
  if (type.isArray()) {
    return type.arrayLength === -1 ? 1 : type.arrayLength * Math.max(1, headWords(type.arrayChildren));
  }
  return type.isTuple() ? wordsOf(type.components) : 1;
}

/** A value as Solidity would write it: integers exact, bytes as hex, structs with their field names. */
function textAndParts(type: ParamType, value: unknown): Pick<DecodedValue, "text" | "parts"> {
  const parts: ValuePart[] = [];
  const pieces: string[] = [];
  let length = 0;
  const write = (text: string) => {
    pieces.push(text);
    length += text.length;
  };
  const writeValue = (of: ParamType, one: unknown) => {
    if (of.isArray()) {
      write("[");
      for (const [at, item] of [...(one as Iterable<unknown>)].entries()) {
        if (at > 0) write(", ");
        writeValue(of.arrayChildren, item);
      }
      write("]");
      return;
    }
    if (of.isTuple()) {
      write("(");
      for (const [at, item] of [...(one as Iterable<unknown>)].entries()) {
        const component = of.components[at];
        if (at > 0) write(", ");
        if (!component) continue;
        if (component.name !== "") write(`${foreignWhole(component.name)}: `);
        writeValue(component, item);
      }
      write(")");
      return;
    }
    const text = of.baseType === "string" ? stringText(String(one)) : foreignWhole(String(one));
    if (of.baseType === "address" || of.baseType === "bytes")
      parts.push({ type: of.baseType, at: length, text });
    else if (/^u?int/.test(of.baseType)) parts.push({ type: "integer", at: length, text });
    write(text);
  };
  writeValue(type, value);
  const isCompound = type.isArray() || type.isTuple();
  return { text: pieces.join(""), ...(isCompound && parts.length > 0 && { parts }) };
}

/** The text of a string's bytes, or the bytes when they are none. */
function stringText(hex: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOfHex(hex));
    return `"${foreignWhole(text)}"`;
  } catch {
    return hex;
  }
}
