"""LlamaIndex's own models and embeddings inside dateline's parts, and dateline's embeddings inside LlamaIndex."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    SystemMessage,
    SystemMessageChunk,
    ToolMessage,
)
from langchain_core.messages import ChatMessage as ChatMessageOfLangChain
from langchain_core.messages.ai import add_ai_message_chunks
from llama_index.core import VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LogProb
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.storage.kvstore import SimpleKVStore
from pydantic import PrivateAttr

from dateline import BadInput, Reading
from dateline.certainty.logprobs import LogprobEstimator
from dateline.ranking.hybrid import HybridRanker
from dateline.ranking.prepared import encoder_name
from dateline.temporal.decomposition import decompose
from dateline.text.embeddings import embed
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.testing import ScriptedChatModel
from llama_index.embeddings.dateline import LocalEmbedding, as_embeddings
from llama_index.llms.dateline import as_chat_model
from llama_index.postprocessor.dateline import TemporalReranker
from llama_index.response_synthesizers.dateline import ReaderSynthesizer

NOW = datetime(2024, 6, 1, tzinfo=UTC)


class Telling(MockLLM):
    """Says one thing, with usage and log-probabilities as providers report them, and keeps what it was asked."""

    _says: str = PrivateAttr("")
    _asked: list[list[ChatMessage]] = PrivateAttr(default_factory=list)
    _options: list[dict[str, Any]] = PrivateAttr(default_factory=list)
    _logprobs: list[list[LogProb]] | None = PrivateAttr(None)

    def __init__(self, says: str, logprobs: list[list[LogProb]] | None = None) -> None:
        super().__init__()
        self._says, self._logprobs = says, logprobs

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        self._asked.append(list(messages))
        self._options.append(kwargs)
        usage = {"usage": {"prompt_tokens": 11, "completion_tokens": 3}}
        message = ChatMessage(role="assistant", content=self._says)
        return ChatResponse(message=message, raw=usage, logprobs=self._logprobs)

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self.chat(messages, **kwargs)


async def test_a_model_of_llama_index_is_asked_with_every_message_in_its_role() -> None:
    llm = Telling("fine")
    model = as_chat_model(llm)
    messages = [SystemMessage("be brief"), HumanMessage("hi"), AIMessage("hello"), ToolMessage("42", tool_call_id="1")]
    replies = [model.invoke(messages, stop=["."]), await model.ainvoke(messages)]
    assert [reply.text for reply in replies] == ["fine"] * 2
    assert [(one.role.value, one.content) for one in llm._asked[0]] == [
        ("system", "be brief"),
        ("user", "hi"),
        ("assistant", "hello"),
        ("tool", "42"),
    ]
    assert llm._options == [{"stop": ["."]}, {}]
    assert replies[0].usage_metadata == {"input_tokens": 11, "output_tokens": 3, "total_tokens": 14}


async def test_streams_come_through_piece_by_piece() -> None:
    model = as_chat_model(MockLLM(max_tokens=3))
    assert [chunk.text.strip() for chunk in model.stream("hi") if chunk.text] == ["text"] * 3
    assert [chunk.text.strip() async for chunk in model.astream("hi") if chunk.text] == ["text"] * 3


class Streaming(Telling):
    """Streams what it says, with the log-probabilities of each piece or of all so far, and with usage at the end."""

    _so_far: bool = PrivateAttr(False)

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        words = self._says.split(" ")
        for place, word in enumerate(words):
            delta, text = word + " " * (place + 1 < len(words)), " ".join(words[: place + 1])
            given = (self._logprobs or [])[0 if self._so_far else place : place + 1]
            usage = {"prompt_tokens": 11, "completion_tokens": place + 1}
            yield ChatResponse(
                message=ChatMessage(role="assistant", content=text), delta=delta, logprobs=given, raw={"usage": usage}
            )

    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Any:
        async def pieces() -> Any:
            for response in self.stream_chat(messages, **kwargs):
                yield response

        return pieces()


@pytest.mark.parametrize("so_far", [False, True])
@pytest.mark.parametrize("says", ["the cat sat", "no no no"])
async def test_the_pieces_of_a_stream_add_up_to_the_whole(so_far: bool, says: str) -> None:
    options = [[LogProb(token=word, logprob=-0.1 if says == "no no no" else -len(says) / 9)] for word in says.split()]
    llm = Streaming(says, logprobs=options)
    llm._so_far = so_far
    model = as_chat_model(llm)
    whole = model.invoke("hi")
    for pieces in (list(model.stream("hi")), [piece async for piece in model.astream("hi")]):
        streamed = add_ai_message_chunks(pieces[0], *pieces[1:])  # type: ignore[arg-type]
        assert streamed.text == whole.text
        assert streamed.usage_metadata == whole.usage_metadata  # type: ignore[attr-defined]
        assert streamed.response_metadata["logprobs"] == whole.response_metadata["logprobs"]


async def test_messages_of_every_kind_are_asked_in_their_role() -> None:
    llm = Telling("fine")
    as_chat_model(llm).invoke(
        [
            SystemMessageChunk("be brief"),
            HumanMessageChunk("hi"),
            AIMessageChunk("hello"),
            ChatMessageOfLangChain("Say no more.", role="system"),
            ChatMessageOfLangChain("I said it.", role="ai"),
            ChatMessageOfLangChain("And you?", role="guest"),
            FunctionMessage("42", name="count"),
        ]
    )
    roles = ["system", "user", "assistant", "system", "assistant", "user", "function"]
    assert [one.role.value for one in llm._asked[0]] == roles


def test_a_model_that_reports_nothing_costs_no_tokens() -> None:
    assert as_chat_model(MockLLM(max_tokens=2)).invoke("hi").usage_metadata is None  # type: ignore[attr-defined]


def test_log_probabilities_reach_the_estimator() -> None:
    options = [LogProb(token=letter, logprob=math.log(share)) for letter, share in (("A", 0.6), ("B", 0.3), ("C", 0.1))]
    estimator = LogprobEstimator(as_chat_model(Telling("A", logprobs=[options])))
    found = estimator.estimate(decompose("Who leads?", as_of=NOW), evidence=[], reading=Reading(answer="Ana"))
    assert (found.reliable, found.misleading, found.uncertain) == pytest.approx((0.6, 0.3, 0.1))


def test_a_model_of_llama_index_reads_by_freshprompt_what_nodes_show_to_models() -> None:
    node = TextNode(
        text="Tom Reyes leads the choir.",
        metadata={"date": "2023-02-03", "title": "Secret memo", "source": "Gazette"},
        excluded_llm_metadata_keys=["title"],
    )
    llm = Telling("reasoning: it says so\nanswer: Tom Reyes\nevidence: 1")
    response = ReaderSynthesizer(llm=llm, as_of=NOW).synthesize("Who leads the choir?", [NodeWithScore(node=node)])
    asked = "\n".join(str(one.content) for one in llm._asked[0])
    assert str(response) == "Tom Reyes"
    assert "Feb 3, 2023" in asked
    assert "Gazette" in asked
    assert "Secret memo" not in asked
    assert response.metadata is not None
    assert response.metadata["dateline"]["cost"]["input_tokens"] == 11


def test_a_reader_and_a_model_at_once_are_refused() -> None:
    with pytest.raises(BadInput, match="not both"):
        ReaderSynthesizer(ReaderSynthesizer()._reader, llm=MockLLM())


def test_what_is_langchains_passes_through_and_what_is_neither_is_refused() -> None:
    model, embeddings = ScriptedChatModel(replies=["yes"]), LexicalEmbeddings()
    assert as_chat_model(model) is model
    assert as_embeddings(embeddings) is embeddings
    with pytest.raises(BadInput, match="no language model"):
        as_chat_model("gpt")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="embeds nothing"):
        as_embeddings("minilm")  # type: ignore[arg-type]


async def test_embeddings_give_the_same_vectors_on_both_sides() -> None:
    ours = LexicalEmbeddings(dimensions=64)
    theirs = LocalEmbedding(ours)
    back = as_embeddings(theirs)
    texts = ["Tom leads.", "Ana led."]
    assert theirs.get_text_embedding_batch(texts) == ours.embed_documents(texts) == back.embed_documents(texts)
    assert await theirs.aget_text_embedding_batch(texts) == await back.aembed_documents(texts)
    assert await theirs.aget_query_embedding("Who?") == ours.embed_query("Who?") == back.embed_query("Who?")
    assert await back.aembed_query("Who?") == theirs.get_query_embedding("Who?")
    assert embed(texts, embeddings=back).shape == (2, 64)


def test_embeddings_carry_their_name_and_can_be_sent_elsewhere() -> None:
    local = LocalEmbedding(LexicalEmbeddings())
    assert as_embeddings(local).name == local.model_name != "unknown"  # type: ignore[attr-defined]
    assert encoder_name(as_embeddings(local)) == encoder_name(LexicalEmbeddings()) is not None
    again = pickle.loads(pickle.dumps(local))  # noqa: S301  our own bytes
    assert again.get_text_embedding("Tom") == local.get_text_embedding("Tom")


def test_a_local_embedding_s_own_cache_is_used() -> None:
    cache = SimpleKVStore()
    local = LocalEmbedding(LexicalEmbeddings(), embeddings_cache=cache)
    vectors = as_embeddings(local).embed_documents(["Tom leads."])
    assert list(cache.get_all(collection="embeddings")) == ["Tom leads."]
    assert as_embeddings(local).embed_documents(["Tom leads."]) == vectors


def test_stored_embeddings_are_dateline_s_own_or_are_given_again() -> None:
    own, other = LocalEmbedding(), LocalEmbedding(LexicalEmbeddings(dimensions=64), model_name="mine")
    again = LocalEmbedding.from_dict(own.to_dict())
    assert (again.model_name, again.get_text_embedding("Tom")) == (own.model_name, own.get_text_embedding("Tom"))
    with pytest.raises(BadInput, match=r"'mine' .* give them again"):
        LocalEmbedding.from_dict(other.to_dict())
    given = LocalEmbedding.from_dict(other.to_dict(), embeddings=LexicalEmbeddings(dimensions=64))
    assert given.get_text_embedding("Tom") == other.get_text_embedding("Tom")


def test_an_index_needs_no_key_with_local_embeddings() -> None:
    nodes = [TextNode(text="Tom Reyes leads the choir."), TextNode(text="Bread is baked in the old mill.")]
    index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(LexicalEmbeddings()))
    assert index.as_retriever(similarity_top_k=1).retrieve("Who leads the choir?")[0].text == nodes[0].text


def test_a_reranker_takes_embeddings_of_either_kind_and_ranks_alike() -> None:
    nodes = [
        NodeWithScore(node=TextNode(text=f"{name} leads the choir.", metadata={"date": f"{year}-01-01"}))
        for name, year in (("Ana", 2015), ("Tom", 2021))
    ]
    lexical = LexicalEmbeddings()
    ranked = [
        TemporalReranker(as_of=NOW, embeddings=each).postprocess_nodes(nodes, query_str="Who led the choir in 2015?")
        for each in (lexical, LocalEmbedding(lexical), MockEmbedding(8))
    ]
    assert [one.score for one in ranked[0]] == pytest.approx([one.score for one in ranked[1]])
    assert len(ranked[2]) == 2
    assert HybridRanker(embeddings=as_embeddings(MockEmbedding(8))) is not None
