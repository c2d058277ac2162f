/** Files of a project and those of them that are compiled. */
export interface VyperProject {
  readonly files: Readonly<Record<string, string>>;
  readonly entries: readonly [string, ...string[]];
}

const ORACLE_ABI = JSON.stringify([
  {
    type: "function",
    name: "price",
    stateMutability: "view",
    inputs: [],
    outputs: [{ name: "", type: "uint256" }],
  },
]);

/** moccasin: packages of two kinds, the folder of sources as a search path, an interface of the project. */
export const moccasinProject: VyperProject = {
  files: {
    "moccasin.toml": `[project]
src = "src"
dependencies = ["snekmate==0.1.2", "acme/rates"]
`,
    "src/market.vy": `# pragma version ^0.4.1
from ethereum.ercs import IERC20
from snekmate.auth import ownable
from snekmate.utils import math as numbers
from acme.rates.src import rates
from interfaces import IOracle
import beside
initializes: ownable
exports: ownable.__interface__

oracle: IOracle

@deploy
def __init__(oracle: IOracle):
    ownable.__init__()
    self.oracle = oracle

@external
@view
def quote(amount: uint256) -> uint256:
    return numbers._mul_div(amount, rates._of(staticcall self.oracle.price()), beside.SCALE, False)
`,
    "src/beside.vy": "SCALE: constant(uint256) = 10 ** 18\n",
    "src/interfaces/IOracle.vyi": "@external\n@view\ndef price() -> uint256:\n    ...\n",
    "src/inner/nested.vy": `# pragma version ~=0.4.3
from inner.deep import leaf
import beside
from snekmate.utils import create2

@external
@view
def at(salt: bytes32) -> address:
    return create2._compute_create2_address_self(leaf._mix(salt), convert(beside.SCALE, bytes32))
`,
    "src/inner/deep/leaf.vy": `from ... import beside

@internal
@pure
def _mix(salt: bytes32) -> bytes32:
    return keccak256(concat(salt, convert(beside.SCALE, bytes32)))
`,
    "lib/github/acme/rates/src/rates.vy": `from . import table

@internal
@pure
def _of(price: uint256) -> uint256:
    return price * table.FACTOR
`,
    "lib/github/acme/rates/src/table.vy": "FACTOR: constant(uint256) = 3\n",
    // One package by both ways: moccasin looks in lib/github first.
    "lib/pypi/acme/rates/src/rates.vy":
      "@internal\n@pure\ndef _of(price: uint256) -> uint256:\n    return 1\n",
  },
  entries: ["src/market.vy", "src/inner/nested.vy"],
};

/** Nested packages, relative imports of every level, interfaces and ABIs, and what only looks like an import. */
export const layeredProject: VyperProject = {
  files: {
    "contracts/Exchange.vy": `#pragma version >=0.4.2,<0.5.0
#pragma optimize codesize
#pragma evm-version cancun
"""
@notice Nothing below is an import:
import nothing
from nowhere import nothing
"""
from ethereum.ercs import IERC20
from contracts.lib.pricing import curve
from .lib import (
    fees,
)
from ..shared import limits as bounds # and not from ..other
from interfaces import IOracle
from interfaces import \\
    IPool
import interfaces.IKeeper as Keeper

TITLE: constant(String[24]) = "from a import b"
oracle: public(IOracle)
pool: public(IPool)

@external
@view
def quote(amount: uint256, keeper: Keeper) -> uint256:
    assert amount < bounds.MOST
    price: uint256 = staticcall self.oracle.price()
    share: uint256 = staticcall self.pool.share(msg.sender) + staticcall keeper.level()
    return curve._at(amount) * price // (fees._of(amount) + share + 1)
`,
    "contracts/lib/pricing/curve.vy": `from . import points
from .. import fees

@internal
@pure
def _at(x: uint256) -> uint256:
    return x * points.SLOPE + fees._of(x)
`,
    "contracts/lib/pricing/points.vy": "SLOPE: constant(uint256) = 7\r\n",
    "contracts/lib/fees.vy": `from ...shared import limits

@internal
@pure
def _of(x: uint256) -> uint256:
    return min(x, limits.MOST) // 100
`,
    "shared/limits.vy": "MOST: constant(uint256) = 10 ** 24\n",
    "interfaces/IOracle.json": ORACLE_ABI,
    "interfaces/IPool.vyi": "@external\n@view\ndef share(owner: address) -> uint256:\n    ...\n",
    "interfaces/IKeeper.json": `{"contractName": "Keeper", "abi": ${ORACLE_ABI.replace("price", "level")}}`,
    "contracts/lib/Alone.vy": `# pragma version 0.4.3
# pragma enable-decimals
import math
import contracts.lib.fees as fees

@external
@pure
def half(x: decimal) -> (decimal, uint256):
    return (math.sqrt(x), fees._of(5))
`,
  },
  entries: ["contracts/Exchange.vy", "contracts/lib/Alone.vy"],
};

const constant = (value: number) => `VALUE: constant(uint256) = ${value}\n`;

/** One name in several places: which file wins tells one order of the search from another. */
export const shadowingProject: VyperProject = {
  files: {
    "app/Main.vy": `# pragma version 0.4.3
import near
import far
from . import kind
from pack import item

@external
@pure
def all() -> uint256[4]:
    return [near.VALUE, far.VALUE, kind.VALUE, item._get()]
`,
    "app/near.vy": constant(1),
    "near.vy": constant(2),
    "far.vy": constant(3),
    "app/kind.vy": constant(4),
    "app/kind.vyi": "x: uint256\n",
    "app/kind.json": "[]",
    "app/pack/item.vy": "import near\n\n@internal\n@pure\ndef _get() -> uint256:\n    return near.VALUE\n",
    // From 0.4.1 on the importing file's own folder is not looked in.
    "app/pack/near.vy": constant(5),
    "pack/item.vy": "@internal\n@pure\ndef _get() -> uint256:\n    return 6\n",
    // An interface beside the file and a module in the root: a module goes first wherever it is.
    "app/Second.vy": `# pragma version 0.4.3
import thing

@external
@pure
def value() -> uint256:
    return thing.VALUE
`,
    "app/thing.vyi": "@external\ndef f():\n    ...\n",
    "thing.vy": constant(7),
  },
  entries: ["app/Main.vy", "app/Second.vy"],
};

/** A module whose own folder has what it imports: 0.4.0 looks there first, a later compiler does not. */
export const besideProject: VyperProject = {
  files: {
    "app/Main.vy": `# pragma version ~=0.4.0
from pack import item
import far

@external
@pure
def both() -> uint256[2]:
    return [item._get(), far.VALUE]
`,
    "app/pack/item.vy": "import near\n\n@internal\n@pure\ndef _get() -> uint256:\n    return near.VALUE\n",
    "app/pack/near.vy": constant(1),
    "near.vy": constant(2),
    "far.vy": constant(3),
  },
  entries: ["app/Main.vy"],
};

const EARLIER_INTERFACE = "@external\n@view\ndef price() -> uint256:\n    pass\n";

/** What a compiler before 0.4 can import. */
export const interfaceProject: VyperProject = {
  files: {
    "contracts/Shop.vy": `# @version ^0.3.7
from vyper.interfaces import ERC20
import interfaces.IOracle as IOracle
from interfaces import IKeeper
from . import IBeside
from .nested import IDeep
from ..interfaces import IAbove
import contracts.nested.IDotted as Dotted

implements: IBeside

token: public(ERC20)
oracle: IOracle

@external
@view
def price() -> uint256:
    return self.oracle.price() + IKeeper(msg.sender).price() + IDeep(msg.sender).price() + IAbove(msg.sender).price() + Dotted(msg.sender).price()
`,
    "interfaces/IOracle.json": ORACLE_ABI,
    "interfaces/IKeeper.json": ORACLE_ABI,
    "interfaces/IAbove.vy": EARLIER_INTERFACE,
    "contracts/IBeside.vy": EARLIER_INTERFACE,
    "contracts/nested/IDeep.vy": `from vyper.interfaces import ERC20\n\n${EARLIER_INTERFACE}`,
    "contracts/nested/IDotted.json": ORACLE_ABI,
    "near/Near.vy": `#pragma version 0.3.10
#pragma optimize gas
import interfaces.IOracle as IOracle
import interfaces.IBoth as IBoth

@external
def f(oracle: address) -> uint256:
    return IOracle(oracle).near() + IBoth(oracle).beside()
`,
    // Beside the file comes before the root, whatever the kind.
    "near/interfaces/IOracle.json": ORACLE_ABI.replace("price", "near").replace("view", "nonpayable"),
    "near/interfaces/IBoth.json": ORACLE_ABI.replace("price", "beside"),
    "interfaces/IBoth.vy": EARLIER_INTERFACE,
  },
  entries: ["contracts/Shop.vy", "near/Near.vy"],
};

/** Ape with a compiler before 0.4 in its configuration. */
export const oldApeProject: VyperProject = {
  files: {
    "ape-config.yaml": `name: shop
# The compiler of everything here.
vyper:
  version: 0.3.10
  evm_version: paris
`,
    "contracts/Till.vy": `# @version >=0.3.7
from interfaces import ITill
implements: ITill

total: public(uint256)

@external
def add(amount: uint256):
    self.total += amount
`,
    "interfaces/ITill.vy": "@external\ndef add(amount: uint256):\n    pass\n",
  },
  entries: ["contracts/Till.vy"],
};

/** Ape with a compiler of 0.4: a range of versions, decimals, an interface and an ABI. */
export const apeProject: VyperProject = {
  files: {
    "ape-config.yaml": `vyper:
  version: ">=0.4.2,<0.5"
  evm_version: cancun
  enable_decimals: true
plugins:
  - name: vyper
`,
    "contracts/Scale.vy": `from interfaces import IOracle
from interfaces import IScale
from contracts.units import grams
implements: IScale

@external
@view
def weigh(oracle: address, share: decimal) -> (uint256, decimal):
    return (staticcall IOracle(oracle).price() * grams.IN_A_POUND, share / 3.0)
`,
    "contracts/units/grams.vy": "IN_A_POUND: constant(uint256) = 454\n",
    "interfaces/IOracle.json": ORACLE_ABI,
    "interfaces/IScale.vyi":
      "@external\n@view\ndef weigh(oracle: address, share: decimal) -> (uint256, decimal):\n    ...\n",
  },
  entries: ["contracts/Scale.vy"],
};
