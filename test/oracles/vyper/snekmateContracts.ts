/** Contracts of Vyper 0.4 that import modules of snekmate 0.1, one for each of its modules, by their file names. */
export const snekmateContracts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    owned: `
from snekmate.auth import ownable
initializes: ownable
exports: ownable.__interface__

@deploy
def __init__():
    ownable.__init__()
`,
    ownedInTwoSteps: `
from snekmate.auth import ownable
from snekmate.auth import ownable_2step as two_step
initializes: ownable
initializes: two_step[ownable := ownable]
exports: (
    two_step.owner,
    two_step.pending_owner,
    two_step.transfer_ownership,
    two_step.accept_ownership,
)

@deploy
def __init__():
    ownable.__init__()
    two_step.__init__()
`,
    guarded: `
from snekmate.auth import access_control
initializes: access_control
exports: access_control.__interface__

@deploy
def __init__():
    access_control.__init__()
`,
    coin: `
from ethereum.ercs import IERC20
from snekmate.auth import ownable as ow
from snekmate.tokens import erc20
implements: IERC20
initializes: ow
initializes: erc20[ownable := ow]
exports: erc20.__interface__

@deploy
def __init__(amount: uint256):
    ow.__init__()
    erc20.__init__("Coin", "CON", 18, "Coin", "1")
    erc20._mint(msg.sender, amount)
`,
    deed: `
from snekmate.auth import ownable
from snekmate.tokens import erc721
initializes: ownable
initializes: erc721[ownable := ownable]
exports: erc721.__interface__

@deploy
def __init__():
    ownable.__init__()
    erc721.__init__("Deed", "DEED", "https://deeds.example/", "Deed", "1")
`,
    tickets: `
from snekmate.auth import ownable
from snekmate.tokens import erc1155
initializes: ownable
initializes: erc1155[ownable := ownable]
exports: erc1155.__interface__

@deploy
def __init__():
    ownable.__init__()
    erc1155.__init__("https://tickets.example/")
`,
    royalties: `
from snekmate.auth import ownable
from snekmate.extensions import erc2981
initializes: ownable
initializes: erc2981[ownable := ownable]
exports: erc2981.__interface__

@deploy
def __init__():
    ownable.__init__()
    erc2981.__init__()
`,
    vault: `
from ethereum.ercs import IERC20
from snekmate.extensions import erc4626
initializes: erc4626
exports: erc4626.__interface__

@deploy
def __init__(asset: IERC20):
    erc4626.__init__("Vault", "VLT", asset, 0, "Vault", "1")
`,
    timelock: `
from snekmate.auth import access_control
from snekmate.governance import timelock_controller
initializes: access_control
initializes: timelock_controller[access_control := access_control]
exports: timelock_controller.__interface__

@deploy
def __init__():
    access_control.__init__()
    timelock_controller.__init__(3600, [msg.sender], [msg.sender], msg.sender)
`,
    encoder: `
from snekmate.utils import base64

@external
@pure
def encode(data: Bytes[1_024]) -> DynArray[String[4], 1_368]:
    return base64._encode(data, False)
`,
    distributor: `
from snekmate.utils import batch_distributor
initializes: batch_distributor

@deploy
def __init__():
    batch_distributor.__init__()

@external
@payable
def distribute(data: batch_distributor.Batch):
    batch_distributor._distribute_ether(data)
`,
    blocks: `
from snekmate.utils import block_hash

@external
@view
def hashOf(number: uint256) -> bytes32:
    return block_hash._block_hash(number)
`,
    addresses: `
from snekmate.utils import create

@external
@view
def at(nonce: uint256) -> address:
    return create._compute_create_address_self(nonce)
`,
    saltedAddresses: `
from snekmate.utils import create2

@external
@view
def at(salt: bytes32, code: bytes32) -> address:
    return create2._compute_create2_address_self(salt, code)
`,
    independentAddresses: `
from snekmate.utils import create3

@external
@view
def at(salt: bytes32) -> address:
    return create3._compute_create3_address_self(salt)
`,
    signers: `
from snekmate.utils import ecdsa

@external
@pure
def signer(hash: bytes32, signature: Bytes[65]) -> address:
    return ecdsa._recover_sig(hash, signature)
`,
    domain: `
from snekmate.utils import eip712_domain_separator
initializes: eip712_domain_separator
exports: eip712_domain_separator.eip712Domain

@deploy
def __init__():
    eip712_domain_separator.__init__("Domain", "1")
`,
    numbers: `
from snekmate.utils import math

@external
@pure
def root(x: uint256) -> uint256:
    return math._cbrt(x, True)
`,
    proofs: `
from snekmate.utils import merkle_proof_verification as merkle

@external
@pure
def isMember(proof: DynArray[bytes32, max_value(uint8)], root: bytes32, leaf: bytes32) -> bool:
    return merkle._verify(proof, root, leaf)
`,
    messages: `
from snekmate.utils import message_hash_utils

@external
@pure
def signed(hash: bytes32) -> bytes32:
    return message_hash_utils._to_eth_signed_message_hash(hash)
`,
    calls: `
from snekmate.utils import multicall

@external
def many(data: DynArray[multicall.Batch, max_value(uint8)]) -> DynArray[multicall.Result, max_value(uint8)]:
    return multicall._multicall(data)
`,
    passkeys: `
from snekmate.utils import p256

@external
@view
def isValid(hash: bytes32, r: uint256, s: uint256, x: uint256, y: uint256) -> bool:
    return p256._verify_sig(hash, r, s, x, y)
`,
    brake: `
from snekmate.utils import pausable
initializes: pausable
exports: pausable.paused

@deploy
def __init__():
    pausable.__init__()

@external
def stop():
    pausable._pause()
`,
    wallet: `
from snekmate.utils import signature_checker

@external
@view
def isSigned(signer: address, hash: bytes32, signature: Bytes[65]) -> bool:
    return signature_checker._is_valid_signature_now(signer, hash, signature)
`,
  }).map(([name, body]) => [`${name}.vy`, `# pragma version ~=0.4.3\n${body}`]),
);
