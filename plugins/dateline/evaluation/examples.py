"""Worked examples for each rule of FreshEval: settled facts or invented places."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JudgedExample:
    """A judged response.

    Attributes:
        relaxed: (earns credit, comment) when judged relaxed.
        strict: the same when judged strictly; None: as when relaxed.
        day: when it was asked, ISO; empty where that does not matter.
    """

    question: str
    golds: tuple[str, ...]
    response: str
    relaxed: tuple[bool, str]
    strict: tuple[bool, str] | None = None
    day: str = ""


EXAMPLES = (
    JudgedExample(
        question="Which city is the capital of Australia?",
        golds=("Canberra",),
        response="Canberra is the capital of Australia; it lies between Sydney and Melbourne.",
        relaxed=(True, "The main answer, Canberra, is right, and so is everything said beside it."),
    ),
    JudgedExample(
        question="Which city is the capital of Australia?",
        golds=("Canberra",),
        response="The capital is Canberra, which was founded by Roman settlers and has always been its largest city.",
        relaxed=(True, "The main answer, Canberra, is right; the invented history beside it does not change it."),
        strict=(False, "The main answer, Canberra, is right, but founding by Romans and its size are invented."),
    ),
    JudgedExample(
        question="Who runs the ferry company of Lake Orvane?",
        golds=("Mira Tolland", "Mira J. Tolland"),
        response="As of my last update, it is run by Mira Tolland, though that may have changed since.",
        day="2024-03-05",
        relaxed=(True, "The main answer, Mira Tolland, is right; the remark about its age is forgiven."),
        strict=(
            False,
            "Mira Tolland is right, but a post like this can change hands, and the response leaves it open.",
        ),
    ),
    JudgedExample(
        question="Who was the first person to walk on the Moon?",
        golds=("Neil Armstrong",),
        response="According to information up to 2021, Neil Armstrong was the first person to walk on the Moon.",
        relaxed=(
            True,
            "Neil Armstrong is right, and who came first can no longer change, so the stated date is harmless.",
        ),
    ),
    JudgedExample(
        question="Who runs the ferry company of Lake Orvane?",
        golds=("Mira Tolland",),
        response="I have no access to current data, so please look at the company's own pages.",
        day="2024-03-05",
        relaxed=(False, "The response refuses; there is no answer that could be right."),
    ),
    JudgedExample(
        question="How many bridges cross the Senn in Halvik?",
        golds=("14", "fourteen"),
        response="More than a dozen bridges cross the Senn in Halvik.",
        day="2023-09-18",
        relaxed=(False, "The known answer is exactly 14; 'more than a dozen' is only an approximation."),
    ),
    JudgedExample(
        question="How many bridges cross the Senn in Halvik?",
        golds=("14", "fourteen"),
        response="Über den Senn führen in Halvik vierzehn Brücken.",
        day="2023-09-18",
        relaxed=(True, "The response says fourteen in German, which is right, and claims nothing else."),
    ),
    JudgedExample(
        question="How many bridges cross the Senn in Halvik?",
        golds=("14", "fourteen"),
        response="14. bridges 14 bridge 14 bridge 14 bridge 14 [end] bridge 14",
        day="2023-09-18",
        relaxed=(True, "The main answer, 14, is right; the broken wording is forgiven."),
        strict=(False, "14 is right, but the response is broken and repeats itself."),
    ),
    JudgedExample(
        question="Is the tower of Brenholt higher than 90 metres?",
        golds=("Yes",),
        response="Yes, it is higher than that: it measures 71 metres.",
        day="2022-06-30",
        relaxed=(False, "It says yes, but 71 metres is not higher than 90: the response contradicts itself."),
    ),
    JudgedExample(
        question="In which year did Queen Ilse of Varn abdicate for the second time?",
        golds=("Queen Ilse of Varn has abdicated only once.", "She never abdicated a second time."),
        response="Queen Ilse of Varn did not abdicate twice; she gave up the throne only once.",
        day="2024-01-10",
        relaxed=(
            True,
            "The question takes a second abdication for granted; the response says outright that there was none.",
        ),
    ),
    JudgedExample(
        question="In which year did Queen Ilse of Varn abdicate for the second time?",
        golds=("Queen Ilse of Varn has abdicated only once.",),
        response="The question rests on a mistake: Queen Ilse of Varn has never abdicated at all.",
        day="2024-01-10",
        relaxed=(
            False,
            "It rejects the question, but leaves the reader thinking that she never abdicated; she did, once.",
        ),
    ),
    JudgedExample(
        question="How often has Halvik hosted the Winter Olympics?",
        golds=("Halvik has never hosted the Winter Olympics.",),
        response="0",
        day="2024-01-10",
        relaxed=(
            False,
            "The question takes for granted that Halvik hosted the games; a bare 0 does not say otherwise.",
        ),
    ),
    JudgedExample(
        question="Who wrote the play Hamlet?",
        golds=("William Shakespeare", "Shakespeare"),
        response="Will did, of course.",
        relaxed=(False, "'Will' alone is not a name by which everybody knows William Shakespeare."),
    ),
    JudgedExample(
        question="Which three rivers meet in Passau?",
        golds=("Danube, Inn and Ilz",),
        response="The Danube and the Inn meet in Passau.",
        relaxed=(False, "Three rivers are asked for, and the Ilz is missing."),
    ),
)
"""The question stays the same in some of them on purpose: what differs is the response."""
