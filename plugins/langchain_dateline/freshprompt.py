"""`FreshPromptTemplate`: FreshPrompt as a LangChain chat prompt (FreshLLMs, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.prompts import BaseChatPromptTemplate
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.pydantic import create_model_v2
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from dateline import Evidence, Question
from dateline.documents import DateFieldOption
from dateline.errors import BadInput
from dateline.evidence import FreshPrompt, Prompt, Sizes
from dateline.evidence.demonstrations import Style
from dateline.evidence.freshprompt import SizeName
from dateline.evidence.order import Order
from dateline.evidence.prepare import Cut
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, AsOfField, ClockField, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from dateline.temporal.run_day import day_in
from dateline.text import TokenCounter
from langchain_dateline.documents import asked_of, without_later_entries
from langchain_dateline.evidence import evidence_from
from langchain_dateline.io_fields import given_documents
from langchain_dateline.prompt_parsing import day_of_context, passages


@checked_arguments
class FreshPromptTemplate(BaseChatPromptTemplate):
    """A chat prompt: worked examples, evidence from oldest to newest, the question.

    Input: `question` (or `input`), and as wanted `documents` (LangChain's, or `context`, its own name for them) or `evidence`
    (dateline's), best first unless they come from an `EvidenceRetriever`, which numbers them; `as_of`; `choices`, of which the
    answer is to be one; `conflicts` to show. Retrieved text enters as data. A `context` that is text, as
    `create_stuff_documents_chain` writes it, is read by its blank lines and the `date:` lines of `DatedDocuments`; its day is
    the one that `dated_context` begins with.

    Example:
        >>> from langchain_core.documents import Document
        >>> notes = [Document("Ben leads Acme.", metadata={"date": "2021"})]
        >>> prompt = FreshPromptTemplate(sizes="small", as_of="2024-06-01")
        >>> messages = prompt.invoke({"question": "Who leads Acme?", "documents": notes}).to_messages()
        >>> print(messages[-1].text.partition("\\n\\nReply")[0])
        [E1] source: unknown
        date: 2021
        text: Ben leads Acme.
        <BLANKLINE>
        asked on: Jun 1, 2024
        question: Who leads Acme?
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    input_variables: list[str] = Field(default=["question", "context"], description="As chains of LangChain name them.")
    optional_variables: list[str] = Field(default=["input", "documents", "evidence", "as_of", "choices", "conflicts"])
    sizes: Sizes | SizeName = Field(default="best", description="The paper's settings by name, or numbers of your own.")
    order: Order = Field(default="time", description="How evidence is ordered.")
    cut: Cut = Field(default="balanced", description="What goes first when there is too much of it.")
    style: Style = Field(default="concise", description="Concise or verbose answers in the worked examples.")
    check_premise: bool = Field(default=False, description="Ask for a check of the question's premise.")
    budget: int = Field(default=8_000, description="Tokens that the whole prompt never exceeds.")
    count: TokenCounter | None = Field(default=None, exclude=True, description="Counts tokens; None: dateline's own.")
    overview: bool = Field(default=False, description="Whether an engine's AI overview may be evidence.")
    seed: int = Field(default=0, description="For random order.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    date_field: DateFieldOption = ()
    clock: ClockField = now
    _prompt: FreshPrompt = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Build the prompt once, so that bad settings are refused now."""
        given = {each.name: getattr(self, each.name) for each in fields(FreshPrompt) if each.init}
        self._prompt = FreshPrompt(**given)

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """No: a clock and a counter are code."""
        return False

    @property
    def _prompt_type(self) -> str:
        return "fresh_prompt"

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        """Return the schema of the inputs; the question alone is required."""
        others = [name for name in (*self.input_variables, *self.optional_variables) if name != "question"]
        fields: dict[str, Any] = {"question": (str, ...), **dict.fromkeys(others, (Any, None))}
        return create_model_v2("PromptInput", field_definitions=fields)

    def _validate_input(self, inner_input: Any) -> dict[str, Any]:
        given = dict(inner_input) if isinstance(inner_input, Mapping) else {"question": inner_input}
        named = given.get("question") or given.get("input")
        # A chain's own name, which not every caller has; one that `partial` filled is no longer asked for.
        empty = {"context": ()} if "context" in self.input_variables else {}
        return super()._validate_input({**empty, **given, **({"question": named} if named is not None else {})})

    def format_messages(self, **kwargs: Any) -> list[BaseMessage]:
        """The messages. Raises `BadInput` as `build` does."""
        return self.build(**self._merge_partial_and_user_variables(**kwargs)).messages()

    def build(
        self,
        *,
        question: str | Question,
        documents: Sequence[Document] = (),
        context: Sequence[Document] | str = (),
        evidence: Sequence[Evidence] = (),
        as_of: AsOf = None,
        choices: Sequence[str] = (),
        conflicts: Sequence[Any] = (),
        **others: Any,
    ) -> Prompt:
        """Build the prompt, with its contents, omissions and tokens.

        Further inputs are ignored.

        Raises:
            BadInput: for documents and evidence together or under another name, a question without text, or an
                unreadable `as_of`.
        """
        day_in(others)  # refuses a misspelt as_of
        given = given_documents({"documents": documents, "context": context, **others}, needed=False)[1]
        if given and evidence:
            raise BadInput("Give documents or evidence, not both: which of them is better could not be told.")
        moment = self._moment(as_of, given)
        asked = question if isinstance(question, Question) else decompose(question, as_of=moment)
        read = passages(given) if isinstance(given, str) else self._read(given, as_of=asked.as_of)
        return self._prompt.build(asked, evidence=list(evidence) or read, conflicts=conflicts, choices=choices)

    def pretty_repr(self, html: bool = False) -> str:
        """Return the prompt as it reads without evidence."""
        return self.build(question="{question}").text

    def _read(self, documents: Sequence[Document], *, as_of: datetime) -> list[Evidence]:
        known = without_later_entries(documents, as_of=as_of, date_field=self.date_field)
        return evidence_from(known, date_field=self.date_field)

    def _moment(self, as_of: AsOf, given: Sequence[Document] | str = ()) -> datetime:
        if isinstance(given, str):
            return asking_moment(as_of, self.as_of, day_of_context(given), clock=self.clock)
        return asked_of(given, as_of, self.as_of, clock=self.clock)
