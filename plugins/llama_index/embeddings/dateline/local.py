"""`LocalEmbedding`: dateline's local embeddings as a LlamaIndex embedding model."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import Field

from dateline.errors import BadInput
from dateline.text import default_embeddings


class LocalEmbedding(BaseEmbedding):
    """A LlamaIndex embedding model without key or network.

    For `VectorStoreIndex(nodes, embed_model=LocalEmbedding())`.

    By default all-MiniLM-L6-v2 where the extra "embeddings" is installed, else lexical vectors; `model_name` says
    which. Any other LangChain embeddings do as well.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> len(LocalEmbedding(LexicalEmbeddings()).get_text_embedding("Ben leads Acme."))
        1024
    """

    embeddings: Embeddings = Field(exclude=True, description="What makes the vectors.")

    def __init__(self, embeddings: Embeddings | None = None, **kwargs: Any) -> None:
        """`kwargs` go to LlamaIndex's own `BaseEmbedding`.

        Raises:
            BadInput: for the name of other embeddings than dateline's own, as of a stored form, without them.
        """
        chosen = default_embeddings() if embeddings is None else embeddings
        name = str(getattr(chosen, "name", "") or type(chosen).__name__)
        if embeddings is None and (told := kwargs.get("model_name", name)) != name:
            raise BadInput(
                f"The embeddings {told!r} are not dateline's own, {name!r}, and not stored; give them again."
            )
        super().__init__(**{"model_name": name, "embeddings": chosen, **kwargs})

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex serialises it under."""
        return "DatelineLocalEmbedding"

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.embeddings.embed_query(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self.embeddings.embed_documents(texts)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)
