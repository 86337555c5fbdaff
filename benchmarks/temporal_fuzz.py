"""Feed mutated sentences to the readers of time: nothing may raise, nothing may take longer than 50 ms.

Usage: python benchmarks/temporal_fuzz.py [--strings 1000000] [--seed 0] [--json FILE]
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from datetime import UTC, datetime
from pathlib import Path

from dateline.temporal import Interval, decompose, find_expressions
from dateline.temporal.calendar_words import CLASS_OF
from dateline.temporal.language_files import LANGUAGES, foreign

SLOWEST_MS = 50.0
SENTENCES = (
    "He was born on July 30 , 1931 in Washington , D.C. , and died in late 1999 .",
    "From May 1937 until 1941 she taught at the school founded in 1890 .",
    "Who was the first president after 2005 and before 12 March 2010?",
    "Sales rose to $2,000 in the third quarter of 2010-11, up from a year earlier.",
    "At 10:35 a.m. EDT on Friday the 13th of October, 1989, trading stopped.",
    "The 19th-century house (built c. 1850 – 1860) has 2000 seats; call 555-2019-22.",
    "Which team did she play for as of Christmas Eve 1996, two years later or last May?",
    "Between the 15th and 17th centuries, 44 BC, AD 79, the '90s, nineteen ninety-six, FY2019, Q3 2020.",
    "2015–present; 2003 - ; 3–7 June 2010; 2019-05-06T10:22:11; 25/12/2020; 20190506; 1999/2000.",
    "Wer war vom 28. Dezember 2023 bis zum 3. Januar Trainer, Anfang der 90er, in KW 12/2025 und seit drei Jahren?",
    "Qui était le maire en mars dernier, il y a deux ans, au XIXe siècle ou du 1er au 3 mai, jusqu'à fin 2019 ?",
    "¿Quién vino el lunes pasado, hace tres semanas, entre el 3 y el 7 de junio de 2010 o en los años noventa?",
    "Chi c'era due anni fa, dal 2010 al 2014, negli anni '80, nel primo trimestre del 2022, il lunedì di Pasqua?",
    "Quem esteve há dois anos, de 3 a 7 de junho de 2023, no 3T23, na próxima sexta-feira, no século XII?",
    "Wie was er twee jaar geleden, van 3 tot en met 7 juli, in de jaren zestig, eind 2019, op paasmaandag?",
)
WORDS = sorted({*CLASS_OF, *(word for code in LANGUAGES for word in foreign(code).spellings)})
ODD = ["\u200b", "\u0000", "\ud800", "٣", "²", "ß", "İ", "年", "🕰", "\u202e", "1" * 30, "-" * 20, "'" * 10, "(" * 10]


def mutate(sentence: str, rng: random.Random) -> str:
    """Cut, double, swap, insert and splice a few times."""
    text = sentence
    for _ in range(rng.randint(1, 8)):
        at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        match rng.randrange(6):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:to] * rng.randint(1, 4) + text[to:]
            case 2:
                text = text[:at] + rng.choice(WORDS) + rng.choice(" -,./") + text[at:]
            case 3:
                text = text[:at] + rng.choice(ODD) + text[at:]
            case 4:
                text = text[:at] + str(rng.randint(0, 10 ** rng.randint(1, 9))) + text[at:]
            case _:
                text = text[:at] + rng.choice(SENTENCES)[to:]
    return text[:2000]


def run(strings: int, seed: int) -> dict[str, float | int | str]:
    """The figures of one run; an exception ends it with the string that raised."""
    rng = random.Random(seed)
    anchor, as_of = Interval.of_day(2021, 12, 1), datetime(2021, 12, 1, tzinfo=UTC)
    slowest, slowest_text, over, expressions = 0.0, "", 0, 0
    for sentence in SENTENCES:  # the grammars of all languages are made when first asked for
        decompose(sentence, as_of=as_of)
    gc.disable()  # its pauses grow with what is remembered, not with the text
    begun = time.perf_counter()
    for number in range(strings):
        text = mutate(rng.choice(SENTENCES), rng)
        started = time.thread_time()
        try:
            found = find_expressions(text, anchor=anchor if number % 2 else None)
            if number % 4 == 0 and text.strip():
                decompose(text, as_of=as_of)
        except Exception as error:
            raise SystemExit(f"{type(error).__name__} on {text!r}: {error}") from error
        took = 1000 * (time.thread_time() - started)
        expressions += len(found)
        over += took > SLOWEST_MS
        if took > slowest:
            slowest, slowest_text = took, text
    return {
        "strings": strings,
        "expressions": expressions,
        "seconds": time.perf_counter() - begun,
        "slowest_ms": slowest,
        "over_50_ms": over,
        "slowest_text": slowest_text[:200],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strings", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = run(options.strings, options.seed)
    print(json.dumps(figures, indent=2, ensure_ascii=True))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
    if figures["over_50_ms"]:
        raise SystemExit(f"{figures['over_50_ms']} strings took more than {SLOWEST_MS} ms.")


if __name__ == "__main__":
    main()
