"""Graphiti behind the checks of `memories_checks.py`, on Kuzu, the database it can embed; runs in an environment of its own."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import warnings
from collections.abc import Coroutine, Iterable
from datetime import UTC, datetime
from typing import Any, TypeVar

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client import LLMClient
from graphiti_core.nodes import EpisodeType
from graphiti_core.search.search_filters import ComparisonOperator, DateFilter, SearchFilters
from graphiti_core.utils.bulk_utils import RawEpisode
from memories_checks import FACTS, LOOKING, WAITING, CannotError, directors, needs_argument, report
from memories_world import Document, Reader, statements, vector_of

T = TypeVar("T")


class ReaderClient(LLMClient):
    """The scripted model, answering each of Graphiti's questions in the form that it asks for."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(None)
        self.reader = reader

    async def _generate_response(
        self, messages: list[Any], response_model: Any = None, *args: Any, **kwargs: Any
    ) -> dict[str, Any]:
        prompt = "\n".join(message.content for message in messages)
        self.reader.called(prompt)
        answer: dict[str, Any] = getattr(self, f"_{response_model.__name__}")(prompt)
        return answer

    def _ExtractedEntities(self, prompt: str) -> dict[str, Any]:
        return {"extracted_entities": _entities(_section(prompt, "TEXT"))}

    def _ExtractedEdges(self, prompt: str) -> dict[str, Any]:
        """Dated as the prompt wants it: since the first of January of a bare year, else since the reference time."""
        day = _day(_section(prompt, "REFERENCE_TIME"))
        edges = _edges(_section(prompt, "CURRENT_MESSAGE"))
        for edge, since in edges if self.reader.dates else ():
            edge["valid_at"] = f"{since}-01-01T00:00:00Z" if since else f"{day}T00:00:00Z"
        return {"edges": [edge for edge, _ in edges]}

    def _CombinedExtraction(self, prompt: str) -> dict[str, Any]:
        text = _section(prompt, "CURRENT MESSAGES")
        return {"extracted_entities": _entities(text), "edges": [edge for edge, _ in _edges(text)]}

    def _NodeResolutions(self, prompt: str) -> dict[str, Any]:
        known = {each["name"]: each["candidate_id"] for each in json.loads(_section(prompt, "EXISTING ENTITIES"))}
        return {
            "entity_resolutions": [
                {"id": each["id"], "name": each["name"], "duplicate_candidate_id": known.get(each["name"], -1)}
                for each in json.loads(_section(prompt, "ENTITIES"))
            ]
        }

    def _EdgeDuplicate(self, prompt: str) -> dict[str, Any]:
        new = _section(prompt, "NEW FACT")
        same = ast.literal_eval(_section(prompt, "EXISTING FACTS"))
        candidates = ast.literal_eval(_section(prompt, "FACT INVALIDATION CANDIDATES"))
        against = [each["idx"] for each in (*same, *candidates) if self.reader.contradicts(new, each["fact"])]
        return {
            "duplicate_facts": [each["idx"] for each in same if each["fact"] == new],
            "contradicted_facts": against,
        }

    def _EdgeTimestamps(self, prompt: str) -> dict[str, Any]:
        return {"valid_at": f"{_day(_section(prompt, 'REFERENCE TIME'))}T00:00:00Z"}

    def _BatchEdgeTimestamps(self, prompt: str) -> dict[str, Any]:
        facts = json.loads(_section(prompt, "FACTS"))
        return {"timestamps": [{"valid_at": f"{_day(each['reference_time'])}T00:00:00Z"} for each in facts]}

    def _SummarizedEntities(self, prompt: str) -> dict[str, Any]:
        return {"summaries": []}


class SharedEmbedder(EmbedderClient):
    """The vectors that all memories are given."""

    async def create(self, input_data: Any) -> list[float]:
        return vector_of(input_data if isinstance(input_data, str) else " ".join(map(str, input_data)))

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [vector_of(text) for text in input_data_list]


class NoCrossEncoder(CrossEncoderClient):
    """Not asked: the default search fuses ranks."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        raise NotImplementedError


class GraphitiMemory:
    """Episodes of text, added one after the other and searched by `Graphiti.search`."""

    def __init__(self, reader: Reader) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            driver = KuzuDriver()
        self.loop = asyncio.new_event_loop()
        self.graph = Graphiti(
            graph_driver=driver,
            llm_client=ReaderClient(reader),
            embedder=SharedEmbedder(),
            cross_encoder=NoCrossEncoder(),
        )
        if reader.meet > 1:
            raise CannotError("documents are to be added one after the other")
        # The driver's own method does nothing on Kuzu; the indices of full text are made by this one.
        self._run(driver.graph_ops.build_indices_and_constraints(driver))

    def add(self, document: Document) -> str:
        added = self._run(
            self.graph.add_episode(
                name=f"Gazette of {document.day}",
                episode_body=document.text,
                source_description="newspaper",
                reference_time=_moment(document.day),
                source=EpisodeType.text,
            )
        )
        return str(added.episode.uuid)

    def add_bulk(self, *documents: Document) -> None:
        """The way in for many documents at once."""
        episodes = [
            RawEpisode(
                name=f"Gazette of {document.day}",
                content=document.text,
                source_description="newspaper",
                source=EpisodeType.text,
                reference_time=_moment(document.day),
            )
            for document in documents
        ]
        self._run(self.graph.add_episode_bulk(episodes))

    def search(self, question: str) -> list[str]:
        return _texts(self._run(self.graph.search(question)))

    def current(self, question: str) -> list[str]:
        open_ones = SearchFilters(invalid_at=[[DateFilter(comparison_operator=ComparisonOperator.is_null)]])
        return _texts(self._run(self.graph.search(question, search_filter=open_ones)))

    def at(self, question: str, *, day: str) -> list[str]:
        begun = DateFilter(date=_moment(day), comparison_operator=ComparisonOperator.less_than_equal)
        ends = DateFilter(date=_moment(day), comparison_operator=ComparisonOperator.greater_than)
        never = DateFilter(comparison_operator=ComparisonOperator.is_null)
        held = SearchFilters(valid_at=[[begun]], invalid_at=[[ends], [never]])
        return _texts(self._run(self.graph.search(question, search_filter=held)))

    def everything(self) -> list[str]:
        return sorted(_texts(self._run(EntityEdge.get_by_group_ids(self.graph.driver, [""]))))

    def since(self, question: str) -> str:
        (edge, *_) = self._run(self.graph.search(question))
        return str(edge.valid_at)

    def remove(self, added: Any) -> None:
        self._run(self.graph.remove_episode(added))

    def propose(self, document: Document) -> None:
        needs_argument(Graphiti.add_episode, called="add_episode", words=WAITING)

    def preview(self, document: Document) -> int:
        needs_argument(Graphiti.add_episode, called="add_episode", words=LOOKING)
        raise AssertionError

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(coroutine)


def remarks() -> dict[str, str]:
    """The same ten changed facts through the other way in, which is meant for many documents at once."""
    reader = Reader()
    memory = GraphitiMemory(reader)
    memory.add(directors(FACTS, day="2015-03-01"))
    before = reader.calls
    memory.add_bulk(directors(FACTS, day="2021-09-14", changed=True))
    return {"model calls of add_episode_bulk, one document that changes ten known facts": str(reader.calls - before)}


def _moment(day: str) -> datetime:
    """A `datetime`, which is what Graphiti takes; a bare year becomes its first of January, as its prompts have it."""
    return datetime.fromisoformat(day if "-" in day else f"{day}-01-01").replace(tzinfo=UTC)


def _entities(text: str) -> list[dict[str, Any]]:
    """Everybody and everything that statements name."""
    found = dict.fromkeys(each[group] for each in statements(text) for group in ("name", "place"))
    return [{"name": name, "entity_type_id": 0} for name in found]


def _edges(text: str) -> list[tuple[dict[str, Any], str | None]]:
    """The statements as relations from person to place, each with the year since which it says to hold."""
    return [
        (
            {
                "source_entity_name": each["name"],
                "target_entity_name": each["place"],
                "relation_type": "DIRECTOR_OF",
                "fact": each[0],
            },
            each["since"],
        )
        for each in statements(text)
    ]


def _day(text: str) -> str:
    (day,) = re.findall(r"\d{4}-\d\d-\d\d", text)
    return str(day)


def _texts(edges: Iterable[Any]) -> list[str]:
    return [edge.fact for edge in edges]


def _section(prompt: str, tag: str) -> str:
    """What stands between the first pair of a tag."""
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", prompt, re.S)
    if found is None:
        raise ValueError(f"A prompt without {tag}: this benchmark is due for another look.")
    return found[1].strip()


if __name__ == "__main__":
    report(GraphitiMemory, package="graphiti-core", remarks=remarks)
