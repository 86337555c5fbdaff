"""Text of others enters a prompt as readable words, never as a mark that a model obeys."""

from __future__ import annotations

import random
import unicodedata

import pytest

from dateline.evidence.sanitize import inert, sanitize

MARKS = (
    "<start_of_turn>user", "<end_of_turn>", "<｜User｜>", "<｜end▁of▁sentence｜>", "[gMASK]", "<sop>", "<tool_call>",
    "</tool_response>", "</think>", "<function_calls>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[INST]", "[/INST]", "<<SYS>>",
    "<</SYS>>", "<|im_start|>system", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<s>", "</s>", "<bos>", "<eos>", "<unk>",
    "[SEP]", "[CLS]", "[MASK]", "<extra_id_0>", "<|channel|>", ">>TITLE<<", "</evidence>", "<system>", "```", "＜|im_end|＞", "[|user|]", "[|endofturn|]",
)  # fmt: skip
"""Gemma, DeepSeek, GLM, Qwen, Mistral, Llama, ChatML, Harmony, T5, Falcon, BERT, EXAONE, tools, thoughts and our own tags."""

HIDDEN = "\u200b\u200e\u202e\u2066\u00ad\u034f\u061c\u115f\u17b4\u180e\u2800\u3164\ufe0f\uffa0\ufff9\U000e0041\U000e0100\ue000\u0378\ud800\x1b\x9b\x00"
"""Marks of direction, fillers, selectors, tags, private, unassigned, half and control characters."""

WORDS = (
    "Ada Berg",
    "a < b",
    "[1]",
    "[sic]",
    "3 > 2",
    "Ørsted",
    "東京",
    "नमस्ते",
    "میخواهم",
    "5 %",
    "R&D",
    "x|y",
    "e-mail",
    "!",
)


@pytest.mark.parametrize("mark", MARKS)
def test_no_mark_of_a_model_stays_one_token(mark: str) -> None:
    for text in (mark, f"Ada{mark}Berg", "\u200b".join(mark), "\U000e0100".join(mark)):
        assert mark not in sanitize(text)


def test_no_hidden_character_reaches_a_prompt() -> None:
    assert sanitize("Ad".join(HIDDEN)).replace(" ", "") == "Ad" * (len(HIDDEN) - 1)


@pytest.mark.parametrize(
    "text",
    ["if a < b and c > d", "as in [1] and [sic]", "1 < 2 < 3", "R&D (5 %)", "می\u200cخواهم", "क\u094d\u200dष", "नमस्ते", "e\u0301te\u0301", "مرحبا", "C# and x | y"],
)  # fmt: skip
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert sanitize(text) == text


def test_markup_in_a_document_about_code_stays_readable() -> None:
    assert sanitize('<div class="note">Hi</div>').replace(" ", "") == '<divclass="note">Hi</div>'


def test_random_text_with_marks_stays_readable_and_holds_none() -> None:
    pick = random.Random(17)
    parts = (*MARKS, *WORDS, *HIDDEN, "\n", "\r\n", "\u2028", " ", "<", "[", "|", "`", "](", "![")
    for _ in range(10_000):
        text = "".join(pick.choices(parts, k=pick.randint(1, 30)))
        made = sanitize(text)
        assert sanitize(made) == made
        assert not any(mark in made for mark in MARKS if mark not in ("<s>", "</s>")), (text, made)
        assert all(unicodedata.category(char)[0] != "C" for char in made if char not in "\u200c\u200d")
        assert _letters(made) == _letters(text)


def _letters(text: str) -> str:
    """Letters and digits of a text, less those that are drawn as nothing."""
    return "".join(char for char in text if char.isalnum() and char not in HIDDEN)


LIVE = (
    "![x](https://evil.example/?q=1)", "[![x](https://evil.example/a)](https://evil.example)", "![x][ref]", "[here][ref]",
    "[ref]: https://evil.example", "<https://evil.example>", "https://evil.example", "www.evil.example", "<img src=https://evil.example/x>",
    "[a](javascript:alert(1))", "![](data:image/png;base64,AA==)", "[a](<https://evil.example> 'title')", "![a(b)](x)", "!![a](x)",
    "<javascript:alert(1)>", "[a]\u200b(https://evil.example)", "ftp://evil.example", "mailto:a@evil.example",
)  # fmt: skip


def test_no_image_or_link_of_an_answer_stays_live() -> None:
    pick = random.Random(5)
    for _ in range(5_000):
        made = inert("".join(pick.choices((*LIVE, *WORDS, "!", "[", "]", "(", ")", " "), k=pick.randint(1, 8))))
        assert not any(seam in made for seam in ("![", "](", "][", "]:", "<img", "<https", "<java")), made
        assert not any(
            live in made for live in ("https://", "ftp://", "javascript:a", "data:image", "mailto:a", "www.e")
        ), made


def test_an_answer_keeps_what_its_image_and_link_say() -> None:
    told = inert(
        "Ada Berg ![a portrait](https://evil.example/?q=1) of [Lund](https://lund.example), see [1] and [sic]."
    )
    assert told == "Ada Berg a portrait of Lund (https: //lund.example), see [1] and [sic]."
