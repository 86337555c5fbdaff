"""Facts with histories: true by which document, from when, learnt when."""

from typing import TYPE_CHECKING

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
from dateline.lazy import lazy_exports

if TYPE_CHECKING:
    from dateline.facts.updating import ChatUpdater

__getattr__ = lazy_exports("dateline.facts", ChatUpdater="dateline.facts.updating")
__all__ = [
    "Change",
    "Changes",
    "ChatUpdater",
    "ExactIndex",
    "ExpiredDocument",
    "Fact",
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
