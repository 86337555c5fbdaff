"""Facts with histories: what documents said was true, from when on, and when we learnt it."""

from asof.facts.changes import Change, Changes
from asof.facts.contract import Entry, Ledger
from asof.facts.desk import Desk
from asof.facts.fact import Fact, FactHistory
from asof.facts.index import ExactIndex, Index
from asof.facts.memory import MemoryLedger
from asof.facts.opening import open_store
from asof.facts.operation import Operation
from asof.facts.policy import Policy
from asof.facts.proposal import Proposal, Ruling
from asof.facts.search import FactSearch
from asof.facts.store import FactStore
from asof.facts.updater import LocalUpdater

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
