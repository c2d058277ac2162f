/**
 * Functions of the network's own contracts and of the facades that tokens, accounts and schedules have, as human-readable ABI
 * behind a line with the contract's name; a line `$a=address` says what `$a` stands for behind it. Written by hederaTable.mjs
 * from com.hedera.hashgraph:app-service-contract-impl:0.76.1, the network's own program: change nothing here.
 */
export const HEDERA_TABLE = `
$a= returns (int64 responseCode
$b= returns (int32 responseCode
$c= returns (int256 responseCode)
$d= returns (
$e=string name, string symbol, address treasury, string memo, bool tokenSupplyType,
$f=address feeCollector
$g=address token
$h=address
$i=int64
$j=uint256
$k=uint32
$l=[] fixedFees
$m=[] fractionalFees
$n=[] royaltyFees
$o=($h accountID, $i amount, bool isApproval)
$p=($h senderAccountID, $h receiverAccountID, $i serialNumber, bool isApproval)
$q=($h sender, $h receiver, $g, $i serial)
$r=(bool inheritAccountKey, $h contractId, bytes ed25519, bytes ECDSA_secp256k1, $h delegatableContractId)
$s=($k second, $h autoRenewAccount, $k autoRenewPeriod)
$t=($i second, $h autoRenewAccount, $i autoRenewPeriod)
$u=($k amount, $gId, bool useHbarsForPayment, bool useCurrentTokenForPayment, $f)
$v=($k numerator, $k denominator, $k minimumAmount, $k maximumAmount, bool netOfTransfers, $f)
$w=($i amount, $gId, bool useHbarsForPayment, bool useCurrentTokenForPayment, $f)
$x=($i numerator, $i denominator, $i minimumAmount, $i maximumAmount, bool netOfTransfers, $f)
$y=($k numerator, $k denominator, $k amount, $gId, bool useHbarsForPayment, $f)
$z=($i numerator, $i denominator, $i amount, $gId, bool useHbarsForPayment, $f)
$A=($g, $o[] transfers, $p[] nftTransfers)
$B=($j keyType, $r key)
$C=($e $k maxSupply, bool freezeDefault, $B[] tokenKeys, $s expiry)
$D=($e $i maxSupply, bool freezeDefault, $B[] tokenKeys, $s expiry)
$E=($e $i maxSupply, bool freezeDefault, $B[] tokenKeys, $t expiry)
$F=($e $i maxSupply, bool freezeDefault, $B[] tokenKeys, $t expiry, bytes metadata)
$G=($D token, $i totalSupply, bool deleted, bool defaultKycStatus, bool pauseStatus, $u$l, $v$m, $y$n, string ledgerId)
$H=($F token, $i totalSupply, bool deleted, bool defaultKycStatus, bool pauseStatus, $u$l, $v$m, $y$n, string ledgerId)
$I=($G tokenInfo, int32 decimals)
$J=($G tokenInfo, $i serialNumber, $h ownerId, $i creationTime, bytes metadata, $h spenderId)
# Hedera Token Service
redirectForToken($g, bytes encodedFunctionSelector)
airdropTokens($A[] tokenTransfers)$b)
allowance($g, $h owner, $h spender)$a, $j allowance)
allowance($h owner, $h spender)$d$j)
associate()$c
associateToken($h account, $g)$a)
dissociateToken($h account, $g)$a)
dissociate()$c
associateTokens($h account, $h[] tokens)$a)
dissociateTokens($h account, $h[] tokens)$a)
balanceOf($h account)$dint256)
burnToken($g, u$i amount, $i[] serialNumbers)$a, $i newTotalSupply)
burnToken($g, $i amount, $i[] serialNumbers)$a, $i newTotalSupply)
cancelAirdrops($q[] pendingAirdrops)$a)
cancelAirdropFT($h receiver)$a)
cancelAirdropNFT($h receiver, $i serialNumber)$a)
claimAirdrops($q[] pendingAirdrops)$a)
claimAirdropFT($h sender)$a)
claimAirdropNFT($h sender, $i serialNumber)$a)
createFungibleToken($C token, $j initialTotalSupply, $j decimals)$a, $gAddress)
createFungibleToken($D token, u$i initialTotalSupply, $k decimals)$a, $gAddress)
createFungibleToken($E token, $i initialTotalSupply, int32 decimals)$a, $gAddress)
createFungibleTokenWithCustomFees($C token, $j initialTotalSupply, $j decimals, $u$l, $v$m)$a, $gAddress)
createFungibleTokenWithCustomFees($D token, u$i initialTotalSupply, $k decimals, $u$l, $v$m)$a, $gAddress)
createFungibleTokenWithCustomFees($E token, $i initialTotalSupply, int32 decimals, $w$l, $x$m)$a, $gAddress)
createNonFungibleToken($C token)$a, $gAddress)
createNonFungibleToken($D token)$a, $gAddress)
createNonFungibleToken($E token)$a, $gAddress)
createNonFungibleTokenWithCustomFees($C token, $u$l, $y$n)$a, $gAddress)
createNonFungibleTokenWithCustomFees($D token, $u$l, $y$n)$a, $gAddress)
createNonFungibleTokenWithCustomFees($E token, $w$l, $z$n)$a, $gAddress)
getTokenCustomFees($g)$b, $u$l, $v$m, $y$n)
decimals()$duint8)
getTokenDefaultFreezeStatus($g)$b, bool frozen)
getTokenDefaultKycStatus($g)$b, bool kycGranted)
deleteToken($g)$c
freezeToken($g, $h account)$a)
unfreezeToken($g, $h account)$a)
getFungibleTokenInfo($g)$b, $I fungibleTokenInfo)
getApproved($g, $j serialNumber)$b, $h approved)
getApproved($j tokenId)$d$h)
approve($h spender, $j amountOrId)$dbool)
approve($h spender, $j amountOrId)
approve($g, $h spender, $j amount)$b, bool)
approveNFT($g, $h approved, $j serialNumber)$a)
grantTokenKyc($g, $h account)$a)
revokeTokenKyc($g, $h account)$a)
isApprovedForAll($g, $h owner, $h operator)$a, bool approved)
isApprovedForAll($h owner, $h operator)$dbool)
isAssociated()$dbool associated)
isFrozen($g, $h account)$b, bool frozen)
isKyc($g, $h account)$b, bool kycGranted)
isToken($g)$b, bool isToken)
mintToken($g, u$i amount, bytes[] metadata)$a, $i newTotalSupply, $i[] serialNumbers)
mintToken($g, $i amount, bytes[] metadata)$a, $i newTotalSupply, $i[] serialNumbers)
name()$dstring)
getNonFungibleTokenInfo($g, $i serialNumber)$b, $J nonFungibleTokenInfo)
ownerOf($j tokenId)$d$h)
pauseToken($g)$a)
unpauseToken($g)$a)
rejectTokens($h rejectingAddress, $h[] ftAddresses, ($h nft, $i serial)[] nftIDs)$a)
rejectTokenFT()$a)
rejectTokenNFTs($i[] serialNumbers)$a)
setApprovalForAll($g, $h operator, bool approved)$c
setApprovalForAll($h operator, bool approved)$c
symbol()$dstring)
getTokenExpiryInfo($g)$b, $t expiry)
getTokenInfo($g)$b, $G tokenInfo)
getTokenKey($g, $j keyType)$b, $r key)
getTokenType($g)$b, int32 tokenType)
tokenURI($j tokenId)$dstring)
totalSupply()$dint256)
cryptoTransfer(($g, ($h accountID, $i amount)[] transfers, ($h senderAccountID, $h receiverAccountID, $i serialNumber)[] nftTransfers)[] tokenTransfers)$a)
cryptoTransfer(($o[] transfers) transferList, $A[] tokenTransfers)$a)
transferTokens($g, $h[] accounts, $i[] amounts)$a)
transferToken($g, $h sender, $h recipient, $i amount)$a)
transferNFTs($g, $h[] senders, $h[] receivers, $i[] serialNumbers)$a)
transferNFT($g, $h sender, $h recipient, $i serialNumber)$a)
transferFrom($g, $h from, $h to, $j amount)$a)
transferFromNFT($g, $h from, $h to, $j serialNumber)$a)
transfer($h to, $j amount)$dbool)
transferFrom($h from, $h to, $j amountOrId)$dbool)
transferFrom($h from, $h to, $j amountOrId)
updateTokenExpiryInfo($g, $s expiryInfo)$c
updateTokenExpiryInfo($g, $t expiryInfo)$c
updateTokenKeys($g, $B[] keys)$c
updateTokenInfo($g, $C tokenInfo)$c
updateTokenInfo($g, $D tokenInfo)$c
updateTokenInfo($g, $E tokenInfo)$c
updateTokenInfo($g, $F tokenInfo)$c
updateFungibleTokenCustomFees($g, $w$l, $x$m)$c
updateNonFungibleTokenCustomFees($g, $w$l, $z$n)$c
wipeTokenAccount($g, $h account, $k amount)$c
wipeTokenAccount($g, $h account, $i amount)$c
wipeTokenAccountNFT($g, $h account, $i[] serialNumbers)$c
# Hedera Token Service (0x16c)
createFungibleToken($F token, $i initialTotalSupply, int32 decimals)$a, $gAddress)
createFungibleTokenWithCustomFees($F token, $i initialTotalSupply, int32 decimals, $w$l, $x$m)$a, $gAddress)
createNonFungibleToken($F token)$a, $gAddress)
createNonFungibleTokenWithCustomFees($F token, $w$l, $z$n)$a, $gAddress)
getFungibleTokenInfo($g)$b, ($H tokenInfo, int32 decimals) fungibleTokenInfo)
getNonFungibleTokenInfo($g, $i serialNumber)$b, ($H tokenInfo, $i serialNumber, $h ownerId, $i creationTime, bytes metadata, $h spenderId) nonFungibleTokenInfo)
getTokenInfo($g)$b, $H tokenInfo)
updateNFTsMetadata($g, $i[] serialNumbers, bytes metadata)$c
# Hedera Account Service
redirectForAccount($h account, bytes encodedFunctionSelector)
getEvmAddressAlias($h accountNumAlias)$a, $h evmAddressAlias)
hbarAllowance($h spender)$a, int256 amount)
hbarAllowance($h owner, $h spender)$a, int256 amount)
hbarApprove($h spender, int256 amount)$a)
hbarApprove($h owner, $h spender, int256 amount)$a)
getHederaAccountNumAlias($h evmAddressAlias)$a, $h accountNumAlias)
isAuthorized($h account, bytes message, bytes signature)$a, bool authorized)
isAuthorizedRaw($h account, bytes messageHash, bytes signature)$dbool authorized)
isValidAlias($h addr)$dbool valid)
setUnlimitedAutomaticAssociations(bool enableAutoAssociations)$a)
# Hedera Schedule Service
redirectForScheduleTxn($h schedule, bytes encodedFunctionSelector)
deleteSchedule($h schedule)$a)
deleteSchedule()$a)
getScheduledCreateFungibleTokenInfo($h schedule)$b, $I fungibleTokenInfo)
getScheduledCreateNonFungibleTokenInfo($h schedule)$b, $J nonFungibleTokenInfo)
hasScheduleCapacity($j expirySecond, $j gasLimit)$dbool hasCapacity)
scheduleCall($h to, $j expirySecond, $j gasLimit, u$i value, bytes callData)$a, $h schedule)
scheduleCallWithPayer($h to, $h payer, $j expirySecond, $j gasLimit, u$i value, bytes callData)$a, $h schedule)
executeCallOnPayerSignature($h to, $h payer, $j expirySecond, $j gasLimit, u$i value, bytes callData)$a, $h schedule)
scheduleNative($h systemContract, bytes callData, $h payer)$a, $h schedule)
signSchedule($h schedule, bytes signatureMap)$a)
signSchedule()$a)
authorizeSchedule($h schedule)$a)
# Exchange Rate
tinycentsToTinybars($j tinycents)$d$j tinybars)
tinybarsToTinycents($j tinybars)$d$j tinycents)
# Pseudorandom Number Generator
getPseudorandomSeed()$dbytes32 seed)
`;
