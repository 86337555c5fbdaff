"""Lines that writers end on purpose, and tables told cell by cell."""

from hypothesis import given
from hypothesis import strategies as st

from dateline.facts.fact_reader import facts_of
from dateline.records import Evidence
from dateline.text import split_sentences
from dateline.text.tables import with_told_tables


def texts(passage: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(passage)]


def test_each_line_of_a_price_list_is_a_sentence() -> None:
    lines = ["whole milk, pint ........ 95p", "semi-skimmed, pint ...... 93p", "eggs, half dozen ....... £2.10"]
    assert texts("\n".join(lines)) == lines


def test_each_line_of_an_address_is_a_sentence() -> None:
    assert texts("Contact: Ann Lee\nPhone: 0123 456\nOffice: 4 Mill Lane, upper floor") == [
        "Contact: Ann Lee",
        "Phone: 0123 456",
        "Office: 4 Mill Lane, upper floor",
    ]


def test_wrapped_prose_goes_on_over_its_lines() -> None:
    wrapped = "We charge no deposit on bottles, but please\nrinse them and put them out before seven on\nthe day of your round."
    assert texts(wrapped) == [wrapped]


def test_every_cell_is_told_with_its_row_and_column() -> None:
    table = "Rounds:\n\n| Round | Driver | Van |\n|---|---|---|\n| Town | Gwen | F2 |\n| Moor | Sunil | |\n\nRing Bill."
    assert [line for line in with_told_tables(table).split("\n") if line] == [
        "Rounds:",
        "Round Town, Driver: Gwen",
        "Round Town, Van: F2",
        "Round Moor, Driver: Sunil",
        "Ring Bill.",
    ]


def test_a_table_with_an_empty_corner_tells_each_cell_of_its_own_column() -> None:
    told = [with_told_tables(f"|{corner}|2020|2021|\n|-|-|-|\n|Anna|5|6|\n|{corner}|7||") for corner in ("", " ")]
    assert [line for line in told[0].split("\n") if line] == ["Anna, 2020: 5", "Anna, 2021: 6", "2020: 7"]
    assert told[0] == told[1]


def test_a_table_of_one_column_is_told_under_its_head() -> None:
    table = "| Members |\n|---|\n| Anna Berg |\n| |\n| Bo Lind |"
    assert [line for line in with_told_tables(table).split("\n") if line] == ["Members: Anna Berg", "Members: Bo Lind"]


def test_cells_become_facts_under_the_documents_title() -> None:
    document = Evidence.make("| Round | Driver |\n|---|---|\n| Town | Gwen Pashley |", title="Rounds")
    assert [fact.text for fact in facts_of(document)] == ["Rounds: Round Town, Driver: Gwen Pashley"]


@given(st.text(alphabet=st.sampled_from("a1 |-:\n"), max_size=120))
def test_text_without_a_table_stays_as_it_is(text: str) -> None:
    lines = [line.strip() for line in text.split("\n")]
    if not any(set(line) <= set("|-: ") and "-" in line and line.startswith("|") for line in lines):
        assert with_told_tables(text) == text
