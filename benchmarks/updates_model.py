"""A chat model that works by rules: reads the updater's prompts and answers them, and can note every call in a file."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

LINE = re.compile(r"^([SNF]\d+)\| (.*?)(?: \[[^\]]*\])?$", re.M)
SLOT = re.compile(r"(?P<slot>The .+) is (?P<value>[\w ]+)\.")
"""What it understands: statements such as "The keeper of mill 7 is Ada Berg."."""


class RuleModel(BaseChatModel):
    """States what a document's lines state, and ends every fact to which a line gives another value.

    Each call appends a digest of its prompt to `calls`, synced to disk before the reply is given; the reply names it too.
    """

    calls: Path | None = None
    seconds: float = 0.0
    count: int = Field(default=0)

    @property
    def _llm_type(self) -> str:
        return "rules"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.count += 1
        time.sleep(self.seconds)
        prompt = "\n".join(str(message.content) for message in messages)
        digest = hashlib.blake2b(prompt.encode(), digest_size=8).hexdigest()
        if self.calls is not None:
            note_line(self.calls, digest)
        reply = AIMessage(json.dumps({**_reply(str(messages[1].content)), "prompt": digest}))
        return ChatResult(generations=[ChatGeneration(message=reply)])


def note_line(path: Path, line: str) -> None:
    """Append a line and sync it to disk."""
    with path.open("ab", buffering=0) as file:
        file.write(f"{line}\n".encode())
        os.fsync(file.fileno())


def _reply(prompt: str) -> dict[str, Any]:
    lines = {label: match for label, text in LINE.findall(prompt) if (match := SLOT.fullmatch(text))}
    stated = {label: match for label, match in lines.items() if label.startswith("S")}
    if not any(label.startswith("F") for label in lines):
        return {"facts": [match[0] for match in stated.values()]}
    verdicts = [
        {"fact": known, "verdict": "make false", "because": [line], "new": [], "into": said[0]}
        for known, old in lines.items()
        if known.startswith("F")
        for line, said in stated.items()
        if said["slot"] == old["slot"] and said["value"] != old["value"]
    ]
    return {"verdicts": verdicts}
