"""Facts with histories: true by which document, from when, learnt when."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports

if TYPE_CHECKING:
    from dateline.facts.asking import FactAnswer, FactAsker
    from dateline.facts.changes import Change, Changes
    from dateline.facts.erasure import Forgotten
    from dateline.facts.expiry import ExpiredDocument, expire
    from dateline.facts.fact import Fact, FactHistory
    from dateline.facts.index import ExactIndex, Index
    from dateline.facts.ledger import Ledger, LedgerEntry, MemoryLedger
    from dateline.facts.local_updater import LocalUpdater
    from dateline.facts.opening import open_store
    from dateline.facts.operation import Operation
    from dateline.facts.policy import Policy
    from dateline.facts.proposal import Proposal, ReviewDecision
    from dateline.facts.review_queue import ReviewQueue
    from dateline.facts.search import FactSearch
    from dateline.facts.slot_history import FactTurn, SlotAnswer, SlotHistory, SlotPeriod
    from dateline.facts.slots import SlotPack
    from dateline.facts.store import FactStore
    from dateline.facts.stores import FactStores
    from dateline.facts.updater import Updater
    from dateline.facts.updating import ChatUpdater

__getattr__ = lazy_exports(
    "dateline.facts",
    Change="dateline.facts.changes",
    Changes="dateline.facts.changes",
    ChatUpdater="dateline.facts.updating",
    ExactIndex="dateline.facts.index",
    ExpiredDocument="dateline.facts.expiry",
    Fact="dateline.facts.fact",
    FactAnswer="dateline.facts.asking",
    FactAsker="dateline.facts.asking",
    FactHistory="dateline.facts.fact",
    FactSearch="dateline.facts.search",
    FactStore="dateline.facts.store",
    FactStores="dateline.facts.stores",
    FactTurn="dateline.facts.slot_history",
    Forgotten="dateline.facts.erasure",
    Index="dateline.facts.index",
    Ledger="dateline.facts.ledger",
    LedgerEntry="dateline.facts.ledger",
    LocalUpdater="dateline.facts.local_updater",
    MemoryLedger="dateline.facts.ledger",
    Operation="dateline.facts.operation",
    Policy="dateline.facts.policy",
    Proposal="dateline.facts.proposal",
    ReviewDecision="dateline.facts.proposal",
    ReviewQueue="dateline.facts.review_queue",
    SlotAnswer="dateline.facts.slot_history",
    SlotHistory="dateline.facts.slot_history",
    SlotPack="dateline.facts.slots",
    SlotPeriod="dateline.facts.slot_history",
    Updater="dateline.facts.updater",
    expire="dateline.facts.expiry",
    open_store="dateline.facts.opening",
)
__all__ = [
    "Change",
    "Changes",
    "ChatUpdater",
    "ExactIndex",
    "ExpiredDocument",
    "Fact",
    "FactAnswer",
    "FactAsker",
    "FactHistory",
    "FactSearch",
    "FactStore",
    "FactStores",
    "FactTurn",
    "Forgotten",
    "Index",
    "Ledger",
    "LedgerEntry",
    "LocalUpdater",
    "MemoryLedger",
    "Operation",
    "Policy",
    "Proposal",
    "ReviewDecision",
    "ReviewQueue",
    "SlotAnswer",
    "SlotHistory",
    "SlotPack",
    "SlotPeriod",
    "Updater",
    "expire",
    "open_store",
]
