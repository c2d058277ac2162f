// Reads of a compiled Java class what its static initialiser does, and its constants (The Java Virtual Machine
// Specification, chapters 4 and 6).

/** Bytes that an instruction of a static initialiser has behind its opcode, where it has any; one that is not here has none. */
const OPERANDS = new Map([
  // bipush, ldc, loads and stores of a local variable, ret, newarray
  ...[0x10, 0x12, ...range(0x15, 0x19), ...range(0x36, 0x3a), 0xa9, 0xbc].map((opcode) => [opcode, 1]),
  // sipush, ldc_w, ldc2_w, iinc, jumps, fields and methods, new, anewarray, checkcast, instanceof, ifnull, ifnonnull
  ...[
    0x11,
    0x13,
    0x14,
    0x84,
    ...range(0x99, 0xa8),
    ...range(0xb2, 0xb8),
    0xbb,
    0xbd,
    0xc0,
    0xc1,
    0xc6,
    0xc7,
  ].map((opcode) => [opcode, 2]),
  // multianewarray
  [0xc5, 3],
  // invokeinterface, invokedynamic, goto_w, jsr_w
  ...[0xb9, 0xba, 0xc8, 0xc9].map((opcode) => [opcode, 4]),
]);

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/**
 * @param {Buffer} bytes of a `.class` file
 * @returns its constants by the names of their fields, and of the instructions of its static initialiser those that load a
 *   string (`text`), or name a field or method (`member`: `name:descriptor` behind the class)
 * @throws {Error} where the file is no class, or has an instruction that no static initialiser needs
 */
export function readClass(bytes) {
  if (bytes.length < 10 || bytes.readUInt32BE(0) !== 0xcafebabe) throw new Error("this is no class");
  const pool = [undefined];
  let at = 8;
  const take = (size) => {
    at += size;
    return bytes.readUIntBE(at - size, size);
  };
  const entries = take(2);
  while (pool.length < entries) {
    const tag = take(1);
    if (tag === 1) {
      const length = take(2);
      pool.push({ tag, text: bytes.toString("utf8", at, (at += length)) });
    } else if (tag === 3) {
      pool.push({ tag, number: bytes.readInt32BE(at) });
      at += 4;
    } else if ([7, 8, 16, 19, 20].includes(tag)) pool.push({ tag, one: take(2) });
    else if ([4, 9, 10, 11, 12, 17, 18].includes(tag)) pool.push({ tag, one: take(2), other: take(2) });
    else if (tag === 15) pool.push({ tag, one: take(1), other: take(2) });
    // A long or double counts as two.
    else if ((tag === 5 || tag === 6) && (at += 8)) pool.push({ tag }, undefined);
    else throw new Error(`a constant of the unknown kind ${tag}`);
  }
  const text = (index) => pool[index].text ?? text(pool[index].one);
  const member = ({ one, other }) => `${text(one)}.${text(pool[other].one)}:${text(pool[other].other)}`;

  at += 6;
  const interfaces = take(2);
  at += 2 * interfaces;
  const constants = new Map();
  let code = Buffer.alloc(0);
  for (const kind of ["field", "method"])
    for (let left = take(2); left > 0; left--) {
      at += 2;
      const [name] = [text(take(2)), take(2)];
      for (let attributes = take(2); attributes > 0; attributes--) {
        const attribute = text(take(2));
        const length = take(4);
        if (kind === "field" && attribute === "ConstantValue") {
          const value = pool[bytes.readUInt16BE(at)];
          constants.set(name, value.tag === 8 ? text(value.one) : value.number);
        }
        if (name === "<clinit>" && attribute === "Code")
          code = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at + 4));
        at += length;
      }
    }

  const instructions = [];
  for (let here = 0; here < code.length;) {
    const opcode = code[here];
    // Switches and wide variables have lengths of their own.
    if ([0xaa, 0xab, 0xc4].includes(opcode)) throw new Error("an initialiser that branches by a switch");
    const size = OPERANDS.get(opcode) ?? 0;
    const constant = size === 0 ? undefined : pool[code.readUIntBE(here + 1, Math.min(size, 2))];
    if ((opcode === 0x12 || opcode === 0x13) && constant?.tag === 8)
      instructions.push({ text: text(constant.one) });
    else if (opcode >= 0xb2 && opcode <= 0xb9) instructions.push({ member: member(constant) });
    here += 1 + size;
  }
  return { constants, instructions };
}
