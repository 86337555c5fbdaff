"""The contract of a store of passages, kept by each kind of store."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from dateline import Evidence, Interval
from dateline.errors import StoreFailed
from dateline.evidence.knowledge import published_from
from dateline.ranking.bm25 import Bm25
from dateline.ranking.candidates import CandidateFilter
from dateline.search.index import PartChange, PartState, PassageStore, StoredPassage, StoredSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.term_ids import term_ids
from dateline.text.words import content_words

OpenStore = Callable[[], PassageStore]

LEXICAL = LexicalEmbeddings()
ALL = CandidateFilter(2**40)
TEXTS = {
    "mayors": [
        (year, f"The mayor of Lund in {year} is {who}.") for year, who in ((2010, "Ada"), (2015, "Bo"), (2020, "Cy"))
    ],
    "ferry": [(2012, "The ferry runs daily."), (2013, "The ferry runs hourly, the ferry is full.")],
    "museum": [(None, "The museum of Lund opened in 1927.")],
}


def passage(text: str, *, year: int | None = None, title: str = "", place: int = 0, url: str = "") -> StoredPassage:
    published = None if year is None else Interval.of_year(year)
    evidence = Evidence.make(text, published=published, title=title, url=url)
    start = published_from(evidence)
    return StoredPassage(
        evidence=evidence,
        place=place,
        vector=LEXICAL.embed_array([text])[0],
        words=term_ids(content_words(text)),
        title_words=term_ids(content_words(title)),
        valid_from=start,
        valid_until=start if published is None else published.end,
        prepared=text.encode(),
    )


def put(store: PassageStore, part: str, passages: Sequence[StoredPassage]) -> None:
    with store.writing():
        store.change([PartChange(part, PartState((1,), part, passages=len(passages)), passages)])
        store.tidy()


def text_of(store: PassageStore, numbers: Any) -> list[str]:
    found = store.read([int(each) for each in numbers])
    return [found[int(each)].evidence.text for each in numbers]


@pytest.fixture
def store(open_store: OpenStore) -> PassageStore:
    made = open_store()
    for part, rows in TEXTS.items():
        put(made, part, [passage(text, year=year, url=f"{part}/{year}") for year, text in rows])
    return made


def test_what_was_stored_is_there_for_whoever_opens_it_next(store: PassageStore, open_store: OpenStore) -> None:
    again = open_store()
    assert dict(again.parts()) == dict(store.parts())
    assert set(again.parts()) == set(TEXTS)
    assert again.count() == 6
    assert dict(again.settings) == dict(store.settings)


def test_it_is_sent_to_another_process_by_its_address(store: PassageStore) -> None:
    sent: PassageStore = pickle.loads(pickle.dumps(store))  # noqa: S301 - our own
    assert sent.count() == 6
    sent.close()


@pytest.mark.parametrize("year", [2009, 2010, 2012, 2014, 2030])
def test_only_what_was_known_is_found(store: PassageStore, year: int) -> None:
    asked = CandidateFilter(int(datetime(year, 12, 31, tzinfo=UTC).timestamp()) + 86_400)
    known = {text for rows in TEXTS.values() for told, text in rows if told is None or told <= year}
    vector, words = LEXICAL.embed_array(["Lund ferry"])[0], term_ids(content_words("ferry Lund"))
    assert store.count(asked) == len(known)
    assert set(text_of(store, store.nearest(vector, count=9, asked=asked).numbers)) == known
    assert set(text_of(store, store.worded(words, count=9, asked=asked).numbers)) == known


def test_a_period_lets_through_what_is_about_it(store: PassageStore) -> None:
    period = Interval.of_year(2015)
    asked = CandidateFilter(2**40, period.start, period.end)
    vector = LEXICAL.embed_array(["mayor"])[0]
    assert text_of(store, store.nearest(vector, count=9, asked=asked).numbers) == [TEXTS["mayors"][1][1]]
    assert store.count(asked) == 1


def test_the_nearest_come_in_order_of_their_cosines(store: PassageStore) -> None:
    vector = LEXICAL.embed_array(["The ferry runs daily."])[0]
    hits = store.nearest(vector, count=3, asked=ALL)
    texts = text_of(store, hits.numbers)
    cosines = [float(LEXICAL.embed_array([text])[0] @ vector) for text in texts]
    assert texts[0] == "The ferry runs daily."
    assert hits.scores == pytest.approx(cosines, abs=2e-3)
    assert list(hits.scores) == sorted(hits.scores, reverse=True)


def test_the_newest_are_found_by_since_when_they_hold(store: PassageStore) -> None:
    vector = LEXICAL.embed_array(["The mayor of Lund is"])[0]
    mayors = [text for _, text in TEXTS["mayors"]]
    since = Interval.of_year(2013).start
    newest = store.nearest(vector, count=2, asked=ALL.newest(since))
    assert set(text_of(store, newest.numbers)) == set(mayors[1:])
    assert newest.began.tolist() == [
        Interval.of_year(2015 if "Bo" in text else 2020).start for text in text_of(store, newest.numbers)
    ]
    known = CandidateFilter(Interval.of_year(2017).start or 0).newest(since)
    assert text_of(store, store.nearest(vector, count=1, asked=known).numbers) == [mayors[1]]
    worded = store.worded(term_ids(content_words("mayor")), count=9, asked=known)
    assert text_of(store, worded.numbers) == [mayors[1]]


def test_one_that_states_a_later_day_holds_since_that_day(open_store: OpenStore) -> None:
    store = open_store()
    published, stated, later = (Interval.of_year(year).start or 0 for year in (2010, 2015, 2020))
    told = passage("Ada is mayor of Lund from 2015 on.", year=2010)
    put(store, "a", [replace(told, valid_from=stated, valid_until=later)])

    def found(asked: CandidateFilter) -> tuple[list[tuple[int, int]], ...]:
        hits = store.nearest(told.vector, count=1, asked=asked), store.worded(told.words, count=1, asked=asked)
        return tuple(each.since() for each in hits)

    [number] = store.nearest(told.vector, count=1, asked=ALL).numbers.tolist()
    since = ALL.newest(Interval.of_year(2013).start)
    assert found(since) == ([(number, stated)], [(number, stated)])
    assert store.count(since) == 1
    before = CandidateFilter(Interval.of_year(2014).start or 0)
    assert found(before) == ([(number, published)], [(number, published)]), "that day was still to come"
    assert found(before.newest(since.since)) == ([], [])
    assert store.count(before.newest(since.since)) == store.count(ALL.newest(later)) == 0


@pytest.mark.parametrize("question", ["ferry", "mayor of Lund", "full ferry of Lund", "unheard", "ferry ferry ferry"])
def test_words_are_scored_by_bm25_over_all_passages(store: PassageStore, question: str) -> None:
    texts = [text for rows in TEXTS.values() for _, text in rows]
    expected = dict(zip(texts, Bm25.build(texts).scores(question).tolist(), strict=True))
    hits = store.worded(term_ids(content_words(question)), count=9, asked=ALL)
    found = dict(zip(text_of(store, hits.numbers), hits.scores.tolist(), strict=True))
    assert found == pytest.approx({text: score for text, score in expected.items() if score > 0}, rel=1e-3)
    best = store.worded(term_ids(content_words(question)), count=1, asked=ALL)
    assert list(best.numbers) == list(hits.numbers[:1])


def test_documents_come_whole_with_the_counts_of_words(open_store: OpenStore) -> None:
    store = open_store()
    texts = ["Lund has a ferry.", "The ferry runs.", "Nobody rows."]
    rows = [passage(text, title="Ferry news", place=place) for place, text in enumerate(texts)]
    put(store, "a", [*rows, passage("Another ferry.", place=0, url="b")])
    words = term_ids(["ferri", "lund"] if "ferri" in content_words("ferry") else ["ferry", "lund"])
    [second] = store.nearest(rows[1].vector, count=1, asked=ALL).numbers
    [document] = store.documents([int(second)], words=words)
    assert text_of(store, document.passages) == texts
    assert document.words.tolist() == [3, 1], "the title counts once"
    assert document.title_words.tolist() == [1, 0]
    assert document.title_length == 2
    assert document.length == 2 + sum(len(each.words) for each in rows)
    told = store.statistics(words)
    assert [told[kind].size for kind in ("passage", "document", "title")] == [4, 2, 2]
    assert told["passage"].frequencies.tolist() == [4, 1]
    assert told["document"].frequencies.tolist() == [2, 1]
    assert told["title"].frequencies.tolist() == [1, 0]


def test_a_part_that_is_replaced_or_leaves_takes_its_counts_along(store: PassageStore) -> None:
    words = term_ids(content_words("ferry mayor boat"))
    put(store, "ferry", [passage("The boat runs.", year=2014)])
    with store.writing():
        store.change([PartChange("mayors")])
    assert store.count() == 2
    assert store.count(CandidateFilter(0)) == 1, "the undated one was always known"
    assert store.statistics(words)["passage"].frequencies.tolist() == [0, 0, 1]
    assert store.statistics(words)["document"].size == 2
    assert set(store.parts()) == {"ferry", "museum"}
    assert set(text_of(store, store.nearest(LEXICAL.embed_array(["mayor"])[0], count=9, asked=ALL).numbers)) == {
        "The boat runs.",
        "The museum of Lund opened in 1927.",
    }


def test_a_state_changes_without_its_passages(store: PassageStore) -> None:
    state = PartState((2, 3), "other", passages=2, skipped=("line 1 is empty",), orders=(True,), day_first=True)
    with store.writing():
        store.change([PartChange("ferry", state, None)])
    assert store.parts()["ferry"] == state
    assert store.count() == 6


def test_a_change_that_fails_leaves_everything_as_it_was(store: PassageStore) -> None:
    before = dict(store.parts())
    with store.writing(), pytest.raises(Exception):  # noqa: B017, PT011 - whatever the store says
        store.change([PartChange("mayors"), PartChange("new", PartState((1,), "n", passages=1), [object()])])  # type: ignore[list-item]
    assert dict(store.parts()) == before
    assert store.count() == 6


def test_one_writes_at_a_time(store: PassageStore, open_store: OpenStore) -> None:
    other = open_store()
    refused: list[BaseException] = []

    def write() -> None:
        try:
            with other.writing(wait=0.2):  # type: ignore[call-arg]
                pass
        except StoreFailed as error:
            refused.append(error)

    with store.writing():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert len(refused) == 1
    with other.writing():
        pass


def test_a_search_over_it_answers_as_of_a_day(store: PassageStore) -> None:
    search = StoredSearch(store, embeddings=LEXICAL)
    for year, who in ((2011, "Ada"), (2016, "Bo"), (2021, "Cy")):
        found = search.search("Who is the mayor of Lund?", as_of=datetime(year, 6, 1, tzinfo=UTC), k=3)
        assert who in found.evidence[0].text


def test_the_right_one_of_many_versions_is_found_however_it_is_worded(open_store: OpenStore) -> None:
    wordings = (
        "{} is keeper of the light.",
        "The light is in the keeping of {}.",
        "At the light, {} took over as keeper.",
    )
    told = {year: wordings[year % 3].format(f"Keeper{year}") for year in range(1700, 2020)}
    likes = {year: f"Keeper{year} is keeper of the lighter barge in harbour {year}." for year in told}
    store = open_store()
    put(
        store, "a", [passage(text, year=year, url=f"{year}") for texts in (told, likes) for year, text in texts.items()]
    )
    search = StoredSearch(store, embeddings=LEXICAL)
    for year in (1712, 1790, 1855, 1931, 2010):
        found = search.search("Who is keeper of the light?", as_of=datetime(year, 12, 31, tzinfo=UTC), k=3)
        assert told[year] in [each.text for each in found.evidence]


def test_numbers_are_never_used_again(store: PassageStore) -> None:
    vector = LEXICAL.embed_array(["ferry"])[0]
    before = set(store.nearest(vector, count=9, asked=ALL).numbers.tolist())
    put(store, "ferry", [passage("The ferry sank.", year=2014)])
    [new] = set(store.nearest(vector, count=9, asked=ALL).numbers.tolist()) - before
    assert new > max(before)
    assert store.read(sorted(before)).keys() < before
