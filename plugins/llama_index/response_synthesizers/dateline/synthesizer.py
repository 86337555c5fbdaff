"""`ReaderSynthesizer`: a dateline reader, or a language model, as a response synthesiser."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Generator, Sequence
from datetime import datetime
from typing import Any

from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.llms import LLM, MockLLM
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.types import RESPONSE_TEXT_TYPE

from dateline import Cost, Evidence, Reading
from dateline.documents import DateField
from dateline.documents.rules import date_rules
from dateline.errors import BadInput
from dateline.evidence.knowledge import split_known
from dateline.evidence.sanitize import MAX_SHOWN, inert
from dateline.flow import Flow, arun, call, run
from dateline.options import checked_arguments, wrong_part
from dateline.protocols import Reader, ReadResult
from dateline.reading import ChatReader, local_reader
from dateline.temporal.as_of import AsOf, Clock, checked, now
from dateline.temporal.decomposition import decompose
from llama_index.llms.dateline import as_chat_model
from llama_index.node_parser.dateline.parts import check_parts
from llama_index.postprocessor.dateline.asked import asked_of
from llama_index.postprocessor.dateline.nodes import shown_to_model, without_later_entries

READING = "dateline"
"""The key of a response's metadata that holds probability, no_answer, candidates, evidence, reasoning and cost."""


@checked_arguments
class ReaderSynthesizer(BaseSynthesizer):
    """A synthesiser that answers from dated nodes; it needs no LLM.

    Dates come from the nodes' metadata; what was published after the asking day is not read, nor are titles and sources
    that a node keeps from models. The response's metadata hold the reading under "dateline", its `evidence_ids` being the
    ids of nodes.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> from llama_index.core.schema import NodeWithScore, TextNode
        >>> nodes = [NodeWithScore(node=TextNode(text="Ben Hall became director of Acme in 2021."))]
        >>> synthesizer = ReaderSynthesizer(reader=ExtractiveReader(), as_of="2024")
        >>> str(synthesizer.synthesize("Who is the director of Acme?", nodes))
        'Ben Hall'
    """

    def __init__(
        self,
        reader: Reader | None = None,
        *,
        llm: LLM | None = None,
        as_of: AsOf = None,
        date_field: DateField = (),
        clock: Clock = now,
        streaming: bool = False,
        empty_response: str = "unknown",
        **kwargs: Any,
    ) -> None:
        """Take a reader.

        Args:
            reader: by default dateline's local one.
            llm: a model of LlamaIndex's, asked with FreshPrompt, in the place of a reader.
            as_of: the asking moment; `None`: when called.
            date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
            streaming: whether the answer comes word by word.
            empty_response: what is said where nothing answers.
            kwargs: go to LlamaIndex's own `BaseSynthesizer`.

        Raises:
            BadInput: for an unreadable date, a reader or an `llm` that is none, or both at once.
        """
        if reader is not None and llm is not None:
            raise BadInput("Give a reader or an llm, not both; the reader decides what is asked.")
        check_parts(reader=reader)
        if llm is not None and not isinstance(llm, LLM):
            raise wrong_part(llm, name="llm", give="a language model of LlamaIndex's, such as OpenAI()")
        # Without a stand-in the base class would look for the settings' LLM, and for its key.
        super().__init__(llm=llm or MockLLM(), streaming=streaming, empty_response=empty_response, **kwargs)
        own = reader or local_reader()
        self._reader = own if llm is None else ChatReader(as_chat_model(llm), scout=own)
        self._as_of = checked(as_of, clock=clock)
        self._date_field, self._clock = date_rules(date_field), clock

    def synthesize(
        self,
        query: str | QueryBundle,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """Answer from `nodes`, best first.

        `as_of` and `choices` may be given with the call.
        """
        seen: list[dict[str, Any]] = []
        response = super().synthesize(
            query, nodes, additional_source_nodes, **{**response_kwargs, "dated": nodes, "seen": seen}
        )
        return self._with_reading(response, seen, nodes, **response_kwargs)

    async def asynthesize(
        self,
        query: str | QueryBundle,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """Synthesize asynchronously."""
        seen: list[dict[str, Any]] = []
        response = await super().asynthesize(
            query, nodes, additional_source_nodes, **{**response_kwargs, "dated": nodes, "seen": seen}
        )
        return self._with_reading(response, seen, nodes, **response_kwargs)

    def get_response(self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any) -> RESPONSE_TEXT_TYPE:
        """Answer from texts; `synthesize` answers from nodes, which alone have dates."""
        text = run(self._answer(query_str, text_chunks, **response_kwargs))
        return _words(text) if self._streaming else text

    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        """Get response asynchronously."""
        text = await arun(self._answer(query_str, text_chunks, **response_kwargs))
        return _awords(text) if self._streaming else text

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        if prompts:
            raise BadInput("ReaderSynthesizer has no prompts of LlamaIndex's; give it a reader with other ones.")

    def _answer(
        self,
        text: str,
        texts: Sequence[str],
        *,
        dated: Sequence[NodeWithScore] | None = None,
        seen: list[dict[str, Any]] | None = None,
        as_of: AsOf = None,
        choices: Sequence[str] = (),
        **_: Any,
    ) -> Flow[str]:
        """Read the nodes, or plain texts; what was read goes into `seen`."""
        question = decompose(text, as_of=self._moment(dated or (), as_of))
        nodes = without_later_entries(dated or (), as_of=question.as_of, date_field=self._date_field)
        shown = shown_to_model(nodes, date_field=self._date_field)
        pieces = [Evidence.make(each) for each in texts] if dated is None else shown
        known = split_known(pieces, as_of=question.as_of)[0]
        result = yield from call(self._reader.read, question, evidence=known, choices=choices)
        if seen is not None:
            seen.append(_record(result, question.as_of))
        return inert(result.reading.answer, limit=MAX_SHOWN) or self._empty_response

    def _with_reading(
        self,
        response: RESPONSE_TYPE,
        seen: Sequence[dict[str, Any]],
        nodes: Sequence[NodeWithScore],
        *,
        as_of: AsOf = None,
        **_: Any,
    ) -> RESPONSE_TYPE:
        """Put what was read into the response's metadata; without nodes nothing was."""
        # LlamaIndex asks nothing without nodes; a model would answer from memory.
        nothing = ReadResult(Reading(answer="", no_answer=1.0), Cost())
        record = seen[0] if seen else _record(nothing, self._moment(nodes, as_of))
        response.metadata = {**(response.metadata or {}), READING: record}
        return response

    def _moment(self, nodes: Sequence[NodeWithScore], as_of: AsOf) -> datetime:
        return asked_of(nodes, as_of, self._as_of, clock=self._clock)


def _record(read: ReadResult, as_of: datetime) -> dict[str, Any]:
    cost = read.cost.model_dump(mode="json")
    return {**read.reading.model_dump(mode="json"), "as_of": as_of.isoformat(), "cost": cost}


def _words(text: str) -> Generator[str, None, None]:
    yield from re.findall(r"\S+\s*|\s+", text)


async def _awords(text: str) -> AsyncGenerator[str, None]:
    for word in _words(text):
        yield word
