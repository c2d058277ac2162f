// Writes src/core/ledger/names/hederaTable.ts from the network's own program: node hederaTable.mjs
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FunctionFragment, id } from "ethers";
import JSZip from "jszip";
import { abbreviated } from "./abbreviations.mjs";
import { readClass } from "./classFile.mjs";

/** The consensus node's implementation of contracts, which declares every function of its system contracts. */
const ARTIFACT = "com.hedera.hashgraph:app-service-contract-impl:0.76.1";
const SHA_256 = "7a21dee0aaadb89b59b95edac16a5e001ae1d8680013afce490a2ac612d20c84";

const CLASSES = "com/hedera/node/app/service/contract/impl/exec/";
const DECLARE = `${CLASSES}utils/SystemContractMethod.declare:`;
const FUNCTION = "com/esaulpaugh/headlong/abi/Function.<init>:(Ljava/lang/String;";
const LATER_SERVICE = /\.HTS_16C_CONTRACT_ID:/;

/** The system contracts, by the folders of their functions. */
const SERVICES = [
  ["hts", "Hedera Token Service"],
  ["has", "Hedera Account Service"],
  ["hss", "Hedera Schedule Service"],
];
const LATER_TOKEN_SERVICE = "Hedera Token Service (0x16c)";

/**
 * The two system contracts whose functions the jar has by their selectors alone; what is written here has to have just
 * those. The words are those of hashgraph/hedera-smart-contracts, contracts/system-contracts.
 */
const BY_SELECTOR = [
  [
    "Exchange Rate",
    "ExchangeRateSystemContract",
    [
      "tinycentsToTinybars(uint256 tinycents) returns (uint256 tinybars)",
      "tinybarsToTinycents(uint256 tinybars) returns (uint256 tinycents)",
    ],
  ],
  ["Pseudorandom Number Generator", "PrngSystemContract", ["getPseudorandomSeed() returns (bytes32 seed)"]],
];

/**
 * The jar has no names of parameters: those of the published interfaces, for the functions of a name that take as many, and
 * behind `>` those of the results where there are as many. A first result that is a number and has no name here is a response
 * code. `:` names the tuple in {@link TUPLES}, in an array as well.
 */
const WORDS = `
transferToken token sender recipient amount
transferTokens token accounts amounts
transferNFT token sender recipient serialNumber
transferNFTs token senders receivers serialNumbers
transferFrom token from to amount
transferFrom from to amountOrId >
transferFromNFT token from to serialNumber
associateToken account token
associateTokens account tokens
dissociateToken account token
dissociateTokens account tokens
mintToken token amount metadata > responseCode newTotalSupply serialNumbers
burnToken token amount serialNumbers > responseCode newTotalSupply
approve token spender amount
approve spender amountOrId >
approveNFT token approved serialNumber
allowance token owner spender > responseCode allowance
allowance owner spender >
getApproved token serialNumber > responseCode approved
getApproved tokenId >
isApprovedForAll token owner operator > responseCode approved
isApprovedForAll owner operator >
setApprovalForAll token operator approved
setApprovalForAll operator approved
isFrozen token account > responseCode frozen
isKyc token account > responseCode kycGranted
isToken token > responseCode isToken
getTokenType token > responseCode tokenType
getTokenDefaultFreezeStatus token > responseCode frozen
getTokenDefaultKycStatus token > responseCode kycGranted
getTokenInfo token > responseCode tokenInfo:TokenInfo
getFungibleTokenInfo token > responseCode fungibleTokenInfo:FungibleTokenInfo
getNonFungibleTokenInfo token serialNumber > responseCode nonFungibleTokenInfo:NonFungibleTokenInfo
getTokenCustomFees token > responseCode fixedFees:FixedFee fractionalFees:FractionalFee royaltyFees:RoyaltyFee
getTokenExpiryInfo token > responseCode expiry:Expiry
getTokenKey token keyType > responseCode key:KeyValue
grantTokenKyc token account
revokeTokenKyc token account
freezeToken token account
unfreezeToken token account
pauseToken token
unpauseToken token
deleteToken token
wipeTokenAccount token account amount
wipeTokenAccountNFT token account serialNumbers
cryptoTransfer tokenTransfers:TokenTransferList
cryptoTransfer transferList:TransferList tokenTransfers:TokenTransferList
redirectForToken token encodedFunctionSelector
createFungibleToken token:HederaToken initialTotalSupply decimals > responseCode tokenAddress
createFungibleTokenWithCustomFees token:HederaToken initialTotalSupply decimals fixedFees:FixedFee fractionalFees:FractionalFee > responseCode tokenAddress
createNonFungibleToken token:HederaToken > responseCode tokenAddress
createNonFungibleTokenWithCustomFees token:HederaToken fixedFees:FixedFee royaltyFees:RoyaltyFee > responseCode tokenAddress
updateTokenInfo token tokenInfo:HederaToken
updateTokenExpiryInfo token expiryInfo:Expiry
updateTokenKeys token keys:TokenKey
updateNFTsMetadata token serialNumbers metadata
updateFungibleTokenCustomFees token fixedFees:FixedFee fractionalFees:FractionalFee
updateNonFungibleTokenCustomFees token fixedFees:FixedFee royaltyFees:RoyaltyFee
airdropTokens tokenTransfers:TokenTransferList
claimAirdrops pendingAirdrops:PendingAirdrop
cancelAirdrops pendingAirdrops:PendingAirdrop
rejectTokens rejectingAddress ftAddresses nftIDs:NftID
claimAirdropFT sender
claimAirdropNFT sender serialNumber
cancelAirdropFT receiver
cancelAirdropNFT receiver serialNumber
rejectTokenNFTs serialNumbers
hbarAllowance owner spender > responseCode amount
hbarAllowance spender > responseCode amount
hbarApprove owner spender amount
hbarApprove spender amount
redirectForAccount account encodedFunctionSelector
isAuthorizedRaw account messageHash signature > authorized
isAuthorized account message signature > responseCode authorized
setUnlimitedAutomaticAssociations enableAutoAssociations
getEvmAddressAlias accountNumAlias > responseCode evmAddressAlias
getHederaAccountNumAlias evmAddressAlias > responseCode accountNumAlias
isValidAlias addr > valid
authorizeSchedule schedule
signSchedule schedule signatureMap
deleteSchedule schedule
redirectForScheduleTxn schedule encodedFunctionSelector
scheduleNative systemContract callData payer > responseCode schedule
scheduleCall to expirySecond gasLimit value callData > responseCode schedule
scheduleCallWithPayer to payer expirySecond gasLimit value callData > responseCode schedule
executeCallOnPayerSignature to payer expirySecond gasLimit value callData > responseCode schedule
hasScheduleCapacity expirySecond gasLimit > hasCapacity
getScheduledCreateFungibleTokenInfo schedule > responseCode fungibleTokenInfo:FungibleTokenInfo
getScheduledCreateNonFungibleTokenInfo schedule > responseCode nonFungibleTokenInfo:NonFungibleTokenInfo
balanceOf account >
totalSupply >
ownerOf tokenId >
tokenURI tokenId >
transfer to amount >
isAssociated > associated
`;

/** The names of the members of tuples; a tuple may lack those at the end of its list that came later. */
const TUPLES = `
TokenTransferList token transfers:AccountAmount nftTransfers:NftTransfer
TransferList transfers:AccountAmount
AccountAmount accountID amount isApproval
NftTransfer senderAccountID receiverAccountID serialNumber isApproval
PendingAirdrop sender receiver token serial
NftID nft serial
Expiry second autoRenewAccount autoRenewPeriod
KeyValue inheritAccountKey contractId ed25519 ECDSA_secp256k1 delegatableContractId
TokenKey keyType key:KeyValue
HederaToken name symbol treasury memo tokenSupplyType maxSupply freezeDefault tokenKeys:TokenKey expiry:Expiry metadata
FixedFee amount tokenId useHbarsForPayment useCurrentTokenForPayment feeCollector
FractionalFee numerator denominator minimumAmount maximumAmount netOfTransfers feeCollector
RoyaltyFee numerator denominator amount tokenId useHbarsForPayment feeCollector
TokenInfo token:HederaToken totalSupply deleted defaultKycStatus pauseStatus fixedFees:FixedFee fractionalFees:FractionalFee royaltyFees:RoyaltyFee ledgerId
FungibleTokenInfo tokenInfo:TokenInfo decimals
NonFungibleTokenInfo tokenInfo:TokenInfo serialNumber ownerId creationTime metadata spenderId
`;

/** What the lines say often. */
const PHRASES = [
  " returns (int64 responseCode",
  " returns (int32 responseCode",
  " returns (int256 responseCode)",
  " returns (",
  "string name, string symbol, address treasury, string memo, bool tokenSupplyType,",
  "address feeCollector",
  "address token",
  "address",
  "int64",
  "uint256",
  "uint32",
  "[] fixedFees",
  "[] fractionalFees",
  "[] royaltyFees",
];

/**
 * The jar by the ordinary Maven client, once into the cache.
 *
 * @throws {Error} where Maven is missing or can't get it, or it is another one
 */
async function jar() {
  const folder = join(import.meta.dirname, ".cache/hedera");
  const [, artifact, version] = ARTIFACT.split(":");
  const path = join(folder, `${artifact}-${version}.jar`);
  let bytes = await readFile(path).catch(() => undefined);
  if (!bytes) {
    await mkdir(folder, { recursive: true });
    const copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
    const args = ["-q", "-B", copy, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${folder}`];
    // In a folder without a project.
    await promisify(execFile)("mvn", args, { cwd: folder });
    bytes = await readFile(path);
  }
  if (createHash("sha256").update(bytes).digest("hex") !== SHA_256) throw new Error(`${path} is another jar`);
  return JSZip.loadAsync(bytes);
}

/** Every function that a class declares: its signature, its results if it says any, and whether only 0x16c has it. */
function declaredBy({ instructions }) {
  const declared = [];
  let texts = [];
  for (const { text, member = "" } of instructions) {
    if (text !== undefined) texts.push(text);
    else if (member.startsWith(CLASSES) && LATER_SERVICE.test(member)) declared.at(-1).isLater = true;
    else if (member.startsWith(DECLARE) || member.startsWith(FUNCTION)) {
      const strings = member.split("Ljava/lang/String;").length - 1;
      const [signature, results = "()"] = texts.slice(-strings);
      declared.push({ signature: plainTypes(signature), results: plainTypes(results), isLater: false });
      texts = [];
    }
  }
  return declared;
}

/** What is hashed says `uint256`. */
function plainTypes(text) {
  return text.replace(/\b(u?int)\b/g, "$1256");
}

/** A line of words: the name that it is for, and the trees of words before and behind `>`. */
function readWords(line) {
  const [name, ...parts] = line.split(" ");
  const at = parts.indexOf(">");
  return {
    name,
    line,
    inputs: at < 0 ? parts : parts.slice(0, at),
    results: at < 0 ? undefined : parts.slice(at + 1),
  };
}

/** The types between the parentheses of `(address,(bool,bytes)[])`. */
function typesIn(text) {
  const types = [];
  let [depth, from] = [0, 1];
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === "," ? depth === 0 : text[at] === ")" && depth-- === 0) {
      if (at > from) types.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return types;
}

/** The functions of each system contract as lines of human-readable ABI, by the contract's name. */
function linesOf(declared) {
  const words = WORDS.trim().split("\n").map(readWords);
  const tuples = new Map(
    TUPLES.trim()
      .split("\n")
      .map(readWords)
      .map((tuple) => [tuple.name, tuple]),
  );
  const used = new Set();

  const named = (types, names) =>
    types.map((type, at) => {
      const [name = "", tuple] = (names[at] ?? "").split(":");
      return `${tuple === undefined ? type : namedTuple(type, tuple)}${name === "" ? "" : ` ${name}`}`;
    });
  const namedTuple = (type, name) => {
    const { line, inputs } = tuples.get(name);
    const [array] = /(\[\])?$/.exec(type);
    const types = typesIn(type);
    // HederaToken has its metadata, and transfers whether they are approved, in later versions alone.
    if (![inputs.length, inputs.length - 1].includes(types.length)) throw new Error(`${type} is no ${name}`);
    used.add(line);
    return `(${named(types, inputs).join(", ")})${array}`;
  };

  const lineOf = ({ signature, results }) => {
    const at = signature.indexOf("(");
    const name = signature.slice(0, at);
    const inputs = typesIn(signature.slice(at));
    const outputs = typesIn(results);
    const found = words.find((one) => one.name === name && one.inputs.length === inputs.length);
    if (found) used.add(found.line);
    const answer = /^int/.test(outputs[0] ?? "") ? ["responseCode"] : [];
    const resultWords = found?.results ?? answer;
    if (resultWords.length > outputs.length)
      throw new Error(`${signature} has fewer results than words for them`);
    const line = `${name}(${named(inputs, found?.inputs ?? []).join(", ")})`;
    const whole = outputs.length === 0 ? line : `${line} returns (${named(outputs, resultWords).join(", ")})`;
    if (FunctionFragment.from(`function ${whole}`).selector !== id(signature).slice(0, 10))
      throw new Error(`${whole} is not ${signature}`);
    return whole;
  };

  const lines = [...declared].map(([contract, functions]) => [contract, [...new Set(functions.map(lineOf))]]);
  const unused = [...words, ...tuples.values()].filter(({ line }) => !used.has(line));
  if (unused.length > 0) throw new Error(`the jar has none of: ${unused.map(({ line }) => line).join("; ")}`);
  return lines;
}

/** What the jar declares, by the system contract's name. */
export async function declaredFunctions() {
  const { files } = await jar();
  const classOf = async (path) => readClass(await files[path].async("nodebuffer"));
  const declared = new Map();
  const add = (contract, found) => declared.set(contract, [...(declared.get(contract) ?? []), found]);
  for (const [folder, contract] of SERVICES) {
    const paths = Object.keys(files).filter(
      (path) => path.startsWith(`${CLASSES}systemcontracts/${folder}/`) && path.endsWith(".class"),
    );
    for (const path of paths.sort())
      for (const found of declaredBy(await classOf(path)))
        add(found.isLater ? LATER_TOKEN_SERVICE : contract, found);
  }
  // A function of both addresses that is declared for each is one of the service.
  const texts = new Set(
    declared.get("Hedera Token Service").map(({ signature, results }) => signature + results),
  );
  declared.set(
    LATER_TOKEN_SERVICE,
    declared.get(LATER_TOKEN_SERVICE).filter(({ signature, results }) => !texts.has(signature + results)),
  );
  const selectors = new Map();
  for (const [contract, name] of BY_SELECTOR) {
    const { constants } = await classOf(`${CLASSES}systemcontracts/${name}.class`);
    const numbers = [...constants]
      .filter(([field]) => field.endsWith("_SELECTOR"))
      .map(([, number]) => number >>> 0);
    selectors.set(
      contract,
      numbers.map((number) => `0x${number.toString(16).padStart(8, "0")}`),
    );
  }
  return { declared, selectors };
}

/** The table as text: a line `# Exchange Rate` for each contract, and one for each of its functions. */
async function hederaTable() {
  const { declared, selectors } = await declaredFunctions();
  const sections = linesOf(declared);
  for (const [contract, , lines] of BY_SELECTOR) {
    const found = lines.map((line) => FunctionFragment.from(`function ${line}`).selector);
    if (found.sort().join() !== selectors.get(contract).sort().join())
      throw new Error(`the functions of ${contract} have other selectors`);
    sections.push([contract, lines]);
  }
  const text = sections.flatMap(([contract, lines]) => [`# ${contract}`, ...lines]).join("\n");
  return abbreviated(text, PHRASES);
}

/** The table as the module that the extension loads. */
export async function hederaModule() {
  return `/**
 * Functions of the network's own contracts and of the facades that tokens, accounts and schedules have, as human-readable ABI
 * behind a line with the contract's name; a line \`$a=address\` says what \`$a\` stands for behind it. Written by hederaTable.mjs
 * from ${ARTIFACT}, the network's own program: change nothing here.
 */
export const HEDERA_TABLE = \`
${await hederaTable()}\`;
`;
}

if (process.argv[1] === import.meta.filename)
  await writeFile("src/core/ledger/names/hederaTable.ts", await hederaModule());
