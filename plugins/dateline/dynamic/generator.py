"""Dynamic retrieval with a causal language model of transformers (DRAGIN, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dateline.dynamic.attention import LastLayer
from dateline.dynamic.base import RetrievingGenerator, search_of
from dateline.dynamic.options import MOST_WINDOW, GenerationOptions, WhenSpent
from dateline.dynamic.prompt import Layout, PlainLayout
from dateline.dynamic.queries import AttentionQuery, Query
from dateline.dynamic.run import GenerationRun
from dateline.dynamic.sampling import Chooser, Sampling
from dateline.dynamic.session import TokenSession
from dateline.dynamic.triggers import Trigger
from dateline.errors import require
from dateline.pretrained import context_tokens as context_of
from dateline.pretrained import end_tokens
from dateline.temporal.constraint import Question


class DynamicGenerator(RetrievingGenerator):
    """A local language model that retrieves documents while it writes.

    A trigger decides when to retrieve, a query what to search for. The model is only read, so other threads may use it
    meanwhile. One generator serves many generations, also at once.
    """

    def __init__(
        self,
        model: Any,
        *,
        tokenizer: Any,
        retriever: Any,
        trigger: Trigger,
        query: Query | None = None,
        layout: Layout | None = None,
        sampling: Sampling | None = None,
        k: int = 3,
        document_words: int = 100,
        max_new_tokens: int = 128,
        max_retrievals: int | None = None,
        when_spent: WhenSpent = "continue",
        stop_at: Sequence[str] = (),
        context_tokens: int | None = None,
    ) -> None:
        """Put the parts together.

        Args:
            model: a causal language model of transformers.
            tokenizer: its tokenizer.
            retriever: an dateline `Search`, a LangChain `BaseRetriever` or a LlamaIndex retriever.
            trigger: when to look something up.
            query: what to look up; by default the words attended to (QFS).
            layout: how prompts are written; by default `PlainLayout()`.
            sampling: how tokens are drawn; `None` for greedy decoding.
            k: documents in front of the answer, the new ones replacing the earlier ones.
            document_words: longer documents are cut to the stretch of so many words nearest to the query.
            max_new_tokens: of the answer.
            max_retrievals: how often the retriever may be asked in one generation; `None` for no limit but that it is
                asked at most once before the first token and once at each position.
            when_spent: what happens when no retrieval is left.
            stop_at: texts that end the answer and are not part of it ("\\nQuestion:").
            context_tokens: of the model; by default what its configuration says.

        Raises:
            BadInput: for values out of range, an unusable retriever, or a model that shows no attention where the
                trigger or the query needs it.
            MissingExtra: without torch and transformers.
        """
        require("torch", package="torch", extra="transformers")
        require("transformers", package="transformers", extra="transformers")
        self.model = model
        self.search = search_of(retriever)
        self.options = GenerationOptions(
            tokenizer=tokenizer,
            trigger=trigger,
            query=AttentionQuery() if query is None else query,
            layout=PlainLayout() if layout is None else layout,
            context_tokens=(context_of(model) or MOST_WINDOW) if context_tokens is None else context_tokens,
            end_tokens=end_tokens(model, tokenizer=tokenizer),
            sampling=sampling,
            k=k,
            document_words=document_words,
            max_new_tokens=max_new_tokens,
            max_retrievals=max_retrievals,
            when_spent=when_spent,
            stop_at=stop_at,
        )
        self._last_layer = self._watched()

    @property
    def _attends(self) -> bool:
        return self.options.trigger.needs_attention or self.options.query.needs_attention

    def _check(self) -> None:
        self._last_layer = self._last_layer or self._watched()

    def _watched(self) -> LastLayer | None:
        if not self._attends:
            return None
        layer = LastLayer(self.model)
        probe = TokenSession(self.model, watch=layer, chooser=Chooser(None, device=self.model.device))
        probe.set([min(self.options.end_tokens, default=0)])  # a model that shows nothing is refused here, not later
        return layer

    def _loop(self, text: str, *, question: Question | None, interrupted: Callable[[], bool]) -> GenerationRun:
        chooser = Chooser(self.options.sampling, device=self.model.device)
        session = TokenSession(self.model, watch=self._last_layer if self._attends else None, chooser=chooser)
        return GenerationRun(text, question, self.options, session, self.search, interrupted)
