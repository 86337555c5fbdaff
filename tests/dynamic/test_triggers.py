"""When to retrieve: each trigger on texts whose scores are given, at the level of words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import numpy as np
import pytest
from dynamic_parts import QUESTION, Spaces, digitwise, generator, looked_at, progress_of, tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline import BadInput, Evidence, Interval
from dateline.dynamic import AnyOf, AttentionQuery, Flare, Outdated, Rind, Sampling, calibrate, method
from dateline.dynamic.answer import GeneratedAnswer, TokenRange
from dateline.dynamic.calibrate import word_risks
from dateline.dynamic.pieces import Pieces
from dateline.dynamic.progress import Progress
from dateline.dynamic.spelling import Spelling, pieces_of
from dateline.dynamic.stopwords import STOPWORDS
from dateline.dynamic.triggers import Entropy, EverySentence, EveryTokens, LookAhead, Never, Once, RindPublished
from dateline.dynamic.triggers.rind_published import published_scores
from dateline.dynamic.words import words_of
from dateline.temporal.decomposition import decompose

TEXT = "The director is Carl Dahl of Tromso."


def kept(progress: Progress, position: int) -> str:
    return progress.answer.text[: progress.answer.starts[position]]


# -- words ----------------------------------------------------------------------------------------


def test_words_come_apart_as_the_stopword_list_has_them() -> None:
    found = [word.text for word in words_of("Don't say Anna's well-known tower isn't 50% taller, it’ll fall.")]
    assert found == [
        "Do", "n't", "say", "Anna", "'s", "well", "known", "tower", "is", "n't", "50", "taller", "it", "’ll", "fall",
    ]  # fmt: skip
    assert len(STOPWORDS) == 326
    assert {"n't", "’ll", "it", "do"} <= STOPWORDS
    assert not {"tower", "anna", "1995"} & STOPWORDS


# -- RIND -----------------------------------------------------------------------------------------


def test_rind_fires_at_the_first_word_that_exceeds_the_threshold_and_writes_the_whole_word_anew() -> None:
    progress = progress_of(TEXT, entropies={"Carl": 1.0, "Dahl": 2.0, "Tromso": 4.0})
    looked_at(progress, row=len(progress.answer) - 1, weights={"Carl": 0.2, "Dahl": 0.3, "Tromso": 0.4})
    largest = Rind(0.5, pieces="largest")
    firing = largest.attended(progress)
    assert firing is not None
    assert kept(progress, firing.position) == "The director is Carl"
    assert firing.score == pytest.approx(0.6)
    assert "Dahl" in firing.reason
    below = largest.at_level(0.1).attended(progress)
    assert below is not None
    assert kept(progress, below.position) == "The director is"
    assert largest.at_level(1.7).attended(progress) is None


DATED = "The director took office on 14 September 2021, as"


@pytest.mark.parametrize("spaces", get_args(Spaces))
def test_the_doubts_of_a_word_s_pieces_add_up_whatever_the_vocabulary_cuts_and_marks(spaces: Spaces) -> None:
    progress = progress_of(f" {DATED}", entropies={"2021": 1.0}, tokenizer=digitwise(spaces))
    looked_at(progress, row=len(progress.answer) - 1, weights={"2021": 0.2})
    answer = progress.answer
    pieces = [token for token in range(len(answer)) if (word := answer.word(token)) and word.text == "2021"]
    assert len(pieces) == (4 if spaces == "with the first digit" else 5)
    assert Rind(0.3, pieces="largest").attended(progress) is None
    firing = Rind(0.79).attended(progress)
    assert firing is not None
    assert firing.score == pytest.approx(0.8)
    assert "2021" in firing.reason
    assert kept(progress, firing.position) == " The director took office on 14 September"
    assert Rind(0.81).attended(progress) is None


def test_a_space_of_its_own_is_where_a_number_is_decided_on_and_counts_with_it() -> None:
    answer = progress_of(f" {DATED}", tokenizer=digitwise("of its own")).answer
    space = answer.token_at(f" {DATED}".index("2021") - 1)
    assert answer.score(space).text == " "
    progress = progress_of(f" {DATED}", tokenizer=digitwise("of its own"))
    progress.answer.entropies[space] = 2.0
    weight = np.zeros(len(progress.context.ids) + len(answer), dtype=np.float32)
    weight[len(progress.context.ids) + space] = 0.5
    progress.answer.look(weight, prompt=len(progress.context.ids))
    firing = Rind(0.9).attended(progress)
    assert firing is not None
    assert firing.position == space
    assert firing.score == pytest.approx(1.0)
    tokens = [progress.answer.score(token) for token in range(len(answer))]
    assert max(word_risks(tokens, trigger=Rind(0.9))) == pytest.approx(1.0)


def test_a_word_s_risk_is_put_together_in_calibration_as_it_is_when_it_fires() -> None:
    progress = progress_of(f" {DATED}", entropies={"2021": 1.0}, tokenizer=digitwise("of its own"))
    looked_at(progress, row=len(progress.answer) - 1, weights={"2021": 0.2})
    tokens = [progress.answer.score(token) for token in range(len(progress.answer))]
    assert max(word_risks(tokens, trigger=Rind(0.1))) == pytest.approx(0.8)
    assert max(word_risks(tokens, trigger=Rind(0.1, pieces="largest"))) == pytest.approx(0.2)


@given(st.text(alphabet=st.sampled_from("ab 1.,'é漢😀\n-"), max_size=24))
@settings(max_examples=60)
def test_every_piece_of_a_word_begins_where_the_word_does(text: str) -> None:
    answer = progress_of(text, over=True).answer
    for tokens in answer.whole_words(0):
        word = answer.word(tokens.end - 1)
        assert word is not None
        assert answer.starts[tokens.first] <= word.start < word.end <= answer.end(tokens.end - 1)
        assert {answer.word_start(token) for token in range(*tokens)} == {tokens.first}


def test_rind_never_fires_at_stopwords_or_punctuation_however_uncertain() -> None:
    progress = progress_of("It was, then, of them.", entropies={"It was, then, of them.": 9.0})
    looked_at(progress, row=len(progress.answer) - 1, weights=dict.fromkeys(["It", "was", "then", "of", "them"], 0.9))
    assert Rind(0.01).attended(progress) is None


def test_rind_waits_until_a_word_is_whole() -> None:
    growing = progress_of("Then the Observato", entropies={"Observato": 5.0})
    looked_at(growing, row=len(growing.answer) - 1, weights={"Observato": 0.5})
    assert Rind(0.1).attended(growing) is None
    grown = progress_of("Then the Observatory of", entropies={"Observatory": 5.0})
    looked_at(grown, row=len(grown.answer) - 1, weights={"Observatory": 0.5})
    assert Rind(0.1).attended(grown) is not None


def test_rind_leaves_alone_what_was_asked_about_before() -> None:
    progress = progress_of(TEXT, entropies={"Carl": 3.0})
    looked_at(progress, row=len(progress.answer) - 1, weights={"Carl": 0.5})
    firing = Rind(0.5).attended(progress)
    assert firing is not None
    progress.floor = firing.position + 1
    assert Rind(0.5).attended(progress) is None


def test_within_limits_how_far_back_rind_may_go() -> None:
    progress = progress_of(TEXT, entropies={"director": 3.0})
    looked_at(progress, row=len(progress.answer) - 1, weights={"director": 0.5})
    assert Rind(0.5).attended(progress) is not None
    assert Rind(0.5, within=2).attended(progress) is None
    assert Rind(0.5).horizon is None
    assert Rind(0.5, within=2).horizon == 10


def test_published_rind_equals_its_formula() -> None:
    progress = progress_of("Anna Berg led it well.", entropies={"Anna": 0.5, "Berg": 2.0, "well": 1.0}, over=True)
    answer = progress.answer
    size = len(answer)
    weights = np.tril(np.random.default_rng(0).random((2, size, size)).astype(np.float32))
    weights /= weights.sum(axis=-1, keepdims=True)
    words, scores = published_scores(answer, TokenRange(0, size), weights=weights)
    assert [answer.text_of(word) for word in words] == ["Anna", "Berg", "led", "it", "well."]
    by_hand = []
    for word in words:
        attention = sum(np.mean([weights[head, :, token].max() for head in range(2)]) for token in range(*word))
        by_hand.append((attention, np.mean([answer.entropies[token] for token in range(*word)])))
    total = sum(attention for attention, _ in by_hand)
    assert scores == pytest.approx([attention / total * entropy * len(words) for attention, entropy in by_hand])

    progress.alone = lambda ids: weights
    firing = RindPublished(float(scores.max()) - 1e-6).chosen(progress)
    assert firing is not None
    assert firing.position == 0
    assert "Berg" in firing.reason
    assert RindPublished(float(scores.max()) + 1e-6).chosen(progress) is None


# -- the others -----------------------------------------------------------------------------------


def test_flare_fires_at_once_or_when_the_sentence_is_there() -> None:
    soon = progress_of("It opened early. The director is Carl", probabilities={"Carl": 0.1})
    firing = Flare(0.4).chosen(soon)
    assert firing is not None
    assert kept(soon, firing.position).endswith("director is")
    assert Flare(0.05).chosen(soon) is None
    assert Flare(0.4, cut="sentence").chosen(soon) is None
    later = progress_of("It opened early. The director is Carl. The", probabilities={"Carl": 0.1})
    whole = Flare(0.4, cut="sentence").chosen(later)
    assert whole is not None
    assert kept(later, whole.position) == "It opened early."


def test_fixed_triggers_count_tokens_and_sentences() -> None:
    progress = progress_of("It opened early. The")
    sentence = EverySentence().chosen(progress)
    assert sentence is not None
    assert kept(progress, sentence.position) == "It opened early."
    assert EverySentence().chosen(progress_of("It opened early.")) is None
    length = len(progress.answer)
    assert EveryTokens(length).chosen(progress) is not None
    assert EveryTokens(length + 1).chosen(progress) is None
    assert EveryTokens(5, at_start=False).before(progress) is None
    assert Once().before(progress) is not None
    assert Never().before(progress) is None


def ended(text: str) -> list[str]:
    """The sentences that are judged as the words and marks of a text come one by one."""
    spelling = Spelling()
    answer = GeneratedAnswer(Pieces(spelling, before=()))
    found = []
    for piece in pieces_of(text):
        answer.append(spelling.number(piece), entropy=0.0, probability=1.0)
        if (sentence := answer.just_ended()) is not None:
            found.append(answer.text_of(sentence))
    return found


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It opened early. It closed late. Ada", ["It opened early.", "It closed late."]),
        ("- It opened early.\n- It closed late.\n- Ada", ["- It opened early.", "- It closed late."]),
        ("**Opening**: early.\n\n**Closing**: late.\n\n**Head**", ["**Opening**: early.", "**Closing**: late."]),
        ('It opened early. "It closed late." Ada', ["It opened early.", '"It closed late."']),
        ("It opened early. (It closed late.) Ada", ["It opened early.", "(It closed late.)"]),
        ("It opened early.\n - **“It closed late.”**\n - Ada", ["It opened early.", "- **“It closed late.”**"]),
    ],
)
def test_a_sentence_ends_where_the_next_begins_also_behind_marks(text: str, sentences: list[str]) -> None:
    assert ended(text) == sentences


def test_a_bulleted_answer_is_judged_at_each_bullet() -> None:
    said = "- It opened early.\n- The director is Anna Berg.\n- She"
    fired: dict[str, list[str]] = {"look ahead": [], "every sentence": []}
    progress = progress_of("")
    for token in tiny().tokenizer(said)["input_ids"]:
        progress.answer.append(token, entropy=0.0, probability=1.0)
        for trigger in (LookAhead(), EverySentence()):
            if (firing := trigger.chosen(progress)) is not None:
                fired[trigger.name].append(kept(progress, firing.position))
    first, second = "- It opened early.", "- It opened early.\n- The director is Anna Berg."
    assert [text.strip() for text in fired["look ahead"]] == ["", first]
    assert [text.strip() for text in fired["every sentence"]] == [first, second]


def test_any_of_takes_the_earliest_and_the_longest_horizon() -> None:
    both = AnyOf([EverySentence(), Flare(0.4)])
    progress = progress_of("It opened early. The", probabilities={"The": 0.1})
    firing = both.chosen(progress)
    assert firing is not None
    assert firing.trigger == "every sentence"
    assert both.horizon == 8
    assert AnyOf([Rind(1.0), Once()]).needs_attention
    assert not both.needs_attention


# -- outdated -------------------------------------------------------------------------------------

OUTDATED = Outdated(Interval.parse("2023-06"))


def asked(question: str, text: str, *, as_of: str = "2026-06-01") -> Progress:
    return progress_of(text, question=decompose(question, as_of=datetime.fromisoformat(as_of).replace(tzinfo=UTC)))


def test_a_confident_name_is_looked_up_where_the_question_is_about_a_time_after_the_model() -> None:
    progress = asked(QUESTION, "The director is Anna Berg, who")
    firing = OUTDATED.chosen(asked(QUESTION, "The director is Anna Berg,"))
    assert firing is not None
    assert kept(progress, firing.position) == "The director is"
    assert "holder" in firing.reason


@pytest.mark.parametrize(
    ("question", "text", "as_of"),
    [
        (QUESTION, "The director is Anna Berg,", "2023-06-15"),
        ("Who was the director of the Northern Observatory in 2018?", "The director was Anna Berg,", "2026-06-01"),
        (QUESTION, "The director of the Northern Observatory,", "2026-06-01"),
        (QUESTION, "They are scientists there,", "2026-06-01"),
    ],
)
def test_what_the_model_can_know_or_was_told_is_not_looked_up(question: str, text: str, as_of: str) -> None:
    assert OUTDATED.chosen(asked(question, text, as_of=as_of)) is None


def test_documents_in_front_settle_what_they_say() -> None:
    progress = asked(QUESTION, "The director is Carl Dahl,")
    progress.documents = (Evidence.make("Carl Dahl is director of the Northern Observatory."),)
    assert OUTDATED.chosen(progress) is None


def test_names_weigh_more_than_numbers_where_an_office_is_spoken_of() -> None:
    holder = OUTDATED.chosen(asked(QUESTION, "The director is Anna Berg,"))
    number = OUTDATED.chosen(asked("How many members does the observatory have?", "There are about 17 of"))
    assert holder is not None
    assert number is not None
    assert "number" in number.reason
    assert holder.score > number.score


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("It opened last in 2019,", "It opened last in"),
        ("It opened last in March 2019,", "It opened last in"),
        ("It was on May 14, 2019,", "It was on"),
        ("It was on 14 May,", "It was on"),
        ("It was on 2019-05-14,", "It was on"),
        ("1990.", ""),
        ("In the 1990s,", "In"),
    ],
)
@pytest.mark.parametrize("spaces", get_args(Spaces))
def test_a_year_or_a_date_is_a_claim_and_is_written_again_as_a_whole(spaces: Spaces, text: str, before: str) -> None:
    question = decompose("When was the latest meeting?", as_of=datetime(2026, 6, 1, tzinfo=UTC))
    progress = progress_of(f" {text}", question=question, tokenizer=digitwise(spaces))
    firing = OUTDATED.chosen(progress)
    assert firing is not None
    assert "date" in firing.reason
    assert kept(progress, firing.position).strip() == before


@pytest.mark.parametrize("end", ["the end token", "the limit", "a stop text"])
def test_the_last_claim_is_judged_however_the_answer_ends(end: str) -> None:
    said = "The director is Dahl"
    progress = asked(QUESTION, said + "\n" * (end == "a stop text"))
    answer = progress.answer
    answer.full, answer.over = end == "the limit", end != "the limit"
    answer.cut = len(said) if end == "a stop text" else None
    firing = OUTDATED.chosen(progress)
    assert firing is not None
    assert kept(progress, firing.position) == "The director is"


def test_what_stands_behind_a_stop_text_is_no_claim() -> None:
    progress = asked(QUESTION, "It is the Northern Observatory\nDahl")
    progress.answer.over, progress.answer.cut = True, progress.answer.text.index("\n")
    assert OUTDATED.chosen(progress) is None


def test_a_word_at_the_limit_is_whole() -> None:
    progress = progress_of("It opened in Tromso", entropies={"Tromso": 5.0})
    assert Entropy(1.0).chosen(progress) is None
    progress.answer.full = True
    firing = Entropy(1.0).chosen(progress)
    assert firing is not None
    assert kept(progress, firing.position) == "It opened in"


def test_staleness_grows_with_the_time_between_and_is_zero_before() -> None:
    def staleness(question: str, as_of: str) -> float:
        return OUTDATED.staleness(asked(question, "", as_of=as_of).question)  # type: ignore[arg-type]

    assert staleness(QUESTION, "2023-01-01") == 0.0
    assert staleness("Who was director in 2020?", "2026-01-01") == 0.0
    assert staleness("Who was the first director?", "2026-01-01") == 0.0
    assert 0 < staleness(QUESTION, "2024-01-01") < staleness(QUESTION, "2025-01-01") < 1
    latest = "What is the latest version of the firmware?"
    assert staleness(latest, "2024-01-01") > staleness(QUESTION, "2024-01-01")
    assert staleness("Who built the tower?", "2026-01-01") < staleness(QUESTION, "2026-01-01")


def test_outdated_needs_an_asking_date() -> None:
    with pytest.raises(BadInput, match="pass as_of="):
        generator(trigger=OUTDATED).generate(QUESTION)


# -- names, thresholds, refusals ------------------------------------------------------------------


def test_methods_have_the_paper_s_names() -> None:
    assert method("dragin", threshold=0.2).trigger == Rind(0.2, pieces="largest")
    assert method("dragin-first", threshold=0.2) == (AnyOf([Once(), Rind(0.2)]), AttentionQuery(25))
    assert method("dragin", threshold=0.2, n=35).query == AttentionQuery(35, scope="everything")
    assert method("dragin-published", threshold=0.2).query == AttentionQuery(25, scope="question and answer")
    assert method("dragin-sentence", threshold=0.2) == (Rind(0.2), AttentionQuery(25, scope="sentence"))
    assert isinstance(method("flare").trigger, Flare)
    assert method("fl-rag", n=16).trigger == EveryTokens(16)
    with pytest.raises(BadInput, match="needs a threshold"):
        method("dragin")
    with pytest.raises(BadInput, match="choose one of wo-rag"):
        method("rag")  # type: ignore[arg-type]


def test_calibration_comes_near_the_wanted_rate() -> None:
    questions = [QUESTION, "When was the tower opened?", "Who led it before?"]
    found = calibrate(generator(trigger=Rind(0.0), max_new_tokens=30), questions=questions, rate=2.0, rounds=2)
    assert found.measured is not None
    assert abs(found.measured - 2.0) <= 1.0
    assert found.trigger.at_level(found.level) == found.trigger
    silent = generator(trigger=Rind(float("inf")), max_new_tokens=30).generate_many(questions)
    first = AnyOf([Once(), Rind(0.0)])
    told: list[tuple[int, int]] = []
    more = calibrate(
        generator(trigger=first, query=AttentionQuery(), max_new_tokens=30), questions=questions, rate=2.0, rounds=1,
        note=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert more.trigger == AnyOf([Once(), Rind(more.level)])
    assert more.measured is not None
    assert more.measured >= 1.0
    assert told == [(done, 6) for done in range(1, 7)]
    estimate = calibrate(generator(trigger=Rind(0.0), max_new_tokens=30), questions=questions, rate=2.0, rounds=0)
    above = sum(risk > estimate.level for run in silent for risk in word_risks(run.tokens, trigger=Rind(0.0)))
    assert above == 6


@pytest.mark.parametrize(
    "make",
    [
        lambda: Rind(-1.0),
        lambda: Rind(1.0, within=0),
        lambda: Rind(1.0, pieces="mean"),  # type: ignore[arg-type]
        lambda: RindPublished(-0.1),
        lambda: Flare(1.2),
        lambda: Flare(0.5, cut="word"),  # type: ignore[arg-type]
        lambda: EveryTokens(0),
        lambda: AnyOf([]),
        lambda: Outdated(Interval.parse("2023"), threshold=2.0),
        lambda: Outdated(Interval(0, None)),
        lambda: Sampling(temperature=0.0),
        lambda: calibrate(generator(), questions=[QUESTION], rate=1.0),
    ],
)
def test_values_that_make_no_sense_are_refused(make: object) -> None:
    with pytest.raises(BadInput):
        make()  # type: ignore[operator]
