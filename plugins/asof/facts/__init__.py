"""Facts with histories: what documents said was true, from when on, and when we learnt it."""

from asof.facts.changes import Change, Changes
from asof.facts.clock import event_time, knowledge_time
from asof.facts.contract import Entry, Ledger
from asof.facts.desk import Desk, Draft
from asof.facts.fact import Fact, FactHistory, FoundFact, Judgement
from asof.facts.index import ExactIndex, Index
from asof.facts.maintenance import Verification, export_operations, import_operations, verify
from asof.facts.memory import MemoryLedger
from asof.facts.notes import MemoryNotes, Notes
from asof.facts.opening import open_store, rebuild_store
from asof.facts.operation import AddFact, MakeFalse, Operation, Reinforce, Rewrite, UndoDocument
from asof.facts.policy import EditKind, Policy
from asof.facts.proposal import Proposal, Ruling
from asof.facts.search import FactSearch
from asof.facts.store import FactStore
from asof.facts.updater import LocalUpdater

__all__ = [
    "AddFact",
    "Change",
    "Changes",
    "Desk",
    "Draft",
    "EditKind",
    "Entry",
    "ExactIndex",
    "Fact",
    "FactHistory",
    "FactSearch",
    "FactStore",
    "FoundFact",
    "Index",
    "Judgement",
    "Ledger",
    "LocalUpdater",
    "MakeFalse",
    "MemoryLedger",
    "MemoryNotes",
    "Notes",
    "Operation",
    "Policy",
    "Proposal",
    "Reinforce",
    "Rewrite",
    "Ruling",
    "UndoDocument",
    "Verification",
    "event_time",
    "export_operations",
    "import_operations",
    "knowledge_time",
    "open_store",
    "rebuild_store",
    "verify",
]
