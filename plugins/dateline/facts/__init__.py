"""Facts with histories: what documents said was true, from when on, and when we learnt it."""

from dateline.facts.changes import Change, Changes
from dateline.facts.contract import Entry, Ledger
from dateline.facts.desk import Desk
from dateline.facts.fact import Fact, FactHistory
from dateline.facts.index import ExactIndex, Index
from dateline.facts.memory import MemoryLedger
from dateline.facts.opening import open_store
from dateline.facts.operation import Operation
from dateline.facts.policy import Policy
from dateline.facts.proposal import Proposal, Ruling
from dateline.facts.search import FactSearch
from dateline.facts.store import FactStore
from dateline.facts.updater import LocalUpdater

__all__ = [
    "Change",
    "Changes",
    "Desk",
    "Entry",
    "ExactIndex",
    "Fact",
    "FactHistory",
    "FactSearch",
    "FactStore",
    "Index",
    "Ledger",
    "LocalUpdater",
    "MemoryLedger",
    "Operation",
    "Policy",
    "Proposal",
    "Ruling",
    "open_store",
]
