"""The options of FreshQA as they come from the command line, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast, get_args

from langchain_core.language_models import BaseChatModel

from dateline.errors import BadInput, require
from dateline.evidence.demonstrations import Style
from dateline.evidence.order import Order
from dateline.secrets import without_secrets
from dateline.temporal.as_of import read_moment
from dateline_bench.fresh.settings import FreshSettings

_YES_NO = ("yes", "no")
_CHOICES: Mapping[str, Sequence[str]] = {
    "order": get_args(Order),
    "style": get_args(Style),
    "answer_box": _YES_NO,
    "related": _YES_NO,
    "snippets_only": _YES_NO,
    "premise_check": _YES_NO,
    "self_ask": _YES_NO,
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
    answer_box: str = "yes"
    related: str = "yes"
    evidences: str = "10"
    demonstrations: str = "5"
    snippets_only: str = "no"
    premise_check: str = "no"
    style: str = "concise"
    self_ask: str = "yes"
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
                raise BadInput(f"{name}={value} needs a chat model; add model=provider:model.")
        if options.get("at_once") == "0":
            raise BadInput("at_once must be at least 1, not 0.")
        return cls(**options)

    def day(self) -> datetime | None:
        return read_moment(self.as_of) if self.as_of else None

    def settings(self, seed: int) -> FreshSettings:
        return FreshSettings(
            order=cast(Order, self.order),
            answer_box=self.answer_box == "yes",
            related=self.related == "yes",
            evidences=int(self.evidences),
            demonstrations=int(self.demonstrations),
            snippets_only=self.snippets_only == "yes",
            premise_check=self.premise_check == "yes",
            style=cast(Style, self.style),
            seed=seed,
        )

    def chat_model(self, name: str) -> BaseChatModel:
        """A chat model by its LangChain name. Raises `BadInput` in one sentence."""
        provider, _, model = name.partition(":")
        if not (provider and model):
            raise BadInput(f"Cannot read the model {name!r}; write provider:model, for instance openai:gpt-4o-mini.")
        init = require("langchain.chat_models", package="langchain", extra="all").init_chat_model
        chosen = {} if self.temperature == "default" else {"temperature": _temperature(self.temperature)}
        failed: BadInput
        try:
            return cast(BaseChatModel, init(name, **chosen))
        except (ImportError, AttributeError):
            package = f"langchain-{provider.replace('_', '-')}"
            failed = BadInput(f'The model {name!r} needs a package; install it with: pip install "{package}"')
        except Exception as error:
            said = without_secrets(str(error)) or type(error).__name__
            failed = BadInput(f"The model {name!r} cannot be used: {said}")
        # Raised outside the handler: the original, which may quote a key, does not travel along.
        raise failed


def _temperature(text: str) -> float:
    if not re.fullmatch(r"\d(?:\.\d+)?", text):
        raise BadInput(f"Cannot take temperature={text}; write a number such as 0, or default.")
    return float(text)
