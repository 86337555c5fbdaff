"""Fit `dateline.temporal.tagger`, which tells times from names, titles and numbers:

    python training/time_names.py --data DIR [--seed 0] [--each 30] [--families] [--write]

DIR holds TimeQA's `passages`: what the grammar finds there is a time, but for what stands directly behind a capitalised
word or between quotation marks, which is left out. `time_names.txt` beside this script holds sentences written for it, of both
kinds; `time_texts.jsonl` holds whole texts, each with its times, most by a hand that had seen neither grammar nor features.
Printed: how many candidates are judged right in templates and pages left out, five ways; with `--families`, where a whole
family of sentences is left out, from which figures features were chosen. `--each` is how often a template is filled.
Penalised maximum likelihood.
"""

from __future__ import annotations

import argparse
import calendar
import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from dateline.language.calendar import calendar_words
from dateline.temporal import name_features, tagger
from dateline.temporal.english_rules import ENGLISH_GRAMMAR
from dateline.temporal.expressions import grammar_of
from dateline.temporal.interval import Interval
from dateline.temporal.language_files import foreign
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH

TEMPLATES = Path(__file__).with_name("time_names.txt")
TEXTS = Path(__file__).with_name("time_texts.jsonl")
DATA = Path(__file__).parent.parent / "plugins" / "dateline" / "language" / "data" / "time_names.json"
PASSAGES, FOLDS = 4000, 5
BESIDE = 0.25
"""Of the sentences, how many have a further time at their beginning or end."""
TIMES = 3
"""What a whole text counts for beside each of a template's fillings; chosen by hand."""
PENALTY = 0.5
"""Of the squared weights, in units of one candidate; chosen by hand."""
LEAST = 0.02
"""Smaller weights are left out of the file."""
ANCHOR = Interval.of_day(2024, 6, 12)


@dataclass(frozen=True, slots=True)
class Example:
    """A candidate: what is seen of it, whether it is a time, the template that it comes from and its family.

    A `plain` one is taken for a time without a look at what is seen.
    """

    seen: tuple[str, ...]
    is_time: bool
    group: int
    family: str
    plain: bool


def read_texts() -> tuple[dict[str, list[str]], list[tuple[str, str, str]]]:
    """The words of each slot, and each template with its language and family."""
    slots, templates, code, family = {}, [], "en", ""
    for line in TEMPLATES.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            family = line[3:]
        if not line or line.startswith("#"):
            continue
        if line.startswith("@"):
            code = line[1:]
            continue
        named = re.match(r"<(\w+)> = (.*)", line)
        if named:
            slots[named[1] if code == "en" else f"{code}_{named[1]}"] = named[2].split(" | ")
        else:
            templates.append((code, family, line))
    return slots, templates


def month_name(number: int, *, code: str) -> str:
    """A month as the language writes it."""
    if code == "en":
        return calendar.month_name[number]
    return next(form for form, each in calendar_words(code).months.items() if each == number)


def day(code: str, rng: random.Random, *, capital: bool) -> str:
    """A day of the calendar as the language writes it."""
    month = month_name(rng.randint(1, 12), code=code)
    number = str(rng.randint(1, 28))
    if capital:
        month = month.capitalize()
        number = (
            rng.choice([number, rng.choice(["IV", "XX", "II", "XXV", "XI", "VIII"])])
            if code in ("it", "fr")
            else number
        )
    return number + {"de": ". ", "es": " de ", "pt": " de "}.get(code, " ") + month


def numeric(rng: random.Random) -> str:
    """A date in digits."""
    year, month, number = rng.randint(1990, 2030), rng.randint(1, 12), rng.randint(1, 28)
    return rng.choice(
        [
            f"{number:02}/{month:02}/{year}",
            f"{number}/{month}/{year}",
            f"{number}.{month}.{year}",
            f"{number:02}-{month:02}-{year}",
            f"{year}-{month:02}-{number:02}",
            f"{number:02}.{month:02}.{year}",
            f"{number}.{month}.{year % 100:02}",
            f"{month:02}/{year}",
        ]
    )


def filled(template: str, slots: dict[str, list[str]], rng: random.Random, *, code: str = "en") -> str:
    def fill(match: re.Match[str]) -> str:
        match match[1]:
            case "y":
                return str(rng.randint(1900, 2035) if rng.random() < 0.85 else rng.randint(1100, 1899))
            case "y2":
                return str(rng.randint(2036, 2060))
            case "n":
                return str(rng.randint(2, 60))
            case "month":
                return month_name(rng.randint(1, 12), code=code).capitalize()
            case "namemonth":
                return rng.choice(["March", "April", "May", "June", "August"])
            case "season" if code == "en":
                return rng.choice(["spring", "summer", "autumn", "winter", "fall"])
            case "day" | "Day":
                return day(code, rng, capital=match[1] == "Day" or code == "de")
            case "num":
                return numeric(rng)
            case name:
                return rng.choice(slots.get(f"{code}_{name}") or slots[name])

    if template.endswith(".") and rng.random() < BESIDE:
        template = rng.choice([f"{template[:-1]} <when>.", f"<When>{template}"])
    text = re.sub(r"<(\w+)>", fill, re.sub(r"<([wW]hen)>", fill, template))
    if rng.random() < 0.15:
        text = text[:1].lower() + text[1:]
    if code == "en" and rng.random() < 0.25:
        text = rng.choice(["Note: ", "Hi all, ", "As agreed, ", "I think that ", "Well, ", "On Monday we met. "]) + text
    if code == "en" and rng.random() < 0.2:
        text = text.rstrip(".") + rng.choice([", I think.", " now", " again.", ", too.", " and left.", "!"])
    return text


def written(rng: random.Random, *, each: int) -> Iterator[Example]:
    """The candidates of the sentences written for it."""
    slots, templates = read_texts()
    for group, (code, family, template) in enumerate(templates):
        vocabulary = ENGLISH if code == "en" else foreign(code)
        for _ in range(each):
            marked = filled(template, slots, rng, code=code)
            text, wrong = unmarked(marked)
            tokens = Tokens(text, vocabulary)
            for rule, first, last in grammar_of(vocabulary).candidates(tokens, anchor=ANCHOR):
                start, end = tokens.spans[first][0], tokens.spans[last - 1][1]
                is_time = not any(start < stop and begin < end for begin, stop in wrong)
                yield example(tokens, first, last, rule, is_time=is_time, group=group, family=family)


def whole_texts() -> Iterator[Example]:
    """The candidates of whole texts, each text a group of its own."""
    for group, line in enumerate(TEXTS.read_text(encoding="utf-8").splitlines(), start=100_000):
        noted = json.loads(line)
        text, spans, end = noted["text"], [], 0
        for time in noted["times"]:
            start = text.index(time, end)
            end = start + len(time)
            spans.append((start, end))
        yield from TIMES * list(_told(text, spans, group))


def _told(text: str, times: list[tuple[int, int]], group: int) -> Iterator[Example]:
    tokens = Tokens(text)
    for rule, first, last in ENGLISH_GRAMMAR.candidates(tokens, anchor=ANCHOR):
        start, end = tokens.spans[first][0], tokens.spans[last - 1][1]
        is_time = any(start < stop and begin < end for begin, stop in times)
        yield example(tokens, first, last, rule, is_time=is_time, group=group, family="texts")


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks, and where they stood."""
    plain, wrong = "", []
    for piece in re.split(r"(\[\[.*?\]\])", text):
        if piece.startswith("[["):
            wrong.append((len(plain), len(plain) + len(piece) - 4))
            piece = piece[2:-2]
        plain += piece
    return plain, wrong


def found(folder: Path, rng: random.Random) -> Iterator[Example]:
    """The times of open pages, each a group of its own."""
    with gzip.open(folder / "passages.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    for group, text in enumerate(rng.sample(texts, PASSAGES), start=10_000):
        tokens = Tokens(text)
        for rule, first, last in ENGLISH_GRAMMAR.candidates(tokens, anchor=ANCHOR):
            before = tokens.originals[first - 1] if first else ""
            if not before[:1].isupper() and before not in ('"', "'", "``", "“", ":"):
                yield example(tokens, first, last, rule, is_time=True, group=group, family="pages")


def example(tokens: Tokens, first: int, last: int, rule: str, *, is_time: bool, group: int, family: str) -> Example:
    letter = tagger.judged_letter(tokens, first, last, rule=rule) or ""
    seen = tuple(name_features.features(tokens, first, last, letter=letter))
    return Example(seen, is_time, group, family, tagger.is_plain(tokens, first, last, letter=letter))


def fit(examples: list[Example]) -> dict[str, float]:
    """The weights, of features that more than one template or page shows."""
    groups: dict[str, set[int]] = {}
    for example in examples:
        for name in example.seen:
            groups.setdefault(name, set()).add(example.group)
    names = {name: place for place, name in enumerate(sorted(name for name, of in groups.items() if len(of) > 1))}
    rows = [(row, names[name]) for row, each in enumerate(examples) for name in each.seen if name in names]
    matrix = csr_matrix((np.ones(len(rows)), tuple(zip(*rows, strict=True))), shape=(len(examples), len(names)))
    sign = np.array([1.0 if each.is_time else -1.0 for each in examples])
    balance = np.where(sign > 0, 1.0, (sign > 0).sum() / (sign < 0).sum())

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = sign * (matrix @ weights)
        slope = -sign * balance / (1 + np.exp(np.clip(margin, -30, 30)))
        value = (balance * np.logaddexp(0, -margin)).sum() + PENALTY * (weights**2).sum()
        return float(value), matrix.T @ slope + 2 * PENALTY * weights

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return {name: round(float(best.x[place]), 2) for name, place in names.items() if abs(best.x[place]) >= LEAST}


def right(weights: dict[str, float], examples: list[Example]) -> dict[str, float]:
    told = [(each.plain or tagger.accepts(each.seen, table=weights)) == each.is_time for each in examples]
    return {
        kind: 100
        * float(np.mean([ok for ok, each in zip(told, examples, strict=True) if each.is_time is is_time] or [1]))
        for kind, is_time in (("times", True), ("others", False))
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    mine, pages = list(written(rng, each=options.each)), list(found(options.data, rng))
    mine += whole_texts()
    print(
        len(mine),
        "candidates written,",
        sum(not each.is_time for each in mine),
        "of them no times;",
        len(pages),
        "of pages",
    )
    for family in sorted({each.family for each in mine}) if options.families else ():
        rest = fit([each for each in (*mine, *pages) if each.family != family])
        print(family, right(rest, [each for each in mine if each.family == family]))
    for fold in range(FOLDS):
        rest = fit([each for each in (*mine, *pages) if each.group % FOLDS != fold])
        print(
            fold,
            right(rest, [each for each in mine if each.group % FOLDS == fold]),
            right(rest, [each for each in pages if each.group % FOLDS == fold])["times"],
        )
    weights = fit([*mine, *pages])
    print("all", right(weights, mine), len(weights), "weights")
    if options.write:
        DATA.write_text(
            json.dumps(dict(sorted(weights.items())), ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
