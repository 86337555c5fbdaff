"""Which invented days, names and places RIND hears, a word's pieces counted together or each for itself.

    python benchmarks/dragin_hearing.py --model FOLDER --passages FILE [--questions 150] [--seed 0] [--items FILE]

Questions of one step (`dateline_bench.reasoned.one_hop`), answered without retrieval. Of answers that do not hold the
right one, the words of the value asked for are invented: digits and months where a day is asked for, else names that the
question does not hold. Other numbers and names that the question does not hold are invented as well and count for nothing;
the remaining content words are filler. Each rule gets the threshold at which one filler word in
`--alarms` answers fires; an answer is heard where a word of its value is above that. A space that is a token of its own
belongs to the word behind it; "without its space" leaves it out. Intervals are 95 % by resampling answers 2,000 times.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dateline.dynamic import DynamicGenerator, Rind
from dateline.dynamic.prompt import ChatLayout, PlainLayout
from dateline.dynamic.values import Generation
from dateline.evaluation.metrics import holds_answer
from dateline.pretrained import load_pretrained
from dateline.testing import FixedSearch
from dateline_bench.benchmarks.multihop import read_passages
from dateline_bench.reasoned import ReasonedQuestion
from dateline_bench.reasoned.one_hop import one_hop

RULES = ("largest without its space", "largest", "sum without its space", "sum")
MONTH = re.compile("January|February|March|April|May|June|July|August|September|October|November|December")
Role = Literal["value", "other", "filler"]


def words(made: Generation) -> list[dict[str, Any]]:
    """The content words of an answer with the risk of each by every rule."""
    found: list[tuple[str, list[float], list[float]]] = []
    before = ""
    for token in made.tokens:
        if token.word and not token.stopword:
            if token.word != before or token.text[:1].isspace():
                found.append((token.word, [], []))
            _, space, pieces = found[-1]
            (space if token.text == " " else pieces).append(token.rind or 0.0)
        before = token.word
    return [
        {
            "word": word,
            "pieces": len(pieces),
            "largest": max([*space, *pieces]),
            "sum": sum([*space, *pieces]),
            "largest without its space": max(pieces),
            "sum without its space": sum(pieces),
        }
        for word, space, pieces in found
        if pieces
    ]


def role(word: str, *, asked: ReasonedQuestion) -> Role:
    """What a word of an answer is: of the value asked for, something else that is not in the question, or filler."""
    dated = word[0].isdigit() or bool(MONTH.fullmatch(word))
    named = word[0].isupper() and word.casefold() not in asked.text.casefold()
    if not dated and not named:
        return "filler"
    return "value" if dated == asked.id.startswith("birth date") else "other"


def row_of(asked: ReasonedQuestion, made: Generation) -> dict[str, Any]:
    """One answer: its words, which of them are of the value, and whether it is right."""
    found = [{**each, "role": role(each["word"], asked=asked)} for each in words(made)]
    right = holds_answer(made.text, golds=asked.golds)
    return {"id": asked.id, "kind": asked.id.partition(":")[0], "right": right, "text": made.text, "words": found}


def level(rows: Sequence[Mapping[str, Any]], *, rule: str, alarms: float) -> float:
    """The threshold that one filler word in `alarms` answers exceeds."""
    fillers = sorted((each[rule] for row in rows for each in row["words"] if each["role"] == "filler"), reverse=True)
    return float(fillers[min(len(fillers) - 1, int(len(rows) / alarms))]) if fillers else 0.0


def heard(rows: Sequence[Mapping[str, Any]], *, alarms: float) -> dict[str, dict[str, str]]:
    """Shares of invented values heard, by kind and rule, with intervals."""
    told = [row for row in rows if not row["right"] and any(each["role"] == "value" for each in row["words"])]
    levels = {rule: level(rows, rule=rule, alarms=alarms) for rule in RULES}
    found: dict[str, dict[str, str]] = {"threshold": {rule: f"{levels[rule]:.3f}" for rule in RULES}}
    rng = np.random.default_rng(0)
    for kind in ("all", *dict.fromkeys(row["kind"] for row in told)):
        group = [row for row in told if kind in ("all", row["kind"])]
        for rule in RULES:
            hits = np.array(
                [any(each["role"] == "value" and each[rule] > levels[rule] for each in row["words"]) for row in group]
            )
            drawn = rng.choice(hits, size=(2000, len(hits))).mean(axis=1)
            low, high = np.quantile(drawn, (0.025, 0.975))
            found.setdefault(f"{kind} (n = {len(group)})", {})[rule] = (
                f"{100 * hits.mean():.1f} ({100 * low:.1f} to {100 * high:.1f})"
            )
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--passages", required=True)
    parser.add_argument("--questions", type=int, default=150)
    parser.add_argument("--length", type=int, default=32)
    parser.add_argument("--alarms", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--items", type=Path, help="keeps each answer; a run that was cut off goes on with it")
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = []
    if options.items and options.items.is_file():
        rows = [json.loads(line) for line in options.items.read_text(encoding="utf-8").splitlines()]
    known = {row["id"] for row in rows}
    asked = one_hop(read_passages(Path(), {"passages": options.passages}), seed=options.seed)[: options.questions]
    if missing := [each for each in asked if each.id not in known]:
        model, tokenizer = load_pretrained(options.model)
        chat = getattr(tokenizer, "chat_template", None)
        layout = ChatLayout(tokenizer) if chat else PlainLayout()
        given: dict[str, Any] = {"retriever": FixedSearch(), "layout": layout, "max_new_tokens": options.length}
        silent = Rind(float("inf"))
        generator = DynamicGenerator(model, tokenizer=tokenizer, trigger=silent, **given)
        for each in missing:
            rows.append(row_of(each, generator.generate(each.text)))
            if options.items:
                with options.items.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(rows[-1], ensure_ascii=False) + "\n")
    print(f"{len(rows)} answers, {sum(row['right'] for row in rows)} of them right")
    print(f"| invented values heard, % | {' | '.join(RULES)} |\n|---|---|---|---|---|")
    for kind, figures in heard(rows, alarms=options.alarms).items():
        print(f"| {kind} | {' | '.join(figures.values())} |")


if __name__ == "__main__":
    main()
