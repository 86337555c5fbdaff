"""A small causal language model with random weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from dateline.errors import require

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
