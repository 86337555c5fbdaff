"""dateline's fact store behind the checks of `memories_checks.py`, with the same scripted model and vectors as the others."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.messages import BaseMessage
from memories_world import Document, Reader, statements, vector_of

from dateline import Evidence, Interval
from dateline.facts import ChatUpdater, ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy
from langchain_dateline.testing import AnsweringChatModel

KNOWN = datetime(2025, 1, 1, tzinfo=UTC)
LINE = re.compile(r"^([SNF]\d+)\| (.*?)(?: \[([^\]]*)\])?$", re.M)


class SharedEmbeddings(Embeddings):
    """The vectors that all memories are given."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector_of(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return vector_of(text)


def answering(reader: Reader) -> AnsweringChatModel:
    """The scripted model as a LangChain chat model that answers the updater's questions."""

    def respond(messages: Sequence[BaseMessage]) -> str:
        reader.called("\n".join(str(message.content) for message in messages))
        lines = LINE.findall(str(messages[-1].content))
        said = {label: text for label, text, _ in lines if label[0] == "S"}
        new = {label: text for label, text, _ in lines if label[0] == "N"}
        known = [(label, text, turns) for label, text, turns in lines if label[0] == "F"]
        if not known:
            return json.dumps({"facts": [each[0] for text in said.values() for each in statements(text)]})
        verdicts = []
        for label, old, turns in known:
            because = [line for line, text in said.items() if reader.contradicts(text, old)]
            against = [line for line, text in new.items() if reader.contradicts(text, old)]
            if because:
                verdict = "ends" if "LATER" in turns else "make false"
                into = said[because[0]] if verdict == "make false" else ""
                verdicts.append(
                    {"fact": label, "verdict": verdict, "because": because[:1], "new": against, "into": into}
                )
        return json.dumps({"verdicts": verdicts})

    return AnsweringChatModel(respond=respond)


class DatelineMemory:
    """A fact store in memory that a chat model updates."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=SharedEmbeddings())
        self.updater = self.updates(Policy())

    def updates(self, policy: Policy) -> ChatUpdater | LocalUpdater:
        """What takes documents in, under a policy."""
        return ChatUpdater(self.store, answering(self.reader), policy=policy)

    def add(self, document: Document) -> str:
        evidence = _evidence(document)
        self.updater.update([evidence], known_at=KNOWN)
        return evidence.id

    def search(self, question: str) -> list[str]:
        return [found.fact.text for found in self.store.search(question)]

    def current(self, question: str) -> list[str]:
        return self.search(question)

    def at(self, question: str, *, day: str) -> list[str]:
        return [found.fact.text for found in self.store.search(question, as_of=Interval.parse(day))]

    def everything(self) -> list[str]:
        return [history.fact.text for history in self.store.at(which="any")]

    def since(self, question: str) -> str:
        (found, *_) = self.store.search(question)
        return str(found.fact.validity or found.since)

    def remove(self, added: Any) -> None:
        self.store.undo(added, known_at=KNOWN)

    def propose(self, document: Document) -> None:
        self.updates(Policy(interrupt_on=("make_false", "rewrite"))).update([_evidence(document)], known_at=KNOWN)

    def preview(self, document: Document) -> int:
        (changes,) = self.updater.update([_evidence(document)], known_at=KNOWN, dry_run=True)
        return changes.cost.model_calls


class RulesMemory(DatelineMemory):
    """The same store, updated by rules: no model is asked."""

    def updates(self, policy: Policy) -> ChatUpdater | LocalUpdater:
        return LocalUpdater(self.store, policy=policy)


def _evidence(document: Document) -> Evidence:
    return Evidence.make(document.text, published=Interval.parse(document.day))
