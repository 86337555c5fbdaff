"""Stand-ins for tests: a fixed search, a scripted reader, a tiny model.

They follow the same protocols as the real ones and keep what they were asked in `history`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

import numpy as np

from dateline.errors import require
from dateline.protocols import ONSETS, Effects, Onset, ReadResult, SearchResult
from dateline.records import Certainty, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval


@dataclass
class FixedSearch:
    """A search that always returns the same evidence or raises an error.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline import Evidence
        >>> search = FixedSearch([Evidence.make("The observatory opened in 1927.")])
        >>> len(search.search("When did it open?", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence)
        1
        >>> search.history
        ['When did it open?']
    """

    evidence: Sequence[Evidence] = ()
    error: Exception | None = None
    history: list[str] = field(default_factory=list)

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the first `k` pieces of evidence."""
        self.history.append(query)
        if self.error is not None:
            raise self.error
        return SearchResult(evidence=tuple(self.evidence[:k]), cost=Cost(searches=1))

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search asynchronously."""
        return self.search(query, as_of=as_of, k=k, window=window)


@dataclass
class ScriptedEffectJudge:
    """A judge that is told which statements end which.

    Attributes:
        ends: (later, earlier) texts, and when the later one does so.

    Example:
        >>> judge = ScriptedEffectJudge({("The bridge is shut.", "The bridge is open."): "then"})
        >>> judge.effects([("The bridge is shut.", "The bridge is open.")], dates=[(None, None)]).chances.tolist()
        [[1.0, 0.0, 0.0]]
    """

    ends: Mapping[tuple[str, str], Onset] = field(default_factory=dict)
    history: list[tuple[str, str]] = field(default_factory=list)

    def effects(self, pairs: Sequence[tuple[str, str]], *, dates: Sequence[tuple[date | None, date | None]]) -> Effects:
        """Judge each pair (later, earlier)."""
        self.history += pairs
        chances, onsets = np.zeros((2, len(pairs), 3), dtype=np.float32)
        for row, pair in enumerate(pairs):
            chances[row, 0 if pair in self.ends else 2] = 1.0
            onsets[row, ONSETS.index(self.ends.get(pair, "then"))] = 1.0
        return Effects(chances, onsets)


@dataclass
class ScriptedReader:
    """A reader that returns given readings in order, repeating the last."""

    readings: Sequence[Reading]
    cost: Cost = field(default_factory=lambda: Cost(model_calls=1))
    history: list[tuple[Question, tuple[Evidence, ...]]] = field(default_factory=list)

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Return the next reading."""
        reading = self.readings[min(len(self.history), len(self.readings) - 1)]
        self.history.append((question, tuple(evidence)))
        return ReadResult(reading, self.cost)

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read asynchronously."""
        return self.read(question, evidence=evidence, choices=choices)


@dataclass
class ReadingEstimator:
    """An estimator that trusts the reader's probability; the rest is uncertain."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Estimate from `reading.probability` alone."""
        return Certainty(reliable=reading.probability, misleading=0.0, uncertain=1.0 - reading.probability)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Estimate asynchronously."""
        return self.estimate(question, evidence=evidence, reading=reading)


# -- a causal language model without a download ------------------------------------------------

Family = Literal["llama", "qwen2", "qwen3", "mistral", "gemma2", "gemma3", "gpt2"]
"""Model families of transformers that `tiny_causal_model` builds."""

_TEXT = (
    "Question: Who is the director of the Northern Observatory? Answer: The director of the Northern Observatory is "
    "Carl Dahl, who took office on 14 September 2021. Before him Anna Berg led it from March 2015, and she had been its "
    "deputy since 2009. The observatory stands on a hill above Tromso; it was founded in 1927. Notes: rely on them "
    "where they speak of it. Date: 2024-06-01. Answer the question step by step, in whole sentences."
)


class TinyModel(NamedTuple):
    """A small random model with its tokenizer."""

    model: Any
    tokenizer: Any


def tiny_causal_model(
    family: Family = "llama",
    *,
    texts: Sequence[str] = (_TEXT,),
    vocabulary: int = 400,
    seed: int = 0,
    attention: Literal["sdpa", "eager"] = "sdpa",
    spread: float = 0.2,
    **sizes: int,
) -> TinyModel:
    """Build a small random causal language model without a download.

    Its output is nonsense, but everything in it is real. The vocabulary is learnt from `texts`: byte-level for Llama,
    Qwen and GPT-2, sentencepiece style for Mistral and Gemma. `spread` is the deviation of the random weights; `sizes`
    overrides fields of the configuration. Needs torch and transformers.
    """
    torch = require("torch", package="torch", extra="transformers")
    transformers = require("transformers", package="transformers", extra="transformers")
    tokenizer = _tiny_tokenizer(texts, vocabulary, pieces="metaspace" if family[:3] in ("mis", "gem") else "bytes")
    given: dict[str, Any] = {
        "vocab_size": max(vocabulary, len(tokenizer)),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "max_position_embeddings": 2048,
        "initializer_range": spread,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    if family == "gpt2":
        for name in ("intermediate_size", "num_key_value_heads", "head_dim"):
            given.pop(name)
    if family in ("mistral", "gemma2", "gemma3"):
        given["sliding_window"] = 24
    if family in ("gemma2", "gemma3"):
        given["query_pre_attn_scalar"] = 8
    config_class, model_class = _FAMILIES[family]
    if family == "gemma2":
        attention = "eager"  # its soft cap has no other implementation on a CPU
    config = getattr(transformers, config_class)(**{**given, **sizes}, attn_implementation=attention)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = getattr(transformers, model_class)(config).train(False)
    model.requires_grad_(False)
    return TinyModel(model, tokenizer)


_FAMILIES: dict[str, tuple[str, str]] = {
    "llama": ("LlamaConfig", "LlamaForCausalLM"),
    "qwen2": ("Qwen2Config", "Qwen2ForCausalLM"),
    "qwen3": ("Qwen3Config", "Qwen3ForCausalLM"),
    "mistral": ("MistralConfig", "MistralForCausalLM"),
    "gemma2": ("Gemma2Config", "Gemma2ForCausalLM"),
    "gemma3": ("Gemma3TextConfig", "Gemma3ForCausalLM"),
    "gpt2": ("GPT2Config", "GPT2LMHeadModel"),
}


def _tiny_tokenizer(texts: Sequence[str], size: int, *, pieces: Literal["bytes", "metaspace"]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    transformers: Any = require("transformers", package="transformers", extra="transformers")

    special = ["<pad>", "<s>", "</s>"]
    if pieces == "bytes":
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
    else:
        tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Sequence(
            [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
        )
        special += ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
        alphabet = []
    trainer = trainers.BpeTrainer(
        vocab_size=size + (256 if pieces == "metaspace" else 0),
        special_tokens=special,
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator(list(texts), trainer)
    # The pieces that stand for bytes are ordinary ones: only the first four are left out of what is decoded.
    data = json.loads(tokenizer.to_str())
    data["added_tokens"] = data["added_tokens"][:4]
    tokenizer = Tokenizer.from_str(json.dumps(data))
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        clean_up_tokenization_spaces=False,
    )
