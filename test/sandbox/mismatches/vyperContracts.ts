/** The Vyper contracts of the cases. */

/** Immutables, one from an argument and one from the block; a fallback; a lock. */
export const faucet = `# pragma version ~=0.4.0

owner: public(address)
LIMIT: immutable(uint256)
OPENS: immutable(uint256)
taken: public(HashMap[address, uint256])
notes: HashMap[address, String[64]]

event Taken:
    who: indexed(address)
    amount: uint256

@deploy
def __init__(limit: uint256):
    LIMIT = limit
    OPENS = block.timestamp
    self.owner = msg.sender

@external
@payable
def __default__():
    pass

@external
@nonreentrant
def take(amount: uint256):
    assert block.timestamp >= OPENS, "not open"
    assert self.taken[msg.sender] + amount <= LIMIT, "over the limit"
    self.taken[msg.sender] += amount
    send(msg.sender, amount)
    log Taken(who=msg.sender, amount=amount)

@external
def note(text: String[64]):
    self.notes[msg.sender] = text

@view
@external
def note_of(who: address) -> String[64]:
    return self.notes[who]

@view
@external
def limit() -> uint256:
    return LIMIT

@external
def close():
    assert msg.sender == self.owner, "not the owner"
    send(self.owner, self.balance)
`;

/** Structs and a loop, no constructor. */
export const ballot = `# pragma version ~=0.4.0

struct Proposal:
    name: Bytes[32]
    votes: uint256

proposals: public(HashMap[uint256, Proposal])
count: public(uint256)
voted: public(HashMap[address, bool])

@external
def propose(name: Bytes[32]) -> uint256:
    self.proposals[self.count] = Proposal(name=name, votes=0)
    self.count += 1
    return self.count - 1

@external
def vote(id: uint256):
    assert not self.voted[msg.sender], "voted"
    assert id < self.count, "no such proposal"
    self.voted[msg.sender] = True
    self.proposals[id].votes += 1

@view
@external
def winner() -> uint256:
    best: uint256 = 0
    for at: uint256 in range(self.count, bound=100):
        if self.proposals[at].votes > self.proposals[best].votes:
            best = at
    return best

@view
@external
def name_of(id: uint256) -> Bytes[64]:
    return concat(self.proposals[id].name, b" (proposal)")
`;

/** Immutables only, read by everything. */
export const vesting = `# pragma version ~=0.4.0

BENEFICIARY: immutable(address)
START: immutable(uint256)
DURATION: immutable(uint256)
released: public(uint256)

@deploy
@payable
def __init__(beneficiary: address, duration: uint256):
    BENEFICIARY = beneficiary
    START = block.timestamp
    DURATION = duration

@view
@internal
def _vested() -> uint256:
    if block.timestamp >= START + DURATION:
        return self.balance + self.released
    return (self.balance + self.released) * (block.timestamp - START) // DURATION

@external
def release():
    amount: uint256 = self._vested() - self.released
    self.released += amount
    send(BENEFICIARY, amount)

@view
@external
def beneficiary() -> address:
    return BENEFICIARY
`;

/** Makes others in each of the ways that Vyper has. */
export const factory = `# pragma version ~=0.4.0

event Made:
    at: address

@external
def proxy(target: address):
    log Made(at=create_minimal_proxy_to(target))

@external
def copy(target: address):
    log Made(at=create_copy_of(target))

@external
def from_blueprint(blueprint: address, limit: uint256):
    log Made(at=create_from_blueprint(blueprint, limit))
`;

/** Few functions, which are compared one after the other. */
export const tariff = `# pragma version ~=0.4.0

price: uint256

@external
def set_price(price: uint256):
    assert price > 0, "no price"
    self.price = price

@view
@external
def price_of(amount: uint256) -> uint256:
    return self.price * amount
`;

/** One more, from which on there is a table. */
export const TARIFF_OF_DAY = `
@view
@external
def price_of_day(amount: uint256) -> uint256:
    return self.price * amount * (block.timestamp // 86400)
`;
