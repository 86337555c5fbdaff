"""Follow-up questions over the example corpus: "And as of 2008-09-15?" after the same question at an earlier date.

python benchmarks/follow_ups.py   (every second of 175 pairs, about a minute and a half)
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from dateline_graphs import AnswerOptions, answer_graph, components_for

EXAMPLES = Path(__file__).parent.parent / "examples"
OPTIONS = AnswerOptions(docs=str(EXAMPLES / "corpus"), max_rounds=0)


def pairs() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Neighbouring dates of one question."""
    by_question: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        by_question[row["question"]].append(row)
    return [pair for rows in by_question.values() for pair in pairwise(sorted(rows, key=lambda row: row["as_of"]))]


def main() -> None:
    """Print how many are right: the follow-up, the whole question in its place, the follow-up without the chat."""
    graph: Any = answer_graph(components_for(OPTIONS)).compile()

    def is_right(question: str, row: dict[str, Any], history: list[dict[str, str]]) -> bool:
        report = graph.invoke({"question": question, "history": history}, context=OPTIONS)["report"]
        return report["answer"].casefold() in {answer.casefold() for answer in row["answers"]}

    right = {"follow_up": 0, "whole_question": 0, "without_the_chat": 0}
    chosen = pairs()[::2]
    for before, after in chosen:
        chat = [{"role": "user", "content": before["question"]}, {"role": "assistant", "content": before["answers"][0]}]
        said = f"And as of {after['as_of']}?"
        whole = f"{after['question'].rstrip('?')} as of {after['as_of']}?"
        right["follow_up"] += is_right(said, after, chat)
        right["whole_question"] += is_right(whole, after, [])
        right["without_the_chat"] += is_right(said, after, [])
    print(
        json.dumps({"n": len(chosen), **{name: round(100 * count / len(chosen), 1) for name, count in right.items()}})
    )


if __name__ == "__main__":
    main()
