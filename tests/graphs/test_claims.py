"""The link from each sentence of an answer to the sentences that hold its words."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dateline import Evidence
from dateline.evidence.claims import ENOUGH, MAX_CLAIMS, claims_of

MAY = Evidence.make("The vote was on Monday. Theresa May has become Prime Minister.", title="May")
TRUSS = Evidence.make("Liz Truss flew to Balmoral. She defeated Rishi Sunak in the ballot.", title="Truss")
WORDS = st.text(alphabet="abc .!?\né0", max_size=200)


def test_a_short_answer_stands_on_every_piece_that_was_used_with_the_sentence_that_names_it() -> None:
    (claim,) = claims_of("Rishi Sunak", used=[MAY, TRUSS])
    assert [(one.evidence_id, one.sentence) for one in claim.support] == [
        (TRUSS.id, "She defeated Rishi Sunak in the ballot."),
        (MAY.id, ""),
    ]


def test_each_sentence_of_a_long_answer_is_linked_to_its_own_evidence_or_to_none() -> None:
    answer = "Theresa May became Prime Minister. Liz Truss flew to Balmoral. Bananas are yellow."
    claims = claims_of(answer, used=[MAY, TRUSS])
    assert [[one.evidence_id for one in claim.support] for claim in claims] == [[MAY.id], [TRUSS.id], []]
    assert claims[1].support[0].share == 1.0


def test_no_answer_makes_no_claim() -> None:
    assert claims_of("", used=[MAY]) == ()
    assert claims_of("  \n", used=[MAY]) == ()


def test_a_very_long_answer_loses_no_word() -> None:
    answer = " ".join(f"Point {number} is made." for number in range(3 * MAX_CLAIMS))
    claims = claims_of(answer, used=[MAY])
    assert len(claims) == MAX_CLAIMS
    assert " ".join(claim.text for claim in claims) == answer


@settings(max_examples=60)
@given(WORDS, st.lists(WORDS, max_size=3))
def test_whatever_the_texts_are_shares_are_shares_and_quotes_are_quotes(answer: str, texts: list[str]) -> None:
    used = [Evidence.make(text, title=str(number)) for number, text in enumerate(texts)]
    by_id = {piece.id: piece for piece in used}
    for claim in claims_of(answer, used=used):
        for one in claim.support:
            assert 0.0 <= one.share <= 1.0
            assert one.sentence in by_id[one.evidence_id].text
            assert bool(one.sentence) == (one.share >= ENOUGH)
