"""What the wrappers are given, in two sizes: a toy, and what an app has."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from dateline import Certainty, Evidence, Interval, Question, Reading
from dateline.dynamic import ChatGenerator
from dateline.dynamic.triggers import Once
from dateline.evidence.knowledge import split_known
from dateline.facts import Fact, FactStore, open_store
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.facts.operation import AddFact
from dateline.ranking import HybridRanker
from dateline.search import FolderSearch, load_documents
from dateline.temporal.decomposition import decompose
from dateline.text import default_embeddings, split_sentences
from dateline.text.memory_cache import RememberedEmbeddings

NOW = datetime(2024, 6, 1, tzinfo=UTC)
EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Sizes:
    """How much of what.

    Attributes:
        candidates: documents that are ranked, stamped or shown.
        words: words of a document.
        read: documents that a reader gets.
        evidence: pieces that a prompt is made of, of `evidence_words` words.
        stored: documents behind a search or a vector store.
        facts: facts in a store; 0: thirty in memory, their vectors and the question's remembered.
        turns: turns of a chat.
        questions: different questions, asked one after the other.
        wait: milliseconds for which a model is waited for before its reply; a twenty-fifth of that for each word.
    """

    candidates: int
    words: int
    read: int
    evidence: int
    evidence_words: int
    stored: int
    facts: int
    turns: int
    questions: int
    wait: float


TOY = Sizes(30, 35, 10, 30, 35, 30, 0, 2, 1, 0.0)
REAL = Sizes(30, 250, 5, 40, 60, 300, 3_000, 12, 20, 50.0)


class World:
    """Documents, questions and stores of one size; the vectors of all texts but a fact store's are remembered."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self.own = default_embeddings()
        self.embeddings: Embeddings = RememberedEmbeddings(self.own)
        self._random = random.Random(0)
        self._folder = tempfile.TemporaryDirectory()

    @cached_property
    def questions(self) -> list[str]:
        """What is asked, a date in half of it."""
        if self.sizes.questions == 1:
            return ["Who was the director of the observatory in 2010?"]
        lines = (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        asked = list(dict.fromkeys(json.loads(line)["question"] for line in lines))[: self.sizes.questions]
        return [each if place % 2 else f"{each.rstrip('?')} in 2010?" for place, each in enumerate(asked)]

    def embed(self, ranker: HybridRanker) -> None:
        """Embed what can be ranked, and all questions: whichever call comes first would else pay for both."""
        for number in range(len(self.questions)):
            ranker.rank(self.asked(number), evidence=self.stored if number == 0 else self.few, k=1)

    def question(self, number: int) -> str:
        """That of a round."""
        return self.questions[number % len(self.questions)]

    def asked(self, number: int) -> Question:
        """The same, taken apart; this is part of the piece inside."""
        return decompose(self.question(number), as_of=NOW)

    @cached_property
    def stored(self) -> list[Evidence]:
        """Everything that can be found."""
        return self._pieces(self.sizes.stored, self.sizes.words)

    @cached_property
    def pieces(self) -> list[Evidence]:
        """The candidates."""
        return self.stored[: self.sizes.candidates]

    @cached_property
    def few(self) -> list[Evidence]:
        """What is read."""
        return self.stored[: self.sizes.read]

    @cached_property
    def evidence(self) -> list[Evidence]:
        """What a prompt is made of."""
        return self._pieces(self.sizes.evidence, self.sizes.evidence_words)

    @cached_property
    def search(self) -> FolderSearch:
        """Over all documents."""
        return FolderSearch(self.stored, embeddings=self.embeddings)

    @cached_property
    def facts(self) -> FactStore:
        """As the documentation opens one: a folder, the default index, the default embeddings."""
        if not self.sizes.facts:
            store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=self.embeddings)
            self._learn(store, [piece.text for piece in self.pieces])
            return store
        store = open_store(Path(self._folder.name) / "facts", embeddings=self.own)
        self._learn(store, list(_facts(self.sizes.facts, self._random)))
        return store

    def generator(self) -> ChatGenerator:
        """Writes an answer of `words` words and looks something up once."""
        return ChatGenerator(WordsModel(words=self.sizes.words), retriever=self.search, trigger=Once())

    @property
    def writing(self) -> float:
        """For how many milliseconds a model is waited for while it writes that answer."""
        return self.sizes.wait * (1 + self.sizes.words / 25)

    def _learn(self, store: FactStore, texts: Sequence[str]) -> None:
        for start in range(0, len(texts), 10):
            name = f"paper-{start}"
            when = Interval.of_day(1990 + start // 10 % 30, 5, 6)
            facts = [Fact.make(text) for text in texts[start : start + 10]]
            store.apply(name, [AddFact(document=name, when=when, known_at=NOW, fact=fact) for fact in facts])
        store.flush()

    def _pieces(self, count: int, words: int) -> list[Evidence]:
        """Sentences of the example corpus, drawn anew for each document."""
        # What was published later would be left out by wrappers, and not by the pieces inside.
        source = split_known(load_documents(EXAMPLES / "corpus").documents, as_of=NOW)[0]
        sentences = [sentence.text for each in source for sentence in split_sentences(each.text)]
        made = []
        for number in range(count):
            text: list[str] = []
            while sum(len(each.split()) for each in text) < words:
                text.append(self._random.choice(sentences))
            like = self._random.choice(source)
            url = f"https://example.org/{number}"
            made.append(
                Evidence.make(" ".join(text), title=like.title, source="Example", url=url, published=like.published)
            )
        return made


def metadata(piece: Evidence) -> dict[str, Any]:
    """Eight fields, as loaders and splitters leave them."""
    return {
        "title": piece.title,
        "source": piece.url,
        "url": piece.url,
        "published": str(piece.published),
        "author": "A. Writer",
        "language": "en",
        "page": 3,
        "tags": ["archive", "town"],
    }


def documents(pieces: Sequence[Evidence]) -> list[Document]:
    """The same as LangChain documents."""
    return [Document(piece.text, metadata=metadata(piece)) for piece in pieces]


def _facts(count: int, chance: random.Random) -> Iterator[str]:
    roles = ["mayor", "director", "chair", "editor", "owner", "coach", "head", "keeper"]
    for number in range(count):
        yield f"The {chance.choice(roles)} of Place {number // 8} is Person {number}."


class WordsModel(BaseChatModel):
    """Streams so many words."""

    words: int

    @property
    def _llm_type(self) -> str:
        return "words"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for number in range(self.words):
            yield ChatGenerationChunk(message=AIMessageChunk("answer." if number % 12 == 11 else "answer "))


class AgentModel(BaseChatModel):
    """Calls the tool once, then answers."""

    @property
    def _llm_type(self) -> str:
        return "agent"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        call = {"name": "web_search", "args": {"query": "x"}, "id": "1", "type": "tool_call"}
        done = isinstance(messages[-1], ToolMessage)
        reply = AIMessage("The director was Person 2010.") if done else AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Known already."""
        return self


class Sure:
    """An estimator that takes no time."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Always the same."""
        return Certainty(reliable=0.9, misleading=0.05, uncertain=0.05)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """The same."""
        return self.estimate(question, evidence=evidence, reading=reading)


class Learner:
    """An updater that takes no time."""

    def update(self, evidence: Sequence[Evidence], *, known_at: datetime) -> list[Any]:
        """Learns nothing."""
        return []
