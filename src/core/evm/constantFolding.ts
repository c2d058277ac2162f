const WORD = 1n << 256n;

/** The value of an operation on constants, in the order of the stack: `a` is its top; `undefined` for one that is not folded. */
export function fold(opcode: number, a: bigint, b: bigint): bigint | undefined {
  switch (opcode) {
    case 0x01:
      return (a + b) % WORD;
    case 0x02:
      return (a * b) % WORD;
    case 0x03:
      return (a - b + WORD) % WORD;
    case 0x04:
      return b === 0n ? 0n : a / b;
    case 0x06:
      return b === 0n ? 0n : a % b;
    case 0x0a:
      return b > 256n ? undefined : power(a, b);
    case 0x10:
      return a < b ? 1n : 0n;
    case 0x11:
      return a > b ? 1n : 0n;
    case 0x14:
      return a === b ? 1n : 0n;
    case 0x15:
      return a === 0n ? 1n : 0n;
    case 0x16:
      return a & b;
    case 0x17:
      return a | b;
    case 0x18:
      return a ^ b;
    case 0x19:
      return WORD - 1n - a;
    case 0x1b:
      return a > 255n ? 0n : (b << a) % WORD;
    case 0x1c:
      return a > 255n ? 0n : b >> a;
    default:
      return undefined;
  }
}

function power(base: bigint, exponent: bigint): bigint {
  let value = 1n;
  for (let at = 0n; at < exponent; at++) value = (value * base) % WORD;
  return value;
}
