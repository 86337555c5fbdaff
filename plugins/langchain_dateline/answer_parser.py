"""`AnswerParser`: the answer alone, out of a reply in FreshPrompt's form."""

from __future__ import annotations

from langchain_core.output_parsers import BaseOutputParser
from pydantic import Field

from dateline.reading.reply import parse_reply


class AnswerParser(BaseOutputParser[str]):
    """A parser behind `FreshPromptTemplate | model`: the answer, without reasoning and labels.

    A reply without a usable answer comes back whole: a person sees what the model said.

    Example:
        >>> AnswerParser().invoke("reasoning: E2 is the newest.\\nanswer: Ben\\nevidence: E2")
        'Ben'
    """

    unknown: str = Field(default="unknown", description="Said where the evidence does not answer.")

    def parse(self, text: str) -> str:
        """Return the answer of a model's reply."""
        reply = parse_reply(text)
        return text if reply is None else reply.answer or self.unknown
