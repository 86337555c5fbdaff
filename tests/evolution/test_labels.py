"""Sentence labels between two versions of a document."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.evolution import Labelling, SentenceLabeller
from dateline.evolution.nli import verdicts_of
from dateline.handwritten.labels.difference import Difference
from dateline.handwritten.labels.sentence_content import SentenceContent
from dateline.protocols import Labeller, Verdict
from dateline.reading import RuleJudge
from dateline.text.alignment import Pair, equal_pairs, groups_between
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.subsets import subsets
from dateline_bench.snapshots import SHIPPED, parse_pairs, read_pairs, scores_of
from dateline_bench.snapshots.scores import JudgedSentence
from dateline_cli.main import main

OLD = [
    "The mill of Varn was built in 1912 by Ada Berg and rebuilt in 1931 after a flood.",
    "It has four floors.",
    "The keeper of the mill is Jon Aske.",
    "Visitors may not climb the tower.",
    "The garden was laid out by monks.",
]


class SlowJudge:
    """Counts what it is asked and leaves everything open."""

    def __init__(self, verdict: Verdict = "neither") -> None:
        self.verdict, self.asked = verdict, 0

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        self.asked += len(pairs)
        return [self.verdict for _ in pairs]


def labeller(**options: object) -> SentenceLabeller:
    parts = {"embeddings": LexicalEmbeddings(), "judge": RuleJudge(), **options}
    return SentenceLabeller(**parts)  # type: ignore[arg-type]


def labels_of(new: Sequence[str], /, **options: object) -> list[tuple[str, tuple[int, ...]]]:
    found = labeller(**options).label(OLD, new=list(new))
    return [(one.label, one.old) for one in found.sentences]


def test_what_stayed_is_unchanged_wherever_it_stands_now() -> None:
    found = labeller().label(OLD, new=OLD[::-1])
    assert [one.label for one in found.sentences] == ["unchanged"] * len(OLD)
    assert found.deleted == ()
    assert found.kept() == {place: (len(OLD) - 1 - place,) for place in range(len(OLD))}


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("It has five floors.", ("changed", (1,))),
        ("The keeper of the mill is Vera Holt.", ("changed", (2,))),
        ("Visitors may climb the tower.", ("changed", (3,))),
        ("Monks laid out the garden.", ("unchanged", (4,))),
        ("It was rebuilt in 1931 after a flood.", ("unchanged", (0,))),
        ("A café was opened beside the stable last year.", ("new", ())),
    ],
)
def test_exact_evidence_decides_what_embeddings_hardly_see(new: str, expected: tuple[str, tuple[int, ...]]) -> None:
    place = expected[1][0] if expected[1] else len(OLD)
    version = [*OLD[:place], new, *OLD[place + 1 :]]
    assert labels_of(version)[place] == expected


def test_a_split_sentence_is_unchanged_in_both_parts_and_a_merged_one_in_its_parts() -> None:
    split = ["The mill of Varn was built in 1912 by Ada Berg.", "It was rebuilt in 1931 after a flood.", *OLD[1:]]
    assert labels_of(split)[:2] == [("unchanged", (0,))] * 2
    merged = [OLD[0], "It has four floors, and the keeper of the mill is Jon Aske.", *OLD[3:]]
    assert labels_of(merged)[1] == ("unchanged", (1, 2))


def test_swapped_values_are_a_change_although_all_words_are_the_same() -> None:
    found = labeller().label(["Rask beat Norhavn in 2019."], new=["Norhavn beat Rask in 2019."])
    assert found.sentences[0].label == "changed"


def test_neighbours_that_each_hold_a_half_of_the_values_say_nothing_together() -> None:
    old = ["The keeper of mill 1 is Carl Dahl.", "The keeper of mill 2 is Gro Vik."]
    found = labeller().label(old, new=["The keeper of mill 1 is Eva Ruud.", "The keeper of mill 2 is Carl Dahl."])
    assert [one.label for one in found.sentences] == ["changed", "changed"]


def test_a_general_figure_follows_from_an_exact_one_and_not_the_other_way_round() -> None:
    exact, general = "The library holds 4,312 books.", "The library holds more than 4,000 books."
    assert labeller().label([exact], new=[general]).sentences[0].label == "unchanged"
    assert labeller().label([general], new=[exact]).sentences[0].label != "unchanged"


def test_a_sentence_that_carries_an_old_one_on_is_undecided() -> None:
    new = [*OLD[:4], "The garden was laid out by monks, who also dug the pond."]
    assert labels_of(new)[4] == ("undecided", (4,))


def test_what_a_checker_denies_is_undecided() -> None:
    new = [OLD[0], "It has five floors.", *OLD[2:]]
    checker = SlowJudge("neither")
    assert labels_of(new, checker=checker)[1] == ("undecided", (1,))
    assert checker.asked == 1
    assert labels_of(new, checker=SlowJudge("contradicts"))[1] == ("changed", (1,))


def test_the_published_steps_believe_judge_and_thresholds_alone() -> None:
    new = [OLD[0], "It has five floors.", *OLD[2:]]
    by_verdict = {"supports": "unchanged", "contradicts": "changed", "neither": "new"}
    for verdict, label in by_verdict.items():
        found = labels_of(new, method="paper", judge=SlowJudge(verdict), changed=-1.0, new=1.0)  # type: ignore[arg-type]
        assert found[1][0] == label
    assert labels_of(new, method="paper", judge=SlowJudge(), new=-1.0)[1] == ("undecided", ())
    # Contradicted, but too little alike: no label there, "undecided" here.
    assert labels_of(new, method="paper", judge=SlowJudge("contradicts"), changed=1.0)[1] == ("undecided", ())


def test_only_what_is_not_equal_is_embedded_or_judged() -> None:
    class Counting(LexicalEmbeddings):
        seen = 0

        def embed_array(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
            type(self).seen += len(texts)
            return super().embed_array(texts)

    judge = SlowJudge()
    labels_of([OLD[0], "It has five floors.", *OLD[2:]], embeddings=Counting(), judge=judge)
    assert Counting.seen == 2
    assert judge.asked <= 1


def test_subsets_are_all_of_a_small_group_and_bounded_for_a_large_one() -> None:
    assert len(subsets(range(4))) == 2**4 - 1
    assert all(len(subsets(range(n))) <= 3 * n for n in range(5, 65))
    assert subsets(range(65)) == []


def test_a_moved_sentence_bounds_no_group() -> None:
    pairs = [Pair(0, 0), Pair(4, 1), Pair(3, 3)]
    groups = groups_between(pairs, old=[1, 2], new=[2])
    assert [(group.old, group.new) for group in groups] == [((1, 2), (2,))]
    assert equal_pairs("aab", new="baaa") == [(2, 0), (0, 1), (1, 2), (1, 3)]


SENTENCES = st.lists(st.text(max_size=40), max_size=8)


@settings(max_examples=60)
@given(old=SENTENCES, new=SENTENCES, method=st.sampled_from(["default", "paper"]))
def test_any_two_lists_of_strings_are_labelled_one_by_one(old: list[str], new: list[str], method: str) -> None:
    found = labeller(method=method).label(old, new=new)
    assert [one.text for one in found.sentences] == new
    assert [one.index for one in found.sentences] == list(range(len(new)))
    used = {place for one in found.sentences for place in one.old}
    assert used.isdisjoint(found.deleted)
    assert used | set(found.deleted) == set(range(len(old)))
    assert Labelling.model_validate_json(found.model_dump_json()) == found


def test_a_labeller_says_the_same_twice() -> None:
    new = [*random.Random(0).sample(OLD, 3), "It has five floors."]
    one = labeller()
    assert isinstance(one, Labeller)
    assert one.label(OLD, new=new) == one.label(OLD, new=new)


@pytest.mark.parametrize("options", [{"method": "best"}, {"same": 1.5}, {"new": -2}])
def test_an_argument_out_of_range_is_refused_in_one_sentence(options: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"^[^\n]*\.$"):
        labeller(**options)


def test_the_order_of_an_nli_models_outputs_is_read_from_its_config() -> None:
    assert verdicts_of({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}) == ("contradicts", "neither", "supports")
    assert verdicts_of({"1": "contradiction", "0": "entailment", "2": "neutral"})[0] == "supports"
    with pytest.raises(BadInput, match="LABEL_0"):
        verdicts_of({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})


def test_the_shipped_pairs_are_many_and_each_is_whole() -> None:
    pairs = [pair for name in ("development", "held_out") for pair in read_pairs(SHIPPED / f"{name}.txt")]
    lines = [line for pair in pairs for line in pair.new]
    assert len(lines) >= 300
    assert {line.label for line in lines} == {"unchanged", "changed", "new", "undecided"}
    for pair in pairs:
        assert all(line.text == pair.old[line.old[0]] for line in pair.new if line.kind in ("verbatim", "moved"))
        assert not any(line.text in pair.old for line in pair.new if line.label != "unchanged")


@pytest.mark.parametrize("line", ["= 9", "~ | Text.", "* 1 | Text.", "~ 1 date", "x 1 | Text."])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(BadInput, match="line 5"):
        parse_pairs(f"## Title\nold\n1 One.\nnew\n{line}\n")


def test_scores_are_those_of_a_table_worked_out_by_hand() -> None:
    rows = [("unchanged", "unchanged"), ("unchanged", "changed"), ("changed", "changed"), ("new", "new")]
    scores = scores_of([JudgedSentence("edit", gold, given) for gold, given in rows])  # type: ignore[arg-type]
    assert scores.f1["unchanged"] == scores.f1["changed"] == pytest.approx(200 / 3)
    assert scores.macro_f1 == pytest.approx((200 / 3 + 200 / 3 + 100) / 3)
    assert scores.accuracy == 75.0


def test_the_command_prints_pairs_and_json_and_refuses_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("The mill of Varn has four floors. It is open to visitors.\n")
    new.write_text("The mill of Varn has five floors. It is open to visitors.\n")
    assert main(["label", str(old), str(new)]) == 0
    out = capsys.readouterr().out
    assert "~ The mill of Varn has five floors." in out
    assert "was: The mill of Varn has four floors." in out
    assert main(["label", str(old), str(new), "--method", "paper", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert Labelling.model_validate(found).sentences[1].label == "unchanged"
    dated = tmp_path / "2021-03-02-mill.txt"
    dated.write_text("The mill of Varn has six floors.\n")
    assert main(["label", str(old), str(dated)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("mill.txt\n")
    assert "1 sentence: 0 unchanged, 1 changed" in out
    assert main(["label", str(old), str(tmp_path / "none.txt")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def labelled(
    folder: Path, old: dict[str, str], new: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> dict[str, Labelling]:
    """What the command says of two folders of files, by document."""
    sides = []
    for name, files in (("old", old), ("new", new)):
        sides.append(folder / name)
        sides[-1].mkdir(parents=True)
        for file, text in files.items():
            (sides[-1] / file).write_text(text, encoding="utf-8")
    assert main(["label", *map(str, sides), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return {name: Labelling.model_validate(one) for name, one in found.items()}


def test_versions_in_folders_are_matched_by_file_whatever_their_headings_and_years(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = ("# Handbook 2023\n\nThe mill has four floors.\n", "# Handbook 2024\n\nThe mill has five floors.\n")
    names = (
        ("handbook.md", "handbook.md"),
        ("handbook-2023.md", "handbook-2024.md"),
        ("2023-05-01_handbook.md", "handbook.md"),
    )
    for number, (first, second) in enumerate(names):
        old, new = {first: before, "other.md": "It is red."}, {second: after, "other.md": "It is red."}
        found = labelled(tmp_path / str(number), old, new, capsys)
        assert set(found) == {"handbook.md", "other.md"}
        assert {one.label for one in found["handbook.md"].sentences if "five" in one.text} == {"changed"}
        assert [one.label for one in found["other.md"].sentences] == ["unchanged"]


def test_every_document_of_a_file_and_every_issue_of_a_folder_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"title": place, "text": f"{place} has a mill."} for place in ("Varn", "Lund", "Tarn")]
    files = ["\n".join(map(json.dumps, some)) for some in (rows[:2], rows[1:])]
    days = ("2023-05-01.md", "2023-05-02.md")
    old, new = ({"news.jsonl": rows, **{day: f"The pool is open on {day[:10]}." for day in days}} for rows in files)
    found = labelled(tmp_path, old, new, capsys)
    assert set(found) == {"news.jsonl: Lund", "news.jsonl: Tarn", "news.jsonl: Varn", *days}
    assert found["news.jsonl: Varn"].deleted
    assert [one.text for one in found["news.jsonl: Tarn"].sentences] == ["Tarn has a mill."]
    assert {one.label for name in ("news.jsonl: Lund", *days) for one in found[name].sentences} == {"unchanged"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The old harbour museum is open.", "The old harbour museum is closed."),
        ("The mill stands on the left bank of the river.", "The mill stands on the right bank of the river."),
        ("The club of Varn wins the cup.", "The club of Varn loses the cup."),
    ],
)
def test_opposites_are_a_conflict_in_whatever_form_they_stand(old: str, new: str) -> None:
    assert Difference(SentenceContent.of(old), SentenceContent.of(new)).conflict == "the opposite"
