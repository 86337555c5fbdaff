"""The options of FreshQA as they come from the command line, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast, get_args

from langchain_core.language_models import BaseChatModel

from dateline.errors import BadInput
from dateline.evidence.demonstrations import Style
from dateline.evidence.freshprompt import SizeName
from dateline.evidence.order import Order
from dateline.evidence.prepare import SIZES, Cut
from dateline.temporal.as_of import read_moment
from dateline_bench.fresh.settings import FreshSettings
from dateline_graphs.models import chat_model

_YES_NO = ("yes", "no")
_CHOICES: Mapping[str, Sequence[str]] = {
    "sizes": tuple(SIZES),
    "order": get_args(Order),
    "cut": get_args(Cut),
    "style": get_args(Style),
    "answer_box": _YES_NO,
    "related": _YES_NO,
    "snippets_only": _YES_NO,
    "premise_check": _YES_NO,
    "self_ask": _YES_NO,
    "direct": _YES_NO,
    "embeddings": ("lexical", "semantic"),
    "split": ("all", "TEST", "DEV"),
}
_NUMBERS = ("evidences", "demonstrations", "at_once")
_OF_PROMPTS = ("demonstrations", "premise_check", "style")


@dataclass(frozen=True, slots=True)
class FreshOptions:
    """Options of the benchmark, all text."""

    file: str = ""
    split: str = "all"
    as_of: str = ""
    docs: str = ""
    embeddings: str = "lexical"
    model: str = ""
    temperature: str = "0"
    judge: str = "rules"
    order: str = "time"
    cut: str = "balanced"
    answer_box: str = "yes"
    related: str = "yes"
    sizes: str = "large"
    evidences: str = ""
    demonstrations: str = ""
    snippets_only: str = "no"
    premise_check: str = "no"
    style: str = "concise"
    self_ask: str = "yes"
    direct: str = "yes"
    at_once: str = ""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> FreshOptions:
        names, defaults = list(cls.__dataclass_fields__), cls()
        for name, value in options.items():
            if name not in names:
                raise BadInput(f"freshqa takes no option {name!r}; choose from {', '.join(names)}.")
            if name in _CHOICES and value not in _CHOICES[name]:
                raise BadInput(f"Cannot take {name}={value}; choose one of {', '.join(_CHOICES[name])}.")
            if name in _NUMBERS and not value.isdecimal():
                raise BadInput(f"Cannot take {name}={value}; write a whole number.")
            if name in _OF_PROMPTS and value != getattr(defaults, name) and not options.get("model"):
                raise BadInput(f"{name}={value} needs a chat model; add model=provider:model, or a folder.")
        if options.get("at_once") == "0":
            raise BadInput("at_once must be at least 1, not 0.")
        return cls(**options)

    def day(self) -> datetime | None:
        return read_moment(self.as_of) if self.as_of else None

    def settings(self, seed: int) -> FreshSettings:
        return FreshSettings(
            order=cast(Order, self.order),
            cut=cast(Cut, self.cut),
            answer_box=self.answer_box == "yes",
            related=self.related == "yes",
            sizes=cast(SizeName, self.sizes),
            evidences=int(self.evidences) if self.evidences else None,
            demonstrations=int(self.demonstrations) if self.demonstrations else None,
            snippets_only=self.snippets_only == "yes",
            premise_check=self.premise_check == "yes",
            style=cast(Style, self.style),
            seed=seed,
        )

    def chat_model(self, name: str) -> BaseChatModel:
        """The chat model of a name, at the temperature of the options."""
        return chat_model(name, temperature=None if self.temperature == "default" else _temperature(self.temperature))


def _temperature(text: str) -> float:
    if not re.fullmatch(r"\d(?:\.\d+)?", text):
        raise BadInput(f"Cannot take temperature={text}; write a number such as 0, or default.")
    return float(text)
