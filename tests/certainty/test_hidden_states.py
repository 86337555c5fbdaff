from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from dateline import BadInput, Evidence, Question, Reading
from dateline.certainty import CheckedReader, Gate
from dateline.certainty.hidden_states import LABELS, HiddenStateEstimator, LinearHead
from dateline.protocols import Estimator
from dateline.reading.causal_model import CausalModel
from dateline.reading.document_prompt import DocumentPrompt
from dateline.reading.transformers_reader import TransformersReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.certainty_training.head_training import HeadTraining, train_head
from tiny_model import tiny_parts

QUESTION = Question("Who?", "Who?", None, datetime(2026, 1, 1, tzinfo=UTC))
PAGES = [Evidence.make(f"People cook {dish} in East.") for dish in ("stew", "eels", "pies", "plums", "trout")]
PROMPT = DocumentPrompt(document="Document: {text}\n", question="Question: {question}\nAnswer:")


def model(**options: int) -> CausalModel:
    made, tokens = tiny_parts(**options)
    return CausalModel(made, tokenizer=tokens)


def head(width: int = 16) -> LinearHead:
    random = np.random.default_rng(0)
    return LinearHead(random.normal(size=(3, width)).astype("f4"), np.zeros(3, "f4"))


def estimator() -> HiddenStateEstimator:
    return HiddenStateEstimator(model(), head=head(), prompt=PROMPT)


def clusters(count: int = 60) -> tuple[np.ndarray, list[str]]:  # type: ignore[type-arg]
    """States of three kinds, apart along three axes."""
    random = np.random.default_rng(1)
    labels = [LABELS[place % 3] for place in range(count)]
    states = random.normal(scale=0.3, size=(count, 8))
    states[np.arange(count), np.arange(count) % 3] += 3
    return states.astype("f4"), labels


def test_the_published_settings_are_the_defaults() -> None:
    settings = HeadTraining()
    assert (settings.learning_rate, settings.weight_decay, settings.epochs) == (1e-4, 1e-7, 10)


def test_a_linear_layer_learns_what_the_states_show() -> None:
    states, labels = clusters()
    made = train_head(states, labels=labels, settings=HeadTraining(learning_rate=1e-2))  # type: ignore[arg-type]
    found = [LABELS[place] for place in made.probabilities(states).argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(found, labels, strict=True)]) == 1.0


def test_standardising_finds_a_faint_direction_and_is_folded_into_the_layer() -> None:
    states, labels = clusters()
    faint = np.concatenate([states * 1e-3, np.full((len(states), 1), 7.0)], axis=1).astype(np.float32)

    def accuracy(**settings: bool) -> float:
        made = train_head(faint, labels=labels, settings=HeadTraining(learning_rate=1e-2, **settings))  # type: ignore[arg-type]
        found = [LABELS[place] for place in made.probabilities(faint).argmax(axis=1)]
        return float(np.mean([a == b for a, b in zip(found, labels, strict=True)]))

    assert accuracy() < 0.9
    assert accuracy(standardise=True) == 1.0
    assert not HeadTraining().standardise


def test_the_same_seed_trains_the_same_layer() -> None:
    states, labels = clusters()
    one, two = (train_head(states, labels=labels, settings=HeadTraining(seed=4)) for _ in range(2))  # type: ignore[arg-type]
    other = train_head(states, labels=labels, settings=HeadTraining(seed=5))  # type: ignore[arg-type]
    np.testing.assert_array_equal(one.weight, two.weight)
    assert not np.array_equal(one.weight, other.weight)


def test_labels_that_cannot_train_a_layer_are_refused() -> None:
    states, labels = clusters(6)
    for bad in (labels[:5], ["reliable"] * 6, ["right"] * 6):
        with pytest.raises(BadInput):
            train_head(states, labels=bad)  # type: ignore[arg-type]


def test_probabilities_add_up_and_the_most_reliable_piece_counts() -> None:
    made = estimator()
    assert isinstance(made, Estimator)
    alone = made.judge([PROMPT.render(QUESTION, evidence=[page]) for page in PAGES])
    for one in alone:
        assert one.reliable + one.misleading + one.uncertain == pytest.approx(1.0)
    found = made.estimate(QUESTION, evidence=PAGES, reading=Reading(answer="x"))
    assert found.reliable == pytest.approx(max(one.reliable for one in alone))
    own = made.estimate(QUESTION, evidence=PAGES, reading=Reading(answer="x", evidence_ids=(PAGES[3].id,)))
    assert own.model_dump() == pytest.approx(alone[3].model_dump())


async def test_without_evidence_the_bare_question_is_judged_and_the_async_twin_agrees() -> None:
    made = estimator()
    one = made.estimate(QUESTION, evidence=[], reading=Reading(answer=""))
    assert one == made.judge([PROMPT.render(QUESTION)])[0]
    assert await made.aestimate(QUESTION, evidence=[], reading=Reading(answer="")) == one


def test_it_is_saved_and_loaded_in_one_line_with_its_prompt(tmp_path: Path) -> None:
    made, tokens = tiny_parts()
    made.save_pretrained(tmp_path / "model")
    tokens.save_pretrained(tmp_path / "model")
    estimator().save(tmp_path / "certainty.safetensors")
    loaded = HiddenStateEstimator.load(tmp_path / "certainty.safetensors", model=tmp_path / "model")
    assert loaded.prompt == PROMPT
    asked = {"evidence": PAGES, "reading": Reading(answer="x")}
    assert loaded.estimate(QUESTION, **asked) == estimator().estimate(QUESTION, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [{"seed": 1}, {"width": 32}])
def test_it_refuses_another_model_and_names_its_own(other: dict[str, int], tmp_path: Path) -> None:
    estimator().save(tmp_path / "certainty.safetensors")
    with pytest.raises(BadInput, match="was trained on the states of"):
        HiddenStateEstimator.load(tmp_path / "certainty.safetensors", model=model(**other))


def test_what_is_no_saved_layer_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    (tmp_path / "text").write_text("no")
    save_file({"weight": np.zeros((3, 16), "f4")}, str(tmp_path / "other"))
    half = {"dateline": '{"format": "dateline certainty 1", "labels": "reliable,misleading,uncertain"}'}
    save_file({"weight": np.zeros((3, 16), "f4")}, str(tmp_path / "half"), metadata=half)
    for name in ("none", "text", "other", "half"):
        with pytest.raises(BadInput, match="dateline certainty train"):
            HiddenStateEstimator.load(tmp_path / name, model=model())
    with pytest.raises(BadInput, match="wide"):
        HiddenStateEstimator(model(), head=head(8))
    with pytest.raises(BadInput, match="3 x hidden size"):
        LinearHead(np.zeros((2, 16), "f4"), np.zeros(3, "f4"))


async def test_a_checked_reading_judges_without_a_second_forward_pass() -> None:
    shared = model()
    passes: list[int] = []
    forward = shared.model.forward

    def counting(*args: object, **named: object) -> object:
        passes.append(1)
        return forward(*args, **named)

    shared.model.forward = counting
    reader = TransformersReader(shared, prompt=PROMPT, max_new_tokens=1)
    checked = CheckedReader(
        reader,
        estimator=HiddenStateEstimator(shared, head=head(), prompt=PROMPT),
        embeddings=LexicalEmbeddings(),
        gate=Gate(max_rounds=0),
    )
    found = await checked.acheck(QUESTION, evidence=PAGES)
    assert found.cost.model_calls == 3
    assert len(passes) == 1
