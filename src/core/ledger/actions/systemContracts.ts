import { selectorNumber, signatureOfText } from "../../evm/abiEntry.ts";
import { fromLongZeroAddress } from "../references/entityId.ts";

/** A contract that is part of the network. */
interface SystemContract {
  readonly name: string;
  /** A precompiled contract of the EVM has no functions: its input is data. */
  readonly kind: "hedera" | "precompile";
}

const CONTRACTS: Readonly<Record<number, string>> = {
  0x167: "Hedera Token Service",
  0x168: "Exchange Rate",
  0x169: "Pseudorandom Number Generator",
  0x16a: "Hedera Account Service",
  0x16b: "Hedera Schedule Service",
  0x16c: "Hedera Token Service (0x16c)",
};

const PRECOMPILES: Readonly<Record<number, string>> = {
  0x01: "ecrecover",
  0x02: "sha256",
  0x03: "ripemd160",
  0x04: "identity",
  0x05: "modexp",
  0x06: "ecAdd",
  0x07: "ecMul",
  0x08: "ecPairing",
  0x09: "blake2f",
  0x0a: "pointEvaluation",
  0x0b: "bls12G1Add",
  0x0c: "bls12G1Msm",
  0x0d: "bls12G2Add",
  0x0e: "bls12G2Msm",
  0x0f: "bls12PairingCheck",
  0x10: "bls12MapFpToG1",
  0x11: "bls12MapFp2ToG2",
  0x100: "p256Verify",
};

/** The system contract or precompile at an address. */
export function systemContractAt(address: string | undefined): SystemContract | undefined {
  const id = address === undefined ? undefined : fromLongZeroAddress(address);
  if (id?.shard !== 0 || id.realm !== 0) return undefined;
  const hedera = CONTRACTS[id.num];
  if (hedera !== undefined) return { name: hedera, kind: "hedera" };
  const precompile = PRECOMPILES[id.num];
  return precompile === undefined ? undefined : { name: precompile, kind: "precompile" };
}

/** Whether the contract answers with a response code in its first word. */
export function answersWithResponseCode(address: string | undefined): boolean {
  const { shard, realm, num } = (address === undefined ? undefined : fromLongZeroAddress(address)) ?? {};
  if (shard !== 0 || realm !== 0) return false;
  return num === 0x167 || num === 0x16b || num === 0x16c;
}

/**
 * Functions of the system contracts (hashgraph/hedera-smart-contracts, contracts/system-contracts) and of the
 * facades that tokens have (ERC-20, ERC-721, HRC-719), as human-readable ABI.
 */
const FUNCTIONS = `
transferToken(address token, address sender, address recipient, int64 amount) returns (int64 responseCode)
transferTokens(address token, address[] accounts, int64[] amounts) returns (int64 responseCode)
transferNFT(address token, address sender, address recipient, int64 serialNumber) returns (int64 responseCode)
transferNFTs(address token, address[] senders, address[] receivers, int64[] serialNumbers) returns (int64 responseCode)
transferFrom(address token, address from, address to, uint256 amount) returns (int64 responseCode)
transferFromNFT(address token, address from, address to, uint256 serialNumber) returns (int64 responseCode)
associateToken(address account, address token) returns (int64 responseCode)
associateTokens(address account, address[] tokens) returns (int64 responseCode)
dissociateToken(address account, address token) returns (int64 responseCode)
dissociateTokens(address account, address[] tokens) returns (int64 responseCode)
mintToken(address token, int64 amount, bytes[] metadata) returns (int64 responseCode, int64 newTotalSupply, int64[] serialNumbers)
mintToken(address token, uint64 amount, bytes[] metadata) returns (int64 responseCode, uint64 newTotalSupply, int64[] serialNumbers)
burnToken(address token, int64 amount, int64[] serialNumbers) returns (int64 responseCode, int64 newTotalSupply)
burnToken(address token, uint64 amount, int64[] serialNumbers) returns (int64 responseCode, uint64 newTotalSupply)
approve(address token, address spender, uint256 amount) returns (int64 responseCode)
approveNFT(address token, address approved, uint256 serialNumber) returns (int64 responseCode)
allowance(address token, address owner, address spender) returns (int64 responseCode, uint256 allowance)
getApproved(address token, uint256 serialNumber) returns (int64 responseCode, address approved)
isApprovedForAll(address token, address owner, address operator) returns (int64 responseCode, bool approved)
setApprovalForAll(address token, address operator, bool approved) returns (int64 responseCode)
isFrozen(address token, address account) returns (int64 responseCode, bool frozen)
isKyc(address token, address account) returns (int64 responseCode, bool kycGranted)
isToken(address token) returns (int64 responseCode, bool isToken)
getTokenType(address token) returns (int64 responseCode, int32 tokenType)
getTokenDefaultFreezeStatus(address token) returns (int64 responseCode, bool frozen)
getTokenDefaultKycStatus(address token) returns (int64 responseCode, bool kycGranted)
getTokenInfo(address token)
getFungibleTokenInfo(address token)
getNonFungibleTokenInfo(address token, int64 serialNumber)
getTokenCustomFees(address token)
getTokenExpiryInfo(address token)
getTokenKey(address token, uint256 keyType)
grantTokenKyc(address token, address account) returns (int64 responseCode)
revokeTokenKyc(address token, address account) returns (int64 responseCode)
freezeToken(address token, address account) returns (int64 responseCode)
unfreezeToken(address token, address account) returns (int64 responseCode)
pauseToken(address token) returns (int64 responseCode)
unpauseToken(address token) returns (int64 responseCode)
deleteToken(address token) returns (int64 responseCode)
wipeTokenAccount(address token, address account, int64 amount) returns (int64 responseCode)
wipeTokenAccountNFT(address token, address account, int64[] serialNumbers) returns (int64 responseCode)
cryptoTransfer((address token, (address accountID, int64 amount)[] transfers, (address senderAccountID, address receiverAccountID, int64 serialNumber)[] nftTransfers)[] tokenTransfers) returns (int64 responseCode)
redirectForToken(address token, bytes encodedFunctionSelector) returns (int64 responseCode, bytes response)
tinycentsToTinybars(uint256 tinycents) returns (uint256 tinybars)
tinybarsToTinycents(uint256 tinybars) returns (uint256 tinycents)
getPseudorandomSeed() returns (bytes32 seed)
hbarAllowance(address owner, address spender) returns (int64 responseCode, int256 amount)
hbarApprove(address owner, address spender, int256 amount) returns (int64 responseCode)
isAuthorizedRaw(address account, bytes messageHash, bytes signature) returns (bool authorized)
isAuthorized(address account, bytes message, bytes signature) returns (int64 responseCode, bool authorized)
setUnlimitedAutomaticAssociations(bool enableAutoAssociations) returns (int64 responseCode)
getEvmAddressAlias(address accountNumAlias) returns (int64 responseCode, address evmAddressAlias)
getHederaAccountNumAlias(address evmAddressAlias) returns (int64 responseCode, address accountNumAlias)
isValidAlias(address addr) returns (bool valid)
authorizeSchedule(address schedule) returns (int64 responseCode)
signSchedule(address schedule, bytes signatureMap) returns (int64 responseCode)
signSchedule() returns (int64 responseCode)
deleteSchedule(address schedule) returns (int64 responseCode)
deleteSchedule() returns (int64 responseCode)
scheduleNative(address systemContract, bytes callData, address payer) returns (int64 responseCode, address schedule)
scheduleCall(address to, uint256 expirySecond, uint256 gasLimit, uint64 value, bytes callData) returns (int64 responseCode, address schedule)
name() returns (string)
symbol() returns (string)
decimals() returns (uint8)
totalSupply() returns (uint256)
balanceOf(address account) returns (uint256)
ownerOf(uint256 tokenId) returns (address)
tokenURI(uint256 tokenId) returns (string)
transfer(address to, uint256 amount) returns (bool)
transferFrom(address from, address to, uint256 amountOrId) returns (bool)
approve(address spender, uint256 amountOrId) returns (bool)
allowance(address owner, address spender) returns (uint256)
getApproved(uint256 tokenId) returns (address)
isApprovedForAll(address owner, address operator) returns (bool)
setApprovalForAll(address operator, bool approved)
associate() returns (uint256 responseCode)
dissociate() returns (uint256 responseCode)
isAssociated() returns (bool associated)
`;

let bySelector: ReadonlyMap<string, string> | undefined;

/** The human-readable ABI of a system contract's or token facade's function. */
export function systemFunction(selector: string): string | undefined {
  bySelector ??= new Map(
    FUNCTIONS.trim()
      .split("\n")
      .map((text) => [
        `0x${selectorNumber(signatureOfText(text)).toString(16).padStart(8, "0")}`,
        `function ${text}`,
      ]),
  );
  return bySelector.get(selector);
}

/** A call that was handed on to a token: `redirectForToken` packs the token's address and the inner call. */
interface RedirectedCall {
  /** 20 bytes, with `0x`. */
  readonly token: string;
  /** The call to the token, with `0x`. */
  readonly input: string;
}

/**
 * Unpacks `redirectForToken(address,bytes)` (HIP-218): selector, 20 bytes of address, inner call data, without
 * the ABI's padding. The padded form is accepted as well; `undefined` for any other input.
 */
export function unpackRedirect(input: unknown): RedirectedCall | undefined {
  const digits =
    typeof input === "string" && /^0x618dc65e[0-9a-f]*$/i.test(input) ? input.slice(10).toLowerCase() : "";
  if (digits.length < 40) return undefined;
  const isPadded = digits.startsWith("0".repeat(24)) && digits.slice(64, 128) === "40".padStart(64, "0");
  if (!isPadded) return { token: `0x${digits.slice(0, 40)}`, input: `0x${digits.slice(40)}` };
  const length = Number(`0x${digits.slice(128, 192) || "0"}`);
  const inner = digits.slice(192, 192 + Math.min(length, digits.length) * 2);
  return { token: `0x${digits.slice(24, 64)}`, input: `0x${inner}` };
}

/**
 * What a call that was handed on returned, where the answer is that of `redirectForToken` itself: a response code and the
 * bytes of the result, and nothing behind them; `undefined` for any other answer.
 */
export function unpackRedirectResult(data: string): string | undefined {
  const digits = data.slice(2);
  if (!/^0{60}/.test(digits) || digits.slice(64, 128) !== "40".padStart(64, "0")) return undefined;
  const length = Number(`0x${digits.slice(128, 192) || "0"}`);
  const isWhole = digits.length === 192 + 64 * Math.ceil(length / 32);
  return isWhole ? `0x${digits.slice(192, 192 + length * 2)}` : undefined;
}
