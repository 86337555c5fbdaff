"""What a pretrained model's hidden states tell of its answers (GrowOVER, section 4.1), over SQuAD's paragraphs.

    python benchmarks/rilm_states.py --model FOLDER --data DIR --items FILE [--json FILE] [--questions 500] [--asked 300] [--seed 0]

DIR holds `questions.jsonl`, as for `dateline evaluate squad`. Each question is read with three documents, each alone: its own
paragraph; the same with the answer replaced by another of the page; and the paragraph of the page that is most like the
question and lacks the answer. FILE keeps each reading with its state; a second run goes on behind the last.

A linear layer learns certainty from the states, once by GrowOVER's labels (own: reliable, edited: misleading, other: uncertain)
and once by the answer (right; wrong over a document that holds the answer or its replacement; wrong over another). It is
trained on four fifths of the pages and measured on the last fifth, five times. Beside it stand the probability of the answer's
tokens and, over `--asked` rows, the model's own word: the probabilities of the letters A, B and C.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dateline.certainty.calibration import auroc
from dateline.certainty.hidden_states import LABELS
from dateline.certainty.logprobs import LogprobEstimator
from dateline.evaluation.metrics import token_f1
from dateline.reading.causal_model import CausalModel
from dateline.reading.transformers_reader import TransformersReader
from dateline.records import CertaintyLabel, Evidence
from dateline.temporal.decomposition import decompose
from dateline.text.words import content_words
from dateline_bench import rows
from dateline_bench.benchmarks.squad import AS_OF
from dateline_bench.certainty_training.head_training import HeadTraining, train_head
from langchain_dateline import TransformersChatModel

Kind = Literal["own", "edited", "other"]
LABEL_OF: Mapping[Kind, CertaintyLabel] = {"own": "reliable", "edited": "misleading", "other": "uncertain"}
LONGEST = 700
"""Characters of a paragraph, so that a model of any context reads it whole."""
FOLDS = 5
RIGHT = 0.5
"""Token F1 from which an answer counts as right: ours. GrowOVER averages F1, without a threshold."""
SETTINGS = HeadTraining(learning_rate=3e-3, epochs=50, batch=8, standardise=True)
"""Those of benchmarks/rilm_world.py, chosen over its world."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--items", required=True, type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--asked", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tasks = list(_tasks(options.data, questions=options.questions, seed=options.seed))
    read = _read(tasks, model=options.model, file=options.items, asked=options.asked)
    figures = measure(read)
    print(json.dumps(figures, indent=1))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


def _tasks(folder: Path, *, questions: int, seed: int) -> Iterator[dict[str, Any]]:
    """One task for each question and kind of document, in random order of the questions."""
    pages: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows.read(rows.find(folder, "questions")):
        if len(row["context"]) <= LONGEST:
            pages[row["title"]].append(row)
    rng = random.Random(seed)
    asked = [row for title in sorted(pages) for row in pages[title]]
    rng.shuffle(asked)
    made = 0
    for row in asked:
        page, golds = pages[row["title"]], [one["text"] for one in row["answers"]]
        lacking = [
            each["context"]
            for each in page
            if not any(gold.lower() in each["context"].lower() for gold in golds) and each["context"] != row["context"]
        ]
        strange = [
            each["answers"][0]["text"]
            for each in page
            if not token_f1(each["answers"][0]["text"], golds=golds)
            and each["answers"][0]["text"].split()[0][0].isupper() == golds[0][0].isupper()
        ]
        if not lacking or not strange:
            continue
        words = set(content_words(row["question"]))
        likest = max(lacking, key=lambda text, words=words: len(words & set(content_words(text))))
        edited = row["context"].replace(golds[0], rng.choice(strange))
        for kind, text in (("own", row["context"]), ("edited", edited), ("other", likest)):
            yield {"id": f"{row['id']}-{kind}", "kind": kind, "question": row["question"], "text": text} | {
                "page": row["title"],
                "golds": golds,
            }
        made += 1
        if made == questions:
            return


def _read(tasks: Sequence[Mapping[str, Any]], *, model: Path, file: Path, asked: int) -> list[dict[str, Any]]:
    """Read what no earlier run has read."""
    done = {row["id"]: row for row in rows.read(file)} if file.exists() else {}
    reader = TransformersReader(CausalModel.load(model, dtype="float32"))  # bfloat16 is slow on a processor
    chat = TransformersChatModel(model=(reader.model.model, reader.model.tokenizer), max_tokens=4)
    word = LogprobEstimator(chat, tries=1)
    with file.open("a", encoding="utf-8") as out:
        for start in range(0, len(tasks), len(LABEL_OF)):
            together = tasks[start : start + len(LABEL_OF)]
            if all(task["id"] in done for task in together):
                continue
            for task, found in zip(together, _readings(together, reader, word if start < asked else None), strict=True):
                done[task["id"]] = row = {**task, **found}
                out.write(json.dumps(row) + "\n")
            out.flush()
    return [done[task["id"]] for task in tasks]


def _readings(
    together: Sequence[Mapping[str, Any]], reader: TransformersReader, word: LogprobEstimator | None
) -> Iterator[dict[str, Any]]:
    """Read one question's documents, each alone."""
    question = decompose(together[0]["question"], as_of=AS_OF)
    pieces = [Evidence.make(task["text"], title=task["page"]) for task in together]
    results = reader.read_each(question, evidence=pieces)
    prompts = [reader.prompt.render(question, evidence=[piece], plain=reader.model.plain) for piece in pieces]
    for task, piece, result, state in zip(together, pieces, results, reader.model.states(prompts), strict=True):
        reading = result.reading
        yield {
            "answer": reading.answer,
            "probability": reading.probability,
            "right": token_f1(reading.answer, golds=task["golds"]) >= RIGHT,
            "said": word.estimate(question, evidence=[piece], reading=reading).reliable if word is not None else None,
            "state": np.round(state, 3).tolist(),
        }


def measure(read: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Figures in per cent; each estimator's p(reliable) against whether the answer is right."""
    states = np.array([row["state"] for row in read], dtype=np.float32)
    right = [bool(row["right"]) for row in read]
    by_kind: list[CertaintyLabel] = [LABEL_OF[row["kind"]] for row in read]
    by_answer: list[CertaintyLabel] = [
        "reliable" if row["right"] else "uncertain" if row["kind"] == "other" else "misleading" for row in read
    ]
    figures: dict[str, Any] = {"n": len(read), "pages": len({row["page"] for row in read})}
    figures["right"] = {
        kind: round(100 * float(np.mean([row["right"] for row in read if row["kind"] == kind])), 1) for kind in LABEL_OF
    }
    for name, labels in (("growover", by_kind), ("answer", by_answer)):
        shares = _held_out(states, labels, [row["page"] for row in read])
        hits = [LABELS[int(share.argmax())] == label for share, label in zip(shares, labels, strict=True)]
        most = max(labels.count(label) for label in LABELS) / len(labels)
        figures[f"states, labels by {name}"] = {
            "accuracy": round(100 * float(np.mean(hits)), 1),
            "always the commonest": round(100 * most, 1),
            "auroc of a right answer": round(100 * auroc(shares[:, 0].tolist(), correct=right), 1),
        }
    figures["probability of the tokens"] = round(100 * auroc([row["probability"] for row in read], correct=right), 1)
    asked = [row for row in read if row["said"] is not None]
    if asked:
        outcome = [bool(row["right"]) for row in asked]
        figures["the model's own word"] = {
            "n": len(asked),
            "auroc": round(100 * auroc([row["said"] for row in asked], correct=outcome), 1),
        }
    return figures


def _held_out(states: np.ndarray, labels: Sequence[CertaintyLabel], pages: Sequence[str]) -> np.ndarray:
    """Probabilities of each row by a layer that saw no row of its page."""
    names = sorted(set(pages))
    fold = {name: number % FOLDS for number, name in enumerate(names)}
    places = np.array([fold[page] for page in pages])
    shares = np.zeros((len(labels), len(LABELS)))
    for number in range(FOLDS):
        kept = np.flatnonzero(places != number)
        head = train_head(states[kept], labels=[labels[place] for place in kept], settings=SETTINGS)
        shares[places == number] = head.probabilities(states[places == number])
    return shares


if __name__ == "__main__":
    main()
