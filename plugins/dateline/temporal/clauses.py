"""Clause analysis: which part of a question a time belongs to."""

from __future__ import annotations

import re

from dateline.language.names import SMALL, LetterPattern

_SENTENCE_END = re.compile(r"[.?!]\s+(?=(?:Who|Whom|Whose|What|Which|Where|When|How|Why|Name|Tell)\b)")
_RELATIVE_CLAUSE = re.compile(
    r"\w(?<!\band)(?<!\bor)(?<!\bbut),?\s+(?:who|which|that|whose|once|when|while)\s+(?!did\b|does\b|do\b)[^?]*$", re.I
)
_SUBORDINATE = re.compile(
    r"(?:once|when|after|since|while|because|although|regarding|given|considering)\s+[^\W\d_]", re.I
)
_PARTICIPLE = LetterPattern(
    r"(?<!\bwho)(?<!\bwhat)(?<!\bwhich)(?<!\bwas)(?<!\bwere)(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bbeen)(?<!\bhas)(?<!\bhad)"
    rf"[\s,](?:{SMALL}{{2,}}ed|born|built|known|held|made|written|flown|sunk|won|led|begun|given|taken|found|set|cut|run|sold|bought|sung)"
    r"(?:\s+(?:by|as|in|at|to|on|for)(?:\s+(?:the\s+)?[\w.&'’-]+){1,6})?\s*$"
)
_THING = re.compile(
    r"(?<!\bwho)(?<!\bwhat)(?<!\bwhich)\s(?:published|released|founded|established|born|built|formed|created|opened|launched|"
    r"invented|discovered|signed|produced|issued|constructed|completed|written)\s*$",
    re.I,
)
_IMPLICIT = re.compile(r"\w,? (?:when|while|once|before|after|until|since) (?:he|she|it|they)\b[^,?(]*$", re.I)
_AUXILIARY = re.compile(r"\b(?:was|were|is|are|did|does|do|has|had|have|been|be)\b", re.I)
_QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|what|which|where|when|how|why)\b", re.I)


_SUPPOSITION = re.compile(r"\A\s*(?:if|suppose|supposing|assuming)\s[^,?]*,|,\s*(?:if|supposing|assuming)\s[^?]*", re.I)


def supposed(text: str) -> tuple[int, int]:
    """Return the span of a hypothetical clause, or (0, 0).

    For example "..., if they had married in 1966?".
    """
    match = _SUPPOSITION.search(text)
    return (0, 0) if match is None else match.span()


def asking_part(text: str) -> int:
    """Return where the sentence that asks begins."""
    return max((match.end() for match in _SENTENCE_END.finditer(text)), default=0)


def dates_a_thing(head: str) -> bool:
    """Return whether a question's only time describes a thing.

    "The book published in 1999" is such a thing; the question is not about 1999.
    """
    if _IMPLICIT.search(head):
        return True
    return _THING.search(head) is not None and not _AUXILIARY.search(head)


def is_nested(head: str) -> bool:
    """Return whether the text before a time opens a subordinate clause.

    For example "who was born", "founded by X".
    """
    if _SUBORDINATE.match(head) and "," not in head and not _QUESTION_WORD.search(head, 4):
        return True
    participle = _PARTICIPLE.search(head)
    if participle is not None and not _QUESTION_WORD.search(participle.group()):
        return True
    relative = _RELATIVE_CLAUSE.search(head)
    if relative is None:
        return False
    # A question word later than the pronoun means that the main clause has taken over again.
    inside = head[relative.start() + 1 :].lstrip(" ,")
    return not _QUESTION_WORD.search(inside, inside.find(" "))
