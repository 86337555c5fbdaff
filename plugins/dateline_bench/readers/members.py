"""Reader of lists: the names that some sentence puts there."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Sequence

from dateline.facts.fact import folded
from dateline.facts.slot_reader import SlotReader
from dateline.protocols import ReadResult
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.sentences import split_sentences
from dateline.text.words import STOPWORDS, words
from dateline_bench.readers.naming import Folded, Name
from dateline_bench.readers.states import subject_of

SEPARATOR = ", "
"""Between the names of an answer."""

_ENDED = re.compile(r"\b(?:no longer|not|never|former|formerly|ex|used to|stopped|left)\b", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ASKING = frozenset(words("list name all known which who what every each give"))
_IRREGULAR = {"children": "child", "wives": "wife", "people": "person", "men": "man", "women": "woman"}


class MembersReader:
    """Answers "list all …" from given choices; implements `dateline.protocols.Reader`.

    A choice belongs to the list where one sentence names it and the subject, says every word that the question asks with
    ("siblings", "step-parents"), and neither denies it nor calls it over. Evidence is taken at its word: what has ended
    must have been left out before, as a fact store does. What `slots` reads in a sentence counts too, in whatever words;
    what they read there as a value of something else ("hobby equipment", asked for hobbies) does not.

    Args:
        slots: reads attributes and values.
    """

    def __init__(self, *, slots: SlotReader | None = None) -> None:
        self._slots = slots

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence`; answer with the members, comma-separated."""
        started = time.perf_counter()
        said_in = self.members(question.text, evidence=evidence, choices=choices)
        candidates = tuple(
            Candidate(answer=choice, probability=1.0, evidence_ids=ids) for choice, ids in said_in.items()
        )
        reading = Reading(
            answer=SEPARATOR.join(said_in),
            probability=1.0 if said_in else 0.0,
            no_answer=0.0 if said_in else 1.0,
            evidence_ids=tuple(dict.fromkeys(id for ids in said_in.values() for id in ids)),
            candidates=candidates,
        )
        return ReadResult(reading, Cost(seconds=time.perf_counter() - started))

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read asynchronously; it takes milliseconds and waits for nothing."""
        return self.read(question, evidence=evidence, choices=choices)

    def members(
        self, question: str, *, evidence: Sequence[Evidence], choices: Sequence[str]
    ) -> dict[str, tuple[str, ...]]:
        """Return the choices in the list, with their evidence ids."""
        subject = subject_of(question, choices=())
        name, asked = Name.of(subject), _terms(question) - _terms(subject) - _ASKING
        attributes = [] if self._slots is None else self._slots.names.asked(question, most=1)
        about = [
            (Folded.of(sentence.text), piece.id, self._otherwise(attributes, sentence.text))
            for piece in evidence
            for sentence in split_sentences(piece.text)
            if asked <= _terms(sentence.text)
            and not _ENDED.search(sentence.text)
            and name.strength(Folded.of(sentence.text)) >= 1
        ]
        found = {
            choice: tuple(id for text, id, other in about if folded(choice) not in other and sought.strength(text) >= 1)
            for choice, sought in {choice: Name.of(choice) for choice in choices if choice != subject}.items()
        }
        for choice, ids in self._stated(attributes, subject, evidence).items():
            named = [each for each in found if folded(each) == choice]
            found.update({each: (*found[each], *ids) for each in named})
        return {choice: ids for choice, ids in found.items() if ids}

    def _otherwise(self, asked: Sequence[str], sentence: str) -> frozenset[str]:
        """Return a sentence's values of other attributes than the asked."""
        if self._slots is None or not asked:
            return frozenset()
        read = [each.slot for each in self._slots.read(sentence)]
        meant = {folded(slot.value) for slot in read if slot.attribute in asked}
        return frozenset(folded(slot.value) for slot in read) - meant

    def _stated(self, asked: Sequence[str], subject: str, evidence: Sequence[Evidence]) -> dict[str, list[str]]:
        """Map values of the asked slot to their evidence."""
        stated: dict[str, list[str]] = defaultdict(list)
        if self._slots is None:
            return stated
        for piece in evidence:
            for slot in (each.slot for each in self._slots.read(piece.text) if not each.ended):
                if slot.attribute in asked and folded(slot.subject) == folded(subject):
                    stated[folded(slot.value)].append(piece.id)
        return stated


def _terms(text: str) -> frozenset[str]:
    """Return words in the singular; hyphenated words are one."""
    tokens = (token.casefold() for token in _TOKEN.findall(re.sub(r"['’]s\b", "", text)))
    return frozenset("-".join(map(_singular, token.split("-"))) for token in tokens if token not in STOPWORDS)


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
