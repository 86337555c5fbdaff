"""A growing benchmark on disk: the published form in and out, whole months, kills and repetitions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from grow_parts import SameWords

from dateline import BadInput
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.growing.articles import ArticleSnapshot, load_snapshot, snapshot_folders
from dateline_bench.growing.benchmark_folder import BenchmarkFolder, counts_of, months_in, read_articles
from dateline_bench.growing.growth import Growth
from dateline_bench.growing.making import MadeInstance
from dateline_bench.growing.published_form import read_instances, write_instances
from dateline_bench.growing.tasks import GrowTask
from dateline_bench.growing.template_maker import TemplateMaker

SNAPSHOTS = Path(__file__).parents[2] / "examples" / "snapshots"
MONTHS = ["2024-01", "2024-02", "2024-03"]


class Counting(TemplateMaker):
    """Counts its tasks, and dies at one of them."""

    def __init__(self, *, dies_at: int = 0) -> None:
        self.dies_at, self.made = dies_at, 0

    def make(self, task: GrowTask) -> MadeInstance:
        self.made += 1
        if self.made == self.dies_at:
            raise KeyboardInterrupt
        return super().make(task)


def benchmark(folder: Path, maker: TemplateMaker | None = None, *, seed: int = 0) -> BenchmarkFolder:
    growth = Growth(maker or TemplateMaker(), labeller=SameWords(), embeddings=LexicalEmbeddings(), seed=seed)
    return BenchmarkFolder(folder, growth=growth)


def snapshot(month: str) -> ArticleSnapshot:
    return load_snapshot(SNAPSHOTS / month)


def files(folder: Path) -> dict[str, str]:
    return {str(each.relative_to(folder)): each.read_text() for each in sorted(folder.rglob("*")) if each.is_file()}


def test_three_months_grow_and_every_evidence_stands_where_it_says(tmp_path: Path) -> None:
    made = benchmark(tmp_path)
    made.start(snapshot("2024-01"))
    for month in MONTHS[1:]:
        made.update(snapshot(month))
    assert months_in(tmp_path) == MONTHS
    for month in MONTHS:
        articles = read_articles(tmp_path, month=month)
        questions, dialogues = read_instances(tmp_path / month)
        turns = [(talk.article, turn) for talk in dialogues for turn in talk.turns if turn.type != "Deleted"]
        for article, each in [*((question.article, question) for question in questions), *turns]:
            assert tuple(articles[article].sentences[place] for place in each.indices) == each.evidence
    last = counts_of(tmp_path, month="2024-03")
    assert last.questions["Changed"] == 2
    assert last.questions["Deleted"] == 5
    assert {question.article for question in read_instances(tmp_path / "2024-03")[0]} == {
        "elwin-lighthouse", "harbour-choir", "port-elwin",
    }  # fmt: skip


def test_the_same_month_again_changes_nothing(tmp_path: Path) -> None:
    maker = Counting()
    made = benchmark(tmp_path, maker)
    made.start(snapshot("2024-01"))
    made.update(snapshot("2024-02"))
    before, tasks = files(tmp_path), maker.made
    made.start(snapshot("2024-01"))
    made.update(snapshot("2024-02"))
    assert files(tmp_path) == before
    assert maker.made == tasks


def test_a_killed_run_leaves_no_month_and_goes_on_where_it_was_without_paying_twice(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    maker = Counting()
    benchmark(whole, maker).start(snapshot("2024-01"))
    dying = Counting(dies_at=8)
    with pytest.raises(KeyboardInterrupt):
        benchmark(killed, dying).start(snapshot("2024-01"))
    assert months_in(killed) == []
    journal = killed / ".2024-01.journal"
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"article": "port-elwin", "questions": [')  # a line that was torn
    second = Counting()
    benchmark(killed, second).start(snapshot("2024-01"))
    assert second.made < maker.made
    assert not journal.exists()
    assert {name: text for name, text in files(killed).items() if "month.json" not in name} == {
        name: text for name, text in files(whole).items() if "month.json" not in name
    }


def test_a_journal_of_other_settings_is_not_gone_on_from(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        benchmark(tmp_path, Counting(dies_at=8)).start(snapshot("2024-01"))
    other, whole = Counting(), Counting()
    benchmark(tmp_path, other, seed=1).start(snapshot("2024-01"))
    benchmark(tmp_path / "whole", whole, seed=1).start(snapshot("2024-01"))
    assert other.made == whole.made


def test_the_published_form_is_written_and_read_back_whole(tmp_path: Path) -> None:
    benchmark(tmp_path).start(snapshot("2024-01"))
    benchmark(tmp_path).update(snapshot("2024-02"))
    read = read_instances(tmp_path / "2024-02")
    copy = tmp_path / "copy"
    copy.mkdir()
    write_instances(copy, questions=read[0], dialogues=read[1])
    assert read_instances(copy) == read
    row: Any = json.loads((tmp_path / "2024-02" / "qa.jsonl").read_text().splitlines()[1])["northern-observatory"][1]
    assert row["type"] == "CHANGED"
    assert (row["answer"], row["previous_answer"]) == ("Carl Dahl", "Anna Berg")
    assert (row["start_idx"], row["end_idx"], row["grounded_text"]) == (4, 4, row["evidence"][0])


PUBLISHED_QA = {"12": [{"title": "Elwin", "type": "SAME", "generated_month": "08", "question": "Who?", "answer": "Nils",
                        "grounded_text": "Nils is mayor.", "start_idx": 4, "end_idx": 5}]}  # fmt: skip
PUBLISHED_DIALOGUE = {"d1": {"article_id": "12", "created_month": 8, "last_modified_month": 9, "dialogue_type": "SAME",
                             "turn": {"1": "t1", "0": "t0", "2": "missing"}}}  # fmt: skip
PUBLISHED_TURNS = [
    {f"t{n}": {"dialogue_id": "d1", "turn_number": n, "user": f"u{n}", "expert": "e", "grounded_sentence": "s",
               "sentence_type": kind, "sentence_index": n, "created_month": 8, "created_type": "NEW"}}
    for n, kind in enumerate(("CONTRADICT", "SAME"))
]  # fmt: skip


def test_a_month_as_it_was_published_without_our_fields_is_read(tmp_path: Path) -> None:
    (tmp_path / "qa.jsonl").write_text(json.dumps(PUBLISHED_QA), encoding="utf-8")
    (tmp_path / "dialogue.jsonl").write_text(json.dumps(PUBLISHED_DIALOGUE), encoding="utf-8")
    (tmp_path / "turn.jsonl").write_text("\n".join(map(json.dumps, PUBLISHED_TURNS)), encoding="utf-8")
    (question,), (talk,) = read_instances(tmp_path)
    assert (question.type, question.born, question.indices, question.made_by) == ("Unchanged", "08", (4, 5), "model")
    assert [(turn.user, turn.type, turn.indices) for turn in talk.turns] == [
        ("u0", "Changed", (0,)),
        ("u1", "Unchanged", (1,)),
    ]
    assert (talk.born, talk.modified) == ("08", "09")


def test_a_published_benchmark_is_gone_on_from_where_the_snapshots_hold_its_articles(tmp_path: Path) -> None:
    sentences = [
        "Elwin is a town.",
        "It lies by the sea.",
        "It is old.",
        "It has a hall.",
        "Nils is mayor.",
        "He is tall.",
    ]
    for month, text in (
        ("08", " ".join(sentences)),
        ("09", " ".join(["It rains here every single day.", *sentences[1:]])),
    ):
        (tmp_path / "snapshots" / month).mkdir(parents=True)
        row = json.dumps({"id": "12", "title": "Elwin", "text": text})
        (tmp_path / "snapshots" / month / "wiki.jsonl").write_text(row, encoding="utf-8")
    published = tmp_path / "published" / "08"
    published.mkdir(parents=True)
    (published / "qa.jsonl").write_text(json.dumps(PUBLISHED_QA), encoding="utf-8")
    (published / "dialogue.jsonl").write_text(json.dumps(PUBLISHED_DIALOGUE), encoding="utf-8")
    (published / "turn.jsonl").write_text("\n".join(map(json.dumps, PUBLISHED_TURNS)), encoding="utf-8")
    assert months_in(tmp_path / "published") == ["08"]
    made = benchmark(tmp_path / "published")
    with pytest.raises(BadInput, match="articles of the month before"):
        made.update(load_snapshot(tmp_path / "snapshots" / "09"))
    made.update(load_snapshot(tmp_path / "snapshots" / "09"), snapshots=tmp_path / "snapshots")
    (question,), (talk,) = read_instances(tmp_path / "published" / "09")
    assert (question.type, question.evidence) == ("Unchanged", ("Nils is mayor.", "He is tall."))
    assert [turn.type for turn in talk.turns] == ["Deleted", "Unchanged"]
    assert counts_of(tmp_path / "published", month="09").turns["Deleted"] == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "Cannot read"), ("{", "Line 1"), ("[]", "Line 1"), ('{"a": 5}', "list"), ('{"a": [{}]}', "'a'"),
     ('{"a": [{"type": "ODD", "question": "q", "answer": "a"}]}', "'a'")],
)  # fmt: skip
def test_a_damaged_month_is_one_sentence(tmp_path: Path, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / "qa.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        read_instances(tmp_path)


def test_months_come_in_order_and_begin_once(tmp_path: Path) -> None:
    made = benchmark(tmp_path / "b")
    with pytest.raises(BadInput, match="dateline grow init"):
        made.update(snapshot("2024-01"))
    made.start(snapshot("2024-02"))
    with pytest.raises(BadInput, match="begins with 2024-02"):
        made.start(snapshot("2024-01"))
    with pytest.raises(BadInput, match="does not come after"):
        made.update(snapshot("2024-01"))


def test_snapshots_are_dated_folders_of_articles_and_what_is_damaged_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no folder"):
        snapshot_folders(tmp_path / "none")
    with pytest.raises(BadInput, match="no dated subfolder"):
        snapshot_folders(tmp_path)
    for month in ("2024-10", "2023-12-31", "notes"):
        (tmp_path / month).mkdir()
    assert [each.name for each in snapshot_folders(tmp_path)] == ["2023-12-31", "2024-10"]
    with pytest.raises(BadInput, match="no article"):
        load_snapshot(tmp_path / "2024-10")
    rows = [
        '{"id": 7, "title": "Elwin", "text": "A town. By the sea.\\n\\nIt is old."}',
        "{",
        '{"id": 7, "text": "Again."}',
    ]
    (tmp_path / "2024-10" / "all.jsonl").write_text("\n".join(rows), encoding="utf-8")
    found = load_snapshot(tmp_path / "2024-10")
    assert [(each.id, each.sentences, each.paragraphs) for each in found.articles] == [
        ("7", ("A town.", "By the sea.", "It is old."), ((0, 2), (2, 3)))
    ]
    assert len(found.skipped) == 2
