"""Make a sentence stand on its own (ERASE, appendix A.2)."""

from __future__ import annotations

import re

from dateline.language.calendar import CALENDAR
from dateline.language.names import is_capital, is_short_name
from dateline.language.pronouns import PRONOUNS
from dateline.language.word_lists import word_set
from dateline.text.words import STOPWORDS, words

SHORTEST, LONGEST = 3, 60
"""Words of a sentence that becomes a fact."""

_PRONOUNS = PRONOUNS | {"here", "there"}

_SAYS_I = re.compile(r"\b(?:I|I['’]\w+|[Mm]y|me|myself|mine)\b")
_PRESENT = words("work live earn need like love want play own study teach run")
_THIRD = {"am": "is", "do": "does", "don't": "doesn't", "have": "has", "haven't": "hasn't"}
_AUXILIARY = "don['’]t|haven['’]t|am|do|have"
_FIRST_PERSON: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bI['’]m\b"), "{who} is"),
    (re.compile(r"\bI['’]ve\b"), "{who} has"),
    (re.compile(r"\bI['’]ll\b"), "{who} will"),
    (re.compile(r"\bI['’]d\b"), "{who} would"),
    (re.compile(rf"\bI (?P<adverb>now |still |also |really )?(?P<verb>{_AUXILIARY}|{'|'.join(_PRESENT)})\b"), ""),
    (re.compile(rf"\b(?P<asked>(?i:{_AUXILIARY})) I\b(?!['’])"), ""),
    (re.compile(r"\b(?:I|me|myself)\b"), "{who}"),
    (re.compile(r"\b(?:[Mm]y|mine)\b"), "{who}'s"),
)
_QUOTED = re.compile(r"[\"“”]")
_BEFORE_I = (
    STOPWORDS
    | CALENDAR
    | word_set(
        """today tonight tomorrow yesterday sometimes often always never nowadays soon afterwards meanwhile still first last next
        instead however therefore otherwise besides indeed maybe perhaps well yes okay plus like"""
    )
)
"""Words that have a capital and are no names; behind any other capital "I" is a number."""


def standalone(sentence: str, *, title: str = "", headed: bool = False) -> str:
    """The sentence as a statement that needs no other, or "" where it is none (a question, a fragment, a long list).

    Where the title is a speaker's name, "I" and "my" become that name. A sentence that opens with a pronoun is put behind
    the title, and left out where there is none.

    Args:
        headed: put every sentence behind the title where that is a headline.
    """
    found = words(sentence)
    if not SHORTEST <= len(found) <= LONGEST or sentence.rstrip("\"'”’ ").endswith("?"):
        return ""
    sentence = told_of(title, sentence=sentence)
    found = words(sentence)
    if found[0] in _PRONOUNS:
        return f"{title}: {sentence}" if title else ""
    return f"{title}: {sentence}" if headed and is_headline(title) else sentence


def is_headline(title: str) -> bool:
    """Whether a title could say something: two words or more, numbers not counted, and no name in capitals."""
    return sum(word.isalpha() for word in words(title)) > 1 and not is_short_name(title)


def told_of(speaker: str, *, sentence: str) -> str:
    """Tell what a speaker says of "I" and "my" in the third person.

    A sentence stays as it is where the speaker is no name, and where it quotes somebody. So does the number of "World War I".

    Example:
        >>> told_of("Kim", sentence="I don't eat meat, do I?")
        "Kim doesn't eat meat, does Kim?"
    """
    if not is_short_name(speaker) or not _SAYS_I.search(sentence) or _QUOTED.search(sentence):
        return sentence
    for pattern, form in _FIRST_PERSON:
        sentence = pattern.sub(lambda match, form=form: _replaced(match, form, speaker), sentence)  # type: ignore[misc]
    return sentence


def _replaced(match: re.Match[str], form: str, who: str) -> str:
    if match.group() == "I" and _ends_with_name(match.string[: match.start()]):
        return "I"
    if form:
        return form.format(who=who)
    if asked := match.groupdict().get("asked"):
        third = _THIRD[asked.lower().replace("’", "'")]
        return f"{third.capitalize() if asked[0].isupper() else third} {who}"
    verb = match["verb"]
    if third := _THIRD.get(verb.replace("’", "'"), ""):
        return f"{who} {match['adverb'] or ''}{third}"
    ending = "ies" if verb == "study" else "es" if verb == "teach" else "s"
    return f"{who} {match['adverb'] or ''}{verb.removesuffix('y') if ending == 'ies' else verb}{ending}"


def _ends_with_name(text: str) -> bool:
    """Check that a name stands right before what follows: "Elizabeth ", "In World War "."""
    last = text.split()[-1] if text.endswith(" ") and text.strip() else ""
    is_common = last.lower() in _BEFORE_I or last.endswith("ly")
    return last[-1:].isalnum() and is_capital(last[0]) and not is_common
