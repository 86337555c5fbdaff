from __future__ import annotations

import pytest

from dateline.language.answer_type import answer_type


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who chairs Borth Council?", "person"),
        ("Which former actor was elected mayor of Norvik?", "person"),
        ("Who are the reigning handball champions?", "name"),
        ("Which city hosts the games?", "place"),
        ("Where does the river rise?", "place"),
        ("When did the ferry open?", "date"),
        ("In what year did the ferry open?", "date"),
        ("How many islands are there?", "count"),
        ("What is the population of Norvik?", "count"),
        ("How much is a ticket?", "money"),
        ("What is the price of a ticket?", "money"),
        ("How tall is the tower?", "measure"),
        ("What is the Bank of Norvik base rate?", "measure"),
        ("What is the latest version of Kestrel?", "version"),
        ("What position did Ada Berg hold in 1990?", "role"),
        ("What is the tallest tower in the world?", "name"),
        ("Name the chief executive of Kestrel.", "person"),
        ("Is the bridge open?", "yes_no"),
        ("Why did the ferry stop?", "phrase"),
        ("", "phrase"),
        ("The bridge was opened when the queen came. Which company built it?", "name"),
        ("She made history when she was elected to what position?", "role"),
        ("Am I too late to sign up?", "yes_no"),
        ("We've got two spaniels, may both come along?", "yes_no"),
        ("my tap drips - is Jonas the one who looks after such things", "yes_no"),
        ("I read that Anouk is leaving. Is she staying with us?", "yes_no"),
        ("Which ferries ran in April, May and June?", "name"),
        ("Who came in March, did the work and left?", "person"),
    ],
)
def test_the_words_of_a_question_say_what_kind_of_answer_it_wants(question: str, kind: str) -> None:
    assert answer_type(question).kind == kind


def test_the_noun_that_names_the_answer_is_kept() -> None:
    assert answer_type("How many members does the league have?").head == "members"
    assert answer_type("Which city hosts the games?").head == "city"
