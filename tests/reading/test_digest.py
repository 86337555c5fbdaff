"""The best sentences of several pieces in one window: the oldest first, with every token traceable to its piece."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.reading.digest import NOBODY, ROOM, Digested, digest
from dateline.reading.encoding import SEP, TextTokens
from dateline.reading.model_files import load_tokenizer
from dateline.reading.span_scores import Mention
from dateline.reading.temporal_tags import LAST_BEFORE, PUBLISHED
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

pytest.importorskip("tokenizers")
QUESTION = decompose("Who keeps the key?", as_of=datetime(2024, 1, 1, tzinfo=UTC))
NEW = Evidence.make("Tea is at five. Bo Lind keeps the key. The door is red.", published=Interval.of_day(2023, 5, 4))
OLD = Evidence.make("Ada Holm keeps the key.", title="Keys", published=Interval.of_day(2021, 5, 4))
UNDATED = Evidence.make("Cem Aral once had a key.")
PIECES = [NEW, UNDATED, OLD]


def mention(source: int, text: str, score: float = 5.0) -> Mention:
    start = PIECES[source].text.index(text)
    return Mention(text, source, start, start + len(text), score)


NAMES = [mention(0, "Bo Lind"), mention(1, "Cem Aral"), mention(2, "Ada Holm")]


@pytest.fixture(scope="module")
def tokens() -> TextTokens:
    tokenizer = load_tokenizer()
    tokenizer.no_truncation()
    return TextTokens(tokenizer)


def test_pieces_stand_in_the_order_of_their_days_behind_what_has_none(tokens: TextTokens) -> None:
    made = digest(QUESTION, evidence=PIECES, mentions=NAMES, tokens=tokens)
    assert [one.source for one in made.excerpts] == [1, 2, 0]
    places = [made.tokens_of(one.source, one.start, one.end) for one in NAMES]
    for place, one in zip(places, NAMES, strict=True):
        assert place is not None
        spelt = "".join(load_tokenizer().id_to_token(int(token)) for token in made.ids[place[0] : place[1] + 1])
        assert spelt.replace("##", "") == one.text.replace(" ", "").lower()
    assert load_tokenizer().id_to_token(int(made.ids[made.nobody])) == NOBODY


def test_the_day_of_a_piece_is_marked_before_it(tokens: TextTokens) -> None:
    made = digest(QUESTION, evidence=PIECES, mentions=NAMES, tokens=tokens)
    heads = made.marks[made.ids == SEP][1:-1].tolist()
    assert heads[-1] == PUBLISHED + LAST_BEFORE
    assert len(heads) == len(PIECES)


def test_the_sentences_of_the_likeliest_mentions_are_taken_and_no_others(tokens: TextTokens) -> None:
    door = mention(0, "red", 1.0)
    made = digest(QUESTION, evidence=PIECES, mentions=[*NAMES, door], tokens=tokens)
    assert made.tokens_of(0, door.start, door.end) is not None
    tea = PIECES[0].text.index("Tea")
    assert made.tokens_of(0, tea, tea + 3) is None


def test_a_sentence_that_is_too_long_is_cut_around_its_mention(tokens: TextTokens) -> None:
    long = Evidence.make("and ".join(f"word{n} " for n in range(900)) + "Ada Holm keeps it " + "and so on " * 300)
    start = long.text.index("Ada Holm")
    made = digest(QUESTION, evidence=[long], mentions=[Mention("Ada Holm", 0, start, start + 8, 9.0)], tokens=tokens)
    assert made.tokens_of(0, start, start + 8) is not None
    assert len(made.ids) <= ROOM


@settings(max_examples=40)
@given(st.lists(st.text(alphabet="ab. \n", min_size=1, max_size=400), min_size=1, max_size=8))
def test_a_digest_never_outgrows_its_room(tokens: TextTokens, texts: list[str]) -> None:
    pieces = [Evidence.make(f"x{text}") for text in texts]
    found = [Mention("x", number, 0, 1, float(number)) for number in range(len(pieces))]
    made = digest(QUESTION, evidence=pieces, mentions=found, tokens=tokens)
    assert len(made.ids) <= ROOM
    assert len(made.ids) == len(made.marks) == len(made.segments)
    assert set(made.text_tokens.tolist()) <= set(range(len(made.ids)))


def test_what_is_left_out_of_a_digest_has_as_little_as_the_least(tokens: TextTokens) -> None:
    made = digest(QUESTION, evidence=PIECES, mentions=NAMES, tokens=tokens)
    logits = np.zeros((len(made.ids), 2), dtype=np.float32)
    for one, given_ in zip(NAMES, (3.0, 1.0, 2.0), strict=True):
        first, last = made.tokens_of(one.source, one.start, one.end) or (0, 0)
        logits[first, 0] = logits[last, 1] = given_
    read = Digested(made, logits, np.zeros(3, dtype=np.float32))
    tea = mention(0, "Tea")
    assert read.scores([*NAMES, tea]).tolist() == [6.0, 2.0, 4.0, 2.0]
    assert read.of([2]).scores([Mention("Ada Holm", 0, 0, 8, 5.0)]).tolist() == [4.0]
