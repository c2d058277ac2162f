import type { EvmVersion } from "./evmVersion.ts";

interface Opcode {
  readonly name: string;
  /** Words taken from the stack. */
  readonly pops: number;
  /** Words put on the stack. */
  readonly pushes: number;
  readonly since: EvmVersion;
}

export const STOP = 0x00;
export const ADD = 0x01;
export const CODECOPY = 0x39;
export const POP = 0x50;
export const MLOAD = 0x51;
export const MSTORE = 0x52;
export const SLOAD = 0x54;
export const JUMP = 0x56;
export const JUMPI = 0x57;
export const JUMPDEST = 0x5b;
export const PUSH0 = 0x5f;
const PUSH1 = 0x60;
export const PUSH4 = 0x63;
export const PUSH20 = 0x73;
export const PUSH32 = 0x7f;
export const DUP1 = 0x80;
export const SWAP1 = 0x90;
export const CREATE = 0xf0;
export const RETURN = 0xf3;
export const DELEGATECALL = 0xf4;
export const CREATE2 = 0xf5;
export const REVERT = 0xfd;
export const INVALID = 0xfe;
const SELFDESTRUCT = 0xff;

const TABLE = new Map<number, Opcode>();

function define(since: EvmVersion, definitions: string): void {
  for (const definition of definitions.trim().split(/\s+/)) {
    const [code = "", name = "", stack = ""] = definition.split(":");
    const [pops = 0, pushes = 0] = stack.split("/").map(Number);
    TABLE.set(Number.parseInt(code, 16), { name, pops, pushes, since });
  }
}

// The instruction set of the Yellow Paper (appendix H.2) and of the EIPs that extended it; each entry is
// code:name:words taken/words put.
define(
  "homestead",
  `00:STOP:0/0 01:ADD:2/1 02:MUL:2/1 03:SUB:2/1 04:DIV:2/1 05:SDIV:2/1 06:MOD:2/1 07:SMOD:2/1 08:ADDMOD:3/1
   09:MULMOD:3/1 0a:EXP:2/1 0b:SIGNEXTEND:2/1 10:LT:2/1 11:GT:2/1 12:SLT:2/1 13:SGT:2/1 14:EQ:2/1 15:ISZERO:1/1
   16:AND:2/1 17:OR:2/1 18:XOR:2/1 19:NOT:1/1 1a:BYTE:2/1 20:KECCAK256:2/1 30:ADDRESS:0/1 31:BALANCE:1/1
   32:ORIGIN:0/1 33:CALLER:0/1 34:CALLVALUE:0/1 35:CALLDATALOAD:1/1 36:CALLDATASIZE:0/1 37:CALLDATACOPY:3/0
   38:CODESIZE:0/1 39:CODECOPY:3/0 3a:GASPRICE:0/1 3b:EXTCODESIZE:1/1 3c:EXTCODECOPY:4/0 40:BLOCKHASH:1/1
   41:COINBASE:0/1 42:TIMESTAMP:0/1 43:NUMBER:0/1 44:PREVRANDAO:0/1 45:GASLIMIT:0/1 50:POP:1/0 51:MLOAD:1/1
   52:MSTORE:2/0 53:MSTORE8:2/0 54:SLOAD:1/1 55:SSTORE:2/0 56:JUMP:1/0 57:JUMPI:2/0 58:PC:0/1 59:MSIZE:0/1
   5a:GAS:0/1 5b:JUMPDEST:0/0 f0:CREATE:3/1 f1:CALL:7/1 f2:CALLCODE:7/1 f3:RETURN:2/0 f4:DELEGATECALL:6/1
   fe:INVALID:0/0 ff:SELFDESTRUCT:1/0`,
);
// EIP-211, EIP-214, EIP-140.
define("byzantium", "3d:RETURNDATASIZE:0/1 3e:RETURNDATACOPY:3/0 fa:STATICCALL:6/1 fd:REVERT:2/0");
// EIP-145, EIP-1052, EIP-1014.
define("constantinople", "1b:SHL:2/1 1c:SHR:2/1 1d:SAR:2/1 3f:EXTCODEHASH:1/1 f5:CREATE2:4/1");
// EIP-1344, EIP-1884.
define("istanbul", "46:CHAINID:0/1 47:SELFBALANCE:0/1");
// EIP-3198.
define("london", "48:BASEFEE:0/1");
// EIP-3855.
define("shanghai", "5f:PUSH0:0/1");
// EIP-4844, EIP-7516, EIP-1153, EIP-5656.
define("cancun", "49:BLOBHASH:1/1 4a:BLOBBASEFEE:0/1 5c:TLOAD:1/1 5d:TSTORE:2/0 5e:MCOPY:3/0");
// EIP-7939.
define("osaka", "1e:CLZ:1/1");
for (let size = 1; size <= 32; size++) define("homestead", `${(PUSH0 + size).toString(16)}:PUSH${size}:0/1`);
for (let depth = 1; depth <= 16; depth++) {
  define("homestead", `${(DUP1 + depth - 1).toString(16)}:DUP${depth}:${depth}/${depth + 1}`);
  define("homestead", `${(SWAP1 + depth - 1).toString(16)}:SWAP${depth}:${depth + 1}/${depth + 1}`);
}
for (let topics = 0; topics <= 4; topics++)
  define("homestead", `${(0xa0 + topics).toString(16)}:LOG${topics}:${topics + 2}/0`);

/** The opcode of a byte, or `undefined` for one that no EVM version defines. */
export function opcodeOf(byte: number): Opcode | undefined {
  return TABLE.get(byte);
}

/** The opcode's name; a byte that is none is shown as it is. */
export function opcodeName(byte: number): string {
  return TABLE.get(byte)?.name ?? `0x${byte.toString(16).padStart(2, "0")}`;
}

/** The EVM version that brought the instruction of a name, or `undefined` where no instruction has it. */
export function evmVersionOf(name: string): EvmVersion | undefined {
  for (const opcode of TABLE.values()) if (opcode.name === name) return opcode.since;
  return undefined;
}

/** Bytes of data that follow the opcode: 0 except for PUSH1 to PUSH32. */
export function pushSize(byte: number): number {
  return byte >= PUSH1 && byte <= PUSH32 ? byte - PUSH0 : 0;
}

/** True for PUSH0 to PUSH32. */
export function isPush(byte: number): boolean {
  return byte >= PUSH0 && byte <= PUSH32;
}

/** True where execution never goes on at the next byte. */
export function endsBlock(byte: number): boolean {
  return (
    byte === STOP ||
    byte === JUMP ||
    byte === RETURN ||
    byte === REVERT ||
    byte === INVALID ||
    byte === SELFDESTRUCT ||
    !TABLE.has(byte)
  );
}
