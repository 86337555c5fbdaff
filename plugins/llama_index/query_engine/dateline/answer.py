"""`AnswerQueryEngine`: the answer workflow in the place of a query engine."""

from __future__ import annotations

from llama_index.core.async_utils import asyncio_run
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import QueryBundle

from dateline.errors import BadInput
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, checked
from llama_index.workflow.dateline import AnswerWorkflow


@checked_arguments
class AnswerQueryEngine(BaseQueryEngine):
    """A query engine that runs an `AnswerWorkflow` for each question.

    Args:
        workflow: whose `Response` is given.
        as_of: the asking moment; `None`: when called.

    Raises:
        BadInput: for an unreadable date, or what is no workflow.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.testing import FixedSearch, ReadingEstimator
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> search = FixedSearch([Evidence.make("Ben Hall became director of Acme in 2021.")])
        >>> workflow = AnswerWorkflow(search, reader=ExtractiveReader(), embeddings=LexicalEmbeddings(),
        ...                           estimator=ReadingEstimator())
        >>> str(AnswerQueryEngine(workflow, as_of="2024").query("Who is the director of Acme?"))
        'Ben Hall'
    """

    def __init__(
        self,
        workflow: AnswerWorkflow,
        *,
        as_of: AsOf = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        super().__init__(callback_manager)
        if not isinstance(workflow, AnswerWorkflow):
            raise BadInput(f"{type(workflow).__name__} is no workflow; write AnswerQueryEngine(AnswerWorkflow(index)).")
        self._workflow, self._as_of = workflow, checked(as_of)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response: RESPONSE_TYPE = asyncio_run(self._aquery(query_bundle))
        return response

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response: RESPONSE_TYPE = await self._workflow.run(question=query_bundle.query_str, as_of=self._as_of)
        return response
