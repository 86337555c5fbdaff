"""A question and its evidence as tokens: every token of a text in a window, the marks where the times stand."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.reading.encoding import LONGEST, TextTokens, batch, windows
from dateline.reading.model_files import load_tokenizer
from dateline.reading.span_scores import LONGEST_ANSWER, score, sentence_starts
from dateline.reading.temporal_tags import COVERS, EXPRESSION
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose

pytest.importorskip("tokenizers")
AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
QUESTION = decompose("Which club did Ada Berg play for in 2003?", as_of=AS_OF)


def tokens() -> TextTokens:
    return TextTokens(load_tokenizer())


def test_a_short_text_is_one_window_whose_offsets_give_back_its_words() -> None:
    text = "In 2003 she moved to Brio."
    (window,) = windows(QUESTION, evidence=[Evidence.make(text, title="Ada Berg")], tokens=tokens())
    assert [text[start:end] for start, end in window.offsets] == ["In", "2003", "she", "moved", "to", "Br", "io", "."]
    assert window.marks[window.first + 1] == EXPRESSION + COVERS
    assert len(window.ids) == window.first + len(window.offsets) + 1


def test_a_long_text_is_cut_into_windows_that_hold_every_token() -> None:
    text = " ".join(f"word{number}" for number in range(700))
    built = windows(QUESTION, evidence=[Evidence.make(text)], tokens=tokens())
    covered = {(int(start), int(end)) for window in built for start, end in window.offsets}
    whole = windows(QUESTION, evidence=[Evidence.make(text[:50])], tokens=tokens())
    assert len(built) > 1
    assert len(whole) == 1
    assert all(len(window.ids) <= LONGEST for window in built)
    assert {start for start, _ in covered} >= {text.index(f"word{number} ") for number in range(699)}


def test_windows_say_of_which_evidence_they_are() -> None:
    long = " ".join("again" for _ in range(500))
    built = windows(
        QUESTION, evidence=[Evidence.make("Short."), Evidence.make(long), Evidence.make("")], tokens=tokens()
    )
    assert sorted({window.source for window in built}) == [0, 1, 2]


def test_a_batch_is_padded_with_a_mask() -> None:
    built = windows(
        QUESTION, evidence=[Evidence.make("Short."), Evidence.make("A little longer than that.")], tokens=tokens()
    )
    arrays = batch(built)
    assert arrays["mask"].sum(axis=1).tolist() == [len(window.ids) for window in built]
    assert {array.shape for array in arrays.values()} == {(2, max(len(window.ids) for window in built))}


@given(st.text(min_size=1, max_size=400), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_spans_lie_in_the_text_and_are_no_longer_than_an_answer(text: str, random: object) -> None:
    piece = Evidence.make(text)
    rng = np.random.default_rng(7)
    for window in windows(QUESTION, evidence=[piece], tokens=tokens()):
        logits = rng.normal(size=(len(window.ids), 2)).astype(np.float32)
        begins = sentence_starts(piece)
        found = score(window, logits=logits, text=text, begins=begins)
        assert found.nothing <= 0
        for mention in found.mentions:
            assert not any(mention.start < begin < mention.end for begin in begins)
            assert mention.text == text[mention.start : mention.end]
            inside = (window.offsets[:, 0] >= mention.start) & (window.offsets[:, 1] <= mention.end)
            assert 1 <= inside.sum() <= LONGEST_ANSWER or (window.offsets[:, 0] == window.offsets[:, 1]).any()
        assert [mention.score for mention in found.mentions] == sorted(
            (mention.score for mention in found.mentions), reverse=True
        )


def test_a_text_that_was_read_is_remembered_with_the_same_windows() -> None:
    kept, evidence = tokens(), [Evidence.make("In 2003 she moved to Brio.", title="Ada Berg"), Evidence.make("")]
    first, again, fresh = (windows(QUESTION, evidence=evidence, tokens=each) for each in (kept, kept, tokens()))
    for one, other in zip([*first, *first], [*again, *fresh], strict=True):
        assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("ids", "marks", "offsets"))
    assert kept.of("In 2003 she moved to Brio.") is kept.of("In 2003 she moved to Brio.")


def test_of_a_long_question_the_end_is_read_for_there_it_asks() -> None:
    text = f"{'We have been members of the choir for many years and like it. ' * 9}Who is the warden?"
    (window,) = windows(decompose(text, as_of=AS_OF), evidence=[Evidence.make("Ada leads.")], tokens=tokens())
    (short,) = windows(decompose("Who is the warden?", as_of=AS_OF), evidence=[Evidence.make("Ada.")], tokens=tokens())
    asked = short.ids[1 : list(short.ids).index(102)].tolist()
    assert window.ids[: list(window.ids).index(102)].tolist()[-len(asked) :] == asked


def test_a_number_is_read_with_its_sign() -> None:
    text = "It was -12 °C at the hut, 5-12 °C below."
    (window,) = windows(QUESTION, evidence=[Evidence.make(text)], tokens=tokens())
    logits = np.zeros((len(window.ids), 2), dtype=np.float32)
    for number, (start, _) in enumerate(window.offsets):
        if text[start : start + 2] == "12":
            logits[window.first + number] = 9 + number
    found = score(window, logits=logits, text=text, begins=[0]).mentions
    assert {"-12", "12"} <= {one.text for one in found}
    assert all(text[one.start : one.end] == one.text for one in found)
