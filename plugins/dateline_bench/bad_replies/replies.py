"""Replies that no reader should believe, drawn with a seed.

Four manners: a weak model keeps to no form, gives the request back or never ends; a chatty one talks; a refusing one
declines, in words or by its provider's marks; one without schemas writes JSON of other shapes, calls tools, or says
everything at once. None of them is a wrong answer in the right form: no reader can know such.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from langchain_core.messages import AIMessage, BaseMessage

from dateline.chat import reply_text

Manner = Literal["weak", "chatty", "refusing", "schema-less"]
MANNERS: tuple[Manner, ...] = get_args(Manner)

Draw = Callable[[random.Random, Sequence[BaseMessage]], AIMessage]

# None of these words stands in a request of `prompts`, so that a reply made of them is grounded in nothing.
_WORDS = """zebra lantern quartz umbrella velvet glacier pickle harpoon mosaic tundra saffron gravel cobalt walrus trumpet
meadow Nimbus Orla Quillon 417 88 1733""".split()  # noqa: SIM905
_NOISE = "\x00\x1b[2J\u202e\u200b🙂漢字ß§#*_`|~^°<>[]{}()\\/\"'.,:;!?-–— \n\t"
_TALK = (
    "Sure!",
    "Of course, happy to help.",
    "Great question!",
    "Let me take a look at that for you.",
    "Here is what you wanted:",
    "I hope this helps!",
    "Is there anything else you would like?",
    "Thinking about it step by step is wise.",
    "That depends on how you see it.",
    "Let's dive in.",
    "Could you clarify what you mean?",
    "Hello! How are you today?",
)
_REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I cannot assist with this request.",
    "As a language model, I am not able to do this.",
    "Sorry, that is beyond what I may discuss.",
    "This request cannot be processed.",
    "I won't do that, because it breaks my rules.",
    "Unfortunately I'm unable to comply.",
    "Es tut mir leid, dabei kann ich nicht helfen.",
)
_LABELS = ("answer", "reasoning", "evidence", "verdict", "comment", "label", "final answer", "follow-up", "result")
_KEYS = ("result", "data", "output", "status", "items", "error", "value")
_OWN_KEYS = ("answer", "facts", "verdicts", "question", "turns", "content", "A")
_BLANKS = ("<your text>", "<name>", "[insert here]", "{}", "...", "<...>", "___", "<one of the above>")


def bad_reply(manner: Manner, *, rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    """Draw one reply of a manner to a request."""
    return rng.choice(_DRAWS[manner])(rng, asked)


# -- weak -----------------------------------------------------------------------------------------


def _nothing(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage(rng.choice(["", " ", "\n\n", "\t \n", "\u200b"]))


def _noise(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage("".join(rng.choices(_NOISE, k=rng.randint(1, 200))))


def _words(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage(_sentence(rng) if rng.random() < 0.7 else "\n".join(_sentence(rng) for _ in range(4)))


def _endless(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    said = f"{rng.choice([_sentence(rng), f'{rng.choice(_LABELS)}: '])} " * rng.randint(20, 300)
    return AIMessage(said, response_metadata={"finish_reason": rng.choice(["length", "max_tokens"])})


def _echo(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    """Give back the request, its form, or some of its lines."""
    texts = [reply_text(message) for message in asked]
    lines = [line for line in "\n".join(texts).splitlines() if line.strip()]
    start = rng.randrange(len(lines))
    part = "\n".join(lines[start : start + rng.randint(2, 12)]) if start + 1 < len(lines) else "\n".join(lines[-2:])
    return AIMessage(rng.choice(["\n\n".join(texts), texts[-1], texts[-1].rpartition("\n\n")[2], part, part, part]))


def _blank(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage("\n".join(f"{label}: {rng.choice(_BLANKS)}" for label in rng.sample(_LABELS, rng.randint(1, 4))))


def _unlikely(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    """Talk, with log-probabilities in which letters are possible and improbable."""
    words = [f"{word} " for word in _sentence(rng).split()]
    content = [
        {
            "token": word,
            "logprob": -0.1,
            "top_logprobs": [{"token": one, "logprob": rng.uniform(-9, -3)} for one in ("A", " B", "C", " a")],
        }
        for word in words
    ]
    return AIMessage("".join(words), response_metadata={"logprobs": {"content": content}})


# -- chatty ---------------------------------------------------------------------------------------


def _talk(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage(" ".join(rng.sample(_TALK, rng.randint(1, 5))))


def _marked(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    talk = rng.choice(_TALK)
    return AIMessage(
        rng.choice([f"# {talk}", f"**{talk}**", f"```\n{talk}\n```", f"<p>{talk}</p>", f"- {talk}\n- {talk}"])
    )


def _thought(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    opened = f"<think>{_sentence(rng)} answer: {_sentence(rng)}"
    return AIMessage(rng.choice([opened, f"{opened}</think>", f"{opened}</think>{rng.choice(_TALK)}"]))


def _undecided(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    pairs = ("yes or no", "A, B or C", "credit or no credit", "SUPPORTS or CONTRADICTS", "A\nB\nC", "maybe", "either")
    said = rng.choice(pairs)
    return AIMessage(rng.choice([said, f"It could be {said}.", f"verdict: {said}" if " or " in said else said]))


# -- refusing -------------------------------------------------------------------------------------


def _refusal(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    own = [each for each in _REFUSALS if "I" in each.split() or "I'm" in each]
    said = rng.choice([rng.choice(_REFUSALS), f"answer: {rng.choice(own)}", " ".join(rng.sample(_REFUSALS, 2))])
    return AIMessage(said)


def _declined(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    """Refuse in a mark of the provider's."""
    text = rng.choice(["", rng.choice(_REFUSALS), rng.choice(_TALK)])
    mark = rng.choice(
        [{"finish_reason": "content_filter"}, {"stop_reason": "refusal"}, {"finish_reason": "SAFETY"}, {}]
    )
    if mark:
        return AIMessage(text, response_metadata=mark)
    return rng.choice(
        [
            AIMessage("", additional_kwargs={"refusal": rng.choice(_REFUSALS)}),
            AIMessage([{"type": "refusal", "refusal": rng.choice(_REFUSALS)}]),
        ]
    )


# -- without schemas ------------------------------------------------------------------------------


def _json(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    value: Any = {rng.choice(_KEYS): _value(rng, 3) for _ in range(rng.randint(0, 3))}
    value = rng.choice([value, [value], None, rng.randint(0, 9), _sentence(rng), {"properties": value}])
    return AIMessage(rng.choice(["{}", "```json\n{}\n```", "Here you are: {}"]).replace("{}", json.dumps(value)))


def _own_json(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    """Write the keys of a form over values of other types."""
    odd: tuple[Any, ...] = (None, {}, [[]], [None], [{}], {"a": {}})
    return AIMessage(json.dumps({key: rng.choice(odd) for key in rng.sample(_OWN_KEYS, rng.randint(1, 4))}))


def _broken(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    whole = json.dumps({rng.choice(_OWN_KEYS): [_sentence(rng)]})
    return AIMessage(rng.choice([whole[: rng.randrange(1, len(whole))], "{" * 900, "[" * 900 + "]" * 900]))


def _call(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    arguments: Mapping[str, Any] = {rng.choice(_OWN_KEYS): _sentence(rng)}
    name = rng.choice(["search", "final_answer", "say"])
    if rng.random() < 0.5:
        return AIMessage("", tool_calls=[{"name": name, "args": dict(arguments), "id": "1"}])
    return AIMessage([{"type": "tool_use", "id": "1", "name": name, "input": dict(arguments)}])


def _blocks(rng: random.Random, asked: Sequence[BaseMessage]) -> AIMessage:
    blocks: list[str | dict[Any, Any]] = [
        {"type": "thinking", "thinking": f"answer: {_sentence(rng)}"},
        {"type": "reasoning", "text": f"answer: {_sentence(rng)}"},
        {"type": "image_url", "image_url": {"url": "https://pictures.example/1"}},
        {"type": "text", "text": rng.choice(_TALK)},
        {"type": "text"},
    ]
    return AIMessage(rng.sample(blocks, rng.randint(0, len(blocks))))


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(_WORDS, k=rng.randint(1, 9))) + rng.choice(["", ".", "?", "!"])


def _value(rng: random.Random, depth: int) -> Any:
    if depth and rng.random() < 0.4:
        return [_value(rng, depth - 1)] if rng.random() < 0.5 else {rng.choice(_KEYS): _value(rng, depth - 1)}
    return rng.choice([None, True, 0, -1.5, float("inf"), "", _sentence(rng)])


_DRAWS: Mapping[Manner, tuple[Draw, ...]] = {
    "weak": (_nothing, _noise, _words, _endless, _echo, _blank, _unlikely),
    "chatty": (_talk, _marked, _thought, _undecided),
    "refusing": (_refusal, _declined),
    "schema-less": (_json, _own_json, _broken, _call, _blocks),
}
