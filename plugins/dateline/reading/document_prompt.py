"""Prompt for completing models: documents, then the question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Self

from dateline.errors import BadInput
from dateline.evidence.sanitize import sanitize
from dateline.records import Evidence
from dateline.temporal.constraint import Question

MAX_CHARACTERS = 6000
"""Of one document; what is longer is cut at its end."""


@dataclass(frozen=True, slots=True)
class DocumentPrompt:
    """Templates of a prompt: one for a document, one for all.

    Only the known names in braces are replaced, so documents may contain braces.

    Attributes:
        document: of `{title}`, `{published}` (a date, or "undated") and `{text}`; once for each document.
        question: of `{question}` and `{as_of}`; ends where the answer is to begin.

    Raises:
        BadInput: when a template leaves out the text or the question.

    Example:
        >>> DocumentPrompt().dumps() == DocumentPrompt.loads(DocumentPrompt().dumps()).dumps()
        True
    """

    document: str = "Document ({published}): {title} {text}\n"
    question: str = "Question (asked on {as_of}): {question}\nShort answer:"

    def __post_init__(self) -> None:
        if "{text}" not in self.document or "{question}" not in self.question:
            raise BadInput("A document prompt needs {text} in its document template and {question} in its question's.")

    def render(
        self, question: Question, *, evidence: Sequence[Evidence] = (), plain: Callable[[str], str] = str
    ) -> str:
        """Render the documents, each on a line, then the question.

        Args:
            plain: takes a model's control tokens out of foreign text: `CausalModel.plain`.
        """

        def _line(text: str) -> str:
            return plain(sanitize(text, limit=MAX_CHARACTERS))

        pieces = [
            _filled(
                self.document,
                {
                    "title": _line(piece.title and f"{piece.title}."),
                    "published": piece.published.isoformat() if piece.published else "undated",
                    "text": _line(piece.text),
                },
            )
            for piece in evidence
        ]
        asked = {"question": _line(question.text), "as_of": question.as_of.date().isoformat()}
        return "".join(pieces) + _filled(self.question, asked)

    def dumps(self) -> str:
        """As JSON, for the file of what was trained with it."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> Self:
        """From `dumps`; raises `BadInput` for anything else."""
        try:
            values = json.loads(text)
            return cls(**{field.name: str(values[field.name]) for field in fields(cls)})
        except (ValueError, KeyError, TypeError) as cause:
            raise BadInput("This is not a saved document prompt; save it with DocumentPrompt.dumps().") from cause


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Replace each name once, so that braces in values stay text."""
    return re.sub(rf"\{{({'|'.join(values)})\}}", lambda name: values[name[1]], template)
