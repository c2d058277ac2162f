import { t } from "@vscode/l10n";
import { ownValue } from "../../json/ownValue.ts";

/** What each kind of a transaction is called, by the protocol's name of it (transaction_body.proto). */
const WORDS: Readonly<Record<string, string>> = {
  contractCall: t`contract call`,
  contractCreateInstance: t`contract create`,
  contractUpdateInstance: t`contract update`,
  contractDeleteInstance: t`contract delete`,
  cryptoCreateAccount: t`crypto create account`,
  cryptoDelete: t`crypto delete`,
  cryptoTransfer: t`crypto transfer`,
  cryptoUpdateAccount: t`crypto update account`,
  fileAppend: t`file append`,
  fileCreate: t`file create`,
  fileDelete: t`file delete`,
  fileUpdate: t`file update`,
  systemDelete: t`system delete`,
  systemUndelete: t`system undelete`,
  freeze: t`freeze`,
  consensusCreateTopic: t`consensus create topic`,
  consensusUpdateTopic: t`consensus update topic`,
  consensusDeleteTopic: t`consensus delete topic`,
  consensusSubmitMessage: t`consensus submit message`,
  tokenCreation: t`token create`,
  tokenFreeze: t`token freeze`,
  tokenUnfreeze: t`token unfreeze`,
  tokenGrantKyc: t`token grant kyc`,
  tokenRevokeKyc: t`token revoke kyc`,
  tokenDeletion: t`token delete`,
  tokenUpdate: t`token update`,
  tokenMint: t`token mint`,
  tokenBurn: t`token burn`,
  tokenWipe: t`token wipe`,
  tokenAssociate: t`token associate`,
  tokenDissociate: t`token dissociate`,
  scheduleDelete: t`schedule delete`,
  tokenPause: t`token pause`,
  tokenUnpause: t`token unpause`,
  cryptoApproveAllowance: t`crypto approve allowance`,
  cryptoDeleteAllowance: t`crypto delete allowance`,
  tokenFeeScheduleUpdate: t`token fee schedule update`,
  utilPrng: t`util prng`,
  tokenUpdateNfts: t`token update nfts`,
  nodeCreate: t`node create`,
  nodeUpdate: t`node update`,
  nodeDelete: t`node delete`,
  tokenReject: t`token reject`,
  tokenCancelAirdrop: t`token cancel airdrop`,
  tokenClaimAirdrop: t`token claim airdrop`,
  tokenAirdrop: t`token airdrop`,
  registeredNodeCreate: t`registered node create`,
  registeredNodeUpdate: t`registered node update`,
  registeredNodeDelete: t`registered node delete`,
  // What can't be scheduled.
  atomicBatch: t`atomic batch`,
  cryptoAddLiveHash: t`crypto add live hash`,
  cryptoDeleteLiveHash: t`crypto delete live hash`,
  ethereumTransaction: t`Ethereum transaction`,
  nodeStakeUpdate: t`node stake update`,
  scheduleCreate: t`schedule create`,
  scheduleSign: t`schedule sign`,
  uncheckedSubmit: t`unchecked submit`,
};

/** By the names that mirror nodes have for them: the same in capitals (hiero-mirror-node, TransactionType). */
const WORDS_OF_NAMES = new Map(Object.entries(WORDS).map(([kind, words]) => [kind.toUpperCase(), words]));

/** "crypto transfer", "contract call": what a kind is called; one that came later by the parts of its name. */
export function kindWords(kind: string): string {
  return (
    ownValue(WORDS, kind) ??
    WORDS_OF_NAMES.get(kind) ??
    kind.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
  );
}
