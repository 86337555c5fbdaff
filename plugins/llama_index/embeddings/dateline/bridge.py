"""`as_embeddings`: a LlamaIndex embedding model wherever dateline takes embeddings."""

from __future__ import annotations

from langchain_core.embeddings import Embeddings
from llama_index.core.base.embeddings.base import BaseEmbedding

from dateline.errors import BadInput
from llama_index.embeddings.dateline.local import LocalEmbedding


class BridgedEmbeddings(Embeddings):
    """LangChain embeddings that ask a LlamaIndex model; made by `as_embeddings`."""

    def __init__(self, model: BaseEmbedding) -> None:
        self.model = model

    @property
    def name(self) -> str:
        """The model's name, by which re-retrieval weighs its vectors."""
        return self.model.model_name

    @property
    def kept_as(self) -> str | None:
        """The name under which vectors may outlive the process."""
        # Of other models nobody knows whether they are the same tomorrow, nor what a subclass changes.
        return getattr(self.model.embeddings, "kept_as", None) if type(self.model) is LocalEmbedding else None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text, in batches of the model's own size."""
        return self.model.get_text_embedding_batch(list(texts))

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self.model.get_query_embedding(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed documents asynchronously."""
        return await self.model.aget_text_embedding_batch(list(texts))

    async def aembed_query(self, text: str) -> list[float]:
        """Embed query asynchronously."""
        return await self.model.aget_query_embedding(text)


def as_embeddings(model: BaseEmbedding | Embeddings) -> Embeddings:
    """Return LangChain embeddings, which dateline's parts take, for a LlamaIndex model.

    LangChain's own pass through.

    Raises:
        BadInput: for anything else.
    """
    if isinstance(model, Embeddings):
        return model
    if not isinstance(model, BaseEmbedding):
        raise BadInput(
            f"{type(model).__name__} embeds nothing; pass a LlamaIndex embedding model or LangChain embeddings."
        )
    return BridgedEmbeddings(model)
