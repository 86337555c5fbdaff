"""Notes of a small club, as people keep them: prices that change, an increase that is announced and withdrawn, a post that changes hands.

    python examples/own_notes.py

`before` looks for the three notes that share most words with the question and shows the newest. `after` asks the same notes as of
a day: what is announced waits for its day, what is withdrawn counts no longer, and where the notes do not say it, neither does
the answer. For a folder of your own: `dateline ask QUESTION --docs FOLDER --as-of DAY`.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from dateline.text import content_words
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph  # dateline

NOTES = {
    "2022-03-01 prices": "A day ticket for the lido costs 6.50 euros, a season ticket 80 euros.",
    "2023-01-10 staff": "Mira Toth is the head lifeguard of the lido.",
    "2024-02-12 council": "From 1 May 2024 a day ticket for the lido will cost 7.20 euros, the council decided on Monday.",
    "2024-06-20 council": "The council has withdrawn the increase: a day ticket for the lido costs 6.50 euros again.",
    "2024-09-02 staff": "Jon Abel is the new head lifeguard of the lido. He follows Mira Toth.",
    "2024-09-09 opening": "The lido is open from seven to eight. Dogs stay outside.",
}
ASKED = (
    ("How much is a day ticket for the lido?", ("2023-05-01", "2024-03-01", "2024-05-20", "2024-07-01")),
    ("Who is the head lifeguard of the lido?", ("2023-06-01", "2024-10-01")),
    ("Who designed the lido?", ("2024-10-01",)),
)


def before(question: str) -> str:
    """The newest of the three notes that share most words with the question."""
    asked = set(content_words(question))
    near = sorted(NOTES, key=lambda name: -len(asked & set(content_words(NOTES[name]))))[:3]
    return NOTES[max(near)]


GRAPH = answer_graph().compile()  # dateline


def after(question: str, day: str, *, folder: str) -> str:
    """The answer as of a day, marked where it is a guess, and what is announced."""
    asked = {"question": question, "as_of": day}  # dateline
    state = GRAPH.invoke(asked, context=AnswerOptions(docs=folder))  # dateline
    return AnswerReport.model_validate(state["report"]).spoken()  # dateline


def main() -> None:
    with TemporaryDirectory() as folder:
        for name, text in NOTES.items():
            Path(folder, f"{name}.md").write_text(text, encoding="utf-8")
        for question, days in ASKED:
            print(f"{question}\nbefore: {before(question)}")
            for day in days:
                print(f"after, as of {day}: {after(question, day, folder=folder)}")
            print()


if __name__ == "__main__":
    main()
