"""A local transformers model: its completions and their hidden states."""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.errors import BadInput, check_least
from dateline.latest import Latest
from dateline.pretrained import context_tokens, load_pretrained
from dateline.text.special_tokens import SpecialTokens

Floats = NDArray[np.float32]

MAX_TOKENS = 2048
BATCH = 8
TAIL = 64
"""Tokens of a given continuation that are weighed."""
REMEMBERED = 4096
"""Hidden states kept; one of a 7B model takes 16 KB."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's continuation of a prompt.

    Attributes:
        text: up to the end of its first line.
        probability: of its tokens, their geometric mean.
        prompt_tokens, tokens: how many were read and written.
    """

    text: str
    probability: float
    prompt_tokens: int
    tokens: int


class CausalModel:
    """A causal model of transformers with its tokenizer.

    A prompt longer than `max_tokens` loses its beginning: what is asked stands at its end. Completions
    are greedy at `temperature` 0. The last layer's state at a prompt's last token is kept from every
    completion, so that `states` of the same prompt need no second pass. Threads wait for one another.

    Raises:
        BadInput: for bounds below 1, a negative temperature, or a tokenizer without any end or padding token.
    """

    def __init__(
        self,
        model: Any,
        *,
        tokenizer: Any,
        max_tokens: int = MAX_TOKENS,
        batch: int = BATCH,
        temperature: float = 0.0,
        name: str | None = None,
    ) -> None:
        check_least(1, max_tokens=max_tokens, batch=batch)
        check_least(0, temperature=temperature)
        pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
        if pad is None:
            raise BadInput("The tokenizer has neither a padding nor an end token; set tokenizer.pad_token.")
        self.model, self.tokenizer, self.batch, self.temperature = model, tokenizer, batch, temperature
        self.name = name or Path(str(getattr(model.config, "name_or_path", "") or type(model).__name__)).name
        self.hidden_size = int(model.config.get_text_config().hidden_size)
        self.max_tokens = min(max_tokens, context_tokens(model) or max_tokens)
        self._pad = int(pad)
        self._specials = SpecialTokens(tokenizer)
        self._states = Latest[str, Floats](size=REMEMBERED)
        self._lock = threading.Lock()

    @classmethod
    def load(cls, path: str | Path, *, device: str = "cpu", dtype: str = "auto", **options: Any) -> CausalModel:
        """Load a model by folder, GGUF file or hub name.

        `options` are those of the constructor. Raises what `dateline.pretrained.load_pretrained` does.
        """
        model, tokenizer = load_pretrained(path, device=device, dtype=dtype)
        return cls(model, tokenizer=tokenizer, **options)

    def plain(self, text: str) -> str:
        """Return foreign text that makes no control token of this model."""
        return self._specials.split(text)

    @property
    def fingerprint(self) -> str:
        """Return 16 hex digits of the weights, in float32 and bfloat16 alike."""
        import torch

        digest = hashlib.blake2b(digest_size=8)
        for _, weights in sorted(self.model.named_parameters()):
            sample = weights.detach().flatten()[:: max(1, weights.numel() // 64)][:64]
            digest.update(sample.to(torch.bfloat16).view(torch.int16).cpu().numpy().tobytes())
        return digest.hexdigest()

    def fits(self, prompt: str, *, room: int) -> bool:
        """Return whether a prompt is read whole beside `room` new tokens."""
        return len(self.tokenizer(prompt)["input_ids"]) <= self.max_tokens - room

    def complete(self, prompts: Sequence[str], *, max_new_tokens: int = 16) -> list[Completion]:
        """One completion a prompt, `batch` of them in a forward pass."""
        check_least(1, max_new_tokens=max_new_tokens)
        made: list[Completion] = []
        for start in range(0, len(prompts), self.batch):
            made += self._complete(prompts[start : start + self.batch], max_new_tokens)
        return made

    def states(self, prompts: Sequence[str]) -> Floats:
        """Return each prompt's last state of the last layer, (prompts, hidden size)."""
        found = {prompt: state for prompt in prompts if (state := self._states.get(prompt)) is not None}
        missing = list(dict.fromkeys(prompt for prompt in prompts if prompt not in found))
        for start in range(0, len(missing), self.batch):
            part = missing[start : start + self.batch]
            found |= zip(part, self._forward(part), strict=True)
        return np.stack([found[prompt] for prompt in prompts]) if prompts else np.zeros((0, self.hidden_size), "f4")

    def likelihoods(self, prompt: str, *, continuations: Sequence[str]) -> list[float]:
        """The geometric mean of the token probabilities of each continuation after `prompt`."""
        import torch

        head = self._ids(prompt, room=TAIL)
        tails = [self._ids(self.plain(text), special=False)[:TAIL] or [self._pad] for text in continuations]
        found: list[float] = []
        for start in range(0, len(tails), self.batch):
            part = tails[start : start + self.batch]
            ids, mask = self._padded([head + tail for tail in part], left=False)
            with self._lock, torch.inference_mode():
                logs = self.model(input_ids=ids, attention_mask=mask).logits.float().log_softmax(-1)
            for row, tail in enumerate(part):
                steps = [float(logs[row, len(head) - 1 + i, token]) for i, token in enumerate(tail)]
                found.append(math.exp(sum(steps) / len(steps)))
        return found

    def _complete(self, prompts: Sequence[str], max_new_tokens: int) -> list[Completion]:
        import torch

        rows = [self._ids(prompt, room=max_new_tokens) for prompt in prompts]
        ids, mask = self._padded(rows, left=True)
        chosen: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if self.temperature:
            chosen = {"do_sample": True, "temperature": self.temperature}
        with self._lock, torch.inference_mode():
            out = self.model.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=max_new_tokens,
                pad_token_id=self._pad,
                return_dict_in_generate=True,
                output_hidden_states=True,
                output_logits=True,
                **chosen,
            )
        states = out.hidden_states[0][-1][:, -1].float().cpu().numpy()
        for prompt, state in zip(prompts, states, strict=True):
            self._states.put(prompt, state)
        written = out.sequences[:, ids.shape[1] :]
        logs = torch.stack(out.logits, dim=1).float().log_softmax(-1)
        picked = logs.gather(-1, written[..., None])[..., 0]
        return [
            self._completion(w.tolist(), p.tolist(), read=len(row))
            for w, p, row in zip(written, picked, rows, strict=True)
        ]

    def _completion(self, written: Sequence[int], logs: Sequence[float], *, read: int) -> Completion:
        """Cut a completion behind the token that ends its answer."""
        blank = sum(1 for _ in takewhile(self._is_blank, written))
        ends = (place for place, token in enumerate(written, start=1) if place > blank and self._ends(token))
        kept = next(ends, len(written))
        text = self.tokenizer.decode(list(written[:kept]), skip_special_tokens=True).lstrip().split("\n")[0].strip()
        return Completion(text, math.exp(sum(logs[:kept]) / max(1, kept)), read, kept)

    def _is_blank(self, token: int) -> bool:
        return token not in self._closing() and not self.tokenizer.decode([token]).strip()

    def _closing(self) -> tuple[int, ...]:
        return (self.tokenizer.eos_token_id, self._pad)

    def _ends(self, token: int) -> bool:
        return token in self._closing() or "\n" in self.tokenizer.decode([token])

    def _forward(self, prompts: Sequence[str]) -> Floats:
        import torch

        rows = [self._ids(prompt) for prompt in prompts]
        ids, mask = self._padded(rows, left=False)
        with self._lock, torch.inference_mode():
            out = self.model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
        last = torch.tensor([len(row) - 1 for row in rows])
        states: Floats = out.hidden_states[-1][torch.arange(len(rows)), last].float().cpu().numpy()
        for prompt, state in zip(prompts, states, strict=True):
            self._states.put(prompt, state)
        return states

    def _ids(self, text: str, *, room: int = 0, special: bool = True) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=special)["input_ids"]
        return ids[-max(1, self.max_tokens - room) :] or [self._pad]

    def _padded(self, rows: Sequence[Sequence[int]], *, left: bool) -> tuple[Any, Any]:
        import torch

        length = max(len(row) for row in rows)
        ids = torch.full((len(rows), length), self._pad)
        mask = torch.zeros(len(rows), length, dtype=torch.long)
        for number, row in enumerate(rows):
            place = slice(length - len(row), length) if left else slice(0, len(row))
            ids[number, place], mask[number, place] = torch.tensor(row), 1
        return ids.to(self.model.device), mask.to(self.model.device)
