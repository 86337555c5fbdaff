"""Options of the generate graph, and the generator that they describe."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, get_args

from langchain_core.language_models import BaseChatModel
from pydantic import Field, field_validator

from dateline import BadInput
from dateline.dynamic import (
    Bm25Search,
    ChatGenerator,
    DynamicGenerator,
    MethodName,
    RetrievingGenerator,
    calibrate,
    method,
)
from dateline.dynamic.hyperparameters import TABLE_9, Hyperparameters, PaperDataset, PaperModel
from dateline.dynamic.methods import CALIBRATED
from dateline.dynamic.prompt import ChatLayout, PlainLayout
from dateline.pretrained import model_path, shared_pretrained
from dateline.protocols import Search
from dateline.search.index.opening import is_address
from dateline.search.shared import once_for_folder, shared_folder_search
from dateline_graphs.models import chat_model
from dateline_graphs.options import GraphOptions, Model

LENGTH, QUERY_TOKENS = 128, 25
"""Tokens of an answer and of a query where neither a run nor the paper says how many; chosen by hand."""

RATE = 2.0
"""Retrievals that the threshold of dragin is calibrated to on the question itself, where none is given."""


class WritingOptions(GraphOptions):
    """Options of writing an answer, bounded; a client may send them."""

    method: MethodName = Field(
        default="dragin-sentence",
        description="When to look something up. dragin, flare, fl-rag, fs-rag, sr-rag, wo-rag as in the paper; "
        "dragin-sentence asks with the sentence in doubt, dragin-first before the first word too; models behind an API know entropy and look-ahead instead.",
    )
    theta: float | None = Field(
        default=None, ge=0, description="The method's threshold. Unset: the method's own; dragin's is calibrated."
    )
    n: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description=f"Tokens of the query, and between retrievals of fl-rag. Unset: {QUERY_TOKENS}, or the paper's for the query.",
    )
    paper: str = Field(
        default="",
        description="Table 9's theta, n and length, where unset, by name: llama2-13b-chat/hotpotqa (for dragin-published).",
    )
    k: int = Field(default=3, ge=1, le=100, description="Documents in front of the answer.")
    max_new_tokens: int | None = Field(
        default=None,
        ge=1,
        le=100_000,
        description=f"The most tokens of the answer. Unset: {LENGTH}, or the paper's.",
    )
    max_retrievals: int | None = Field(
        default=None, ge=0, description="How often documents are looked up at most. Unset: no limit."
    )

    @property
    def length(self) -> int:
        """Return the most tokens of the answer, set or not."""
        return self.max_new_tokens or (table_9(self.paper).generate_length if self.paper else LENGTH)

    @field_validator("paper")
    @classmethod
    def _in_table_9(cls, value: str) -> str:
        if value:
            table_9(value)
        return value


class _GeneratorParts(GraphOptions):
    """Model and documents of a generator; the developer's."""

    model: Model = Field(
        default="",
        description="A folder with a model of transformers, a GGUF file, or a chat model such as openai:gpt-4o-mini.",
    )
    docs: str = Field(
        default="", description="A folder of documents, one file of them, or the address of a library in PostgreSQL."
    )


class GenerateOptions(WritingOptions, _GeneratorParts):
    """Options of the generate graph and of `dateline generate`.

    Example:
        >>> GenerateOptions(model="openai:gpt-4o-mini", docs="notes/", method="entropy").k
        3
    """


def table_9(name: str) -> Hyperparameters:
    """Find a cell of Table 9 by its name, `model/data set`.

    Raises:
        BadInput: for an unknown one.
    """
    model, _, dataset = name.partition("/")
    models, datasets = get_args(PaperModel), get_args(PaperDataset)
    if model not in models or dataset not in datasets:
        raise BadInput(
            f"Table 9 has no {name!r}; write model/data set with one of {', '.join(models)} and {', '.join(datasets)}."
        )
    return TABLE_9[model][dataset]  # type: ignore[index]


def generator_for(options: GenerateOptions, *, question: str = "") -> RetrievingGenerator:
    """Make the generator that options describe; read models and documents once.

    Where dragin (or entropy) comes without theta it is calibrated on `question`, which costs three generations.

    Raises:
        BadInput: without model or documents, for an unreadable folder or an unknown model.
        MissingExtra: when a local model is named and torch or transformers is not installed.
    """
    paper = table_9(options.paper) if options.paper else None
    theta = options.theta if options.theta is not None else paper.threshold if paper else None
    unset = theta is None and options.method in (*CALIBRATED, "dragin-published")
    if unset and options.method == "dragin-published":
        raise BadInput("dragin-published needs theta, or paper for one of Table 9, such as llama2-13b-chat/hotpotqa.")
    # The paper's n is of the query of dragin alone (section 5.4: fl-rag asks with "the closest 25 tokens").
    usual = paper.n if paper and options.method != "fl-rag" else QUERY_TOKENS
    chosen = method(options.method, threshold=0.0 if unset else theta, n=options.n or usual)
    given: dict[str, Any] = {
        "retriever": _documents(options.docs),
        "trigger": chosen.trigger,
        "query": chosen.query,
        "k": options.k,
        "max_new_tokens": options.length,
        "max_retrievals": options.max_retrievals,
    }
    generator = _around(options.model, given)
    return calibrated(generator, question=question) if unset and question else generator


def calibrated(generator: RetrievingGenerator, *, question: str) -> RetrievingGenerator:
    """Calibrate the generator to ask about twice on this question."""
    found = calibrate(generator.with_options(max_retrievals=None), questions=[question], rate=RATE)
    return generator.with_options(trigger=found.trigger)


def _around(model: str | BaseChatModel, given: dict[str, Any]) -> RetrievingGenerator:
    if not model:
        raise BadInput("No model is given; name a folder or GGUF file with a model, or openai:gpt-4o-mini.")
    path = model_path(model)
    if path is None:
        if given["trigger"].needs_attention and (not isinstance(model, str) or ":" in model):
            raise BadInput("dragin needs attention, which no API shows; choose entropy, flare or look-ahead.")
        return ChatGenerator(chat_model(model), **given)
    loaded, tokenizer = shared_pretrained(str(path.resolve()))
    layout = ChatLayout(tokenizer) if getattr(tokenizer, "chat_template", None) else PlainLayout()
    return DynamicGenerator(loaded, tokenizer=tokenizer, layout=layout, **given)


def _documents(docs: str) -> Search:
    if not docs:
        raise BadInput("No documents are given; set docs to a folder of documents or one file of them.")
    if is_address(docs):
        from dateline_graphs.components import shared_embeddings

        return shared_folder_search(docs, embeddings=shared_embeddings())
    return once_for_folder(docs, partial(Bm25Search.open, Path(docs)), key="words")
