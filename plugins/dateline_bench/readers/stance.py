"""Stance of a sentence: a tie begins, holds or ends.

"Ada Berg leaves Oberau Rovers for Lundby United" ends a tie to the one and begins one to the other; "former mayor Jon
Aske" ends, "Vera Holt succeeds Jon Aske" begins and ends. Cue words of English, bound to the name that they stand beside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Stance = Literal["begins", "holds", "ends"]

_BEFORE, _AFTER = 7, 4
"""Words looked at before and after a name."""

_LINK = r"(?: (?:the|a|an|his|her|its|their|as|at|of|with|for|to|in|and|club|side|team|mr|mrs|ms|dr|sir|lord|dame|coach|ceo|president|chairman|manager|mayor|minister))*"

_ENDS_BEFORE = re.compile(
    r"\b(?:former|formerly|ex|outgoing|previous|previously|late|onetime|predecessor|ousted|departed"
    r"|le(?:ft|aves?|aving)|depart(?:s|ing)?|departure from|quits?|exit(?:s|ed|ing)?"
    r"|(?:released|waived|fired|sacked|dropped|cut|dismissed|signed|acquired|traded|loaned|transferred|moved|arrived"
    r"|recruited|poached|bought|joined|joins|return(?:s|ed)) (?:by|from)|(?:move|transfer|switch|trade|loan|arrival) (?:away )?from"
    r"|resign(?:s|ed|ing|ation)? (?:from|as)|step(?:s|ped|ping)? (?:down|aside) (?:from|as)|stood down (?:from|as)"
    r"|retire[sd]?(?: from| as)?|succeed(?:s|ed|ing)?|replac(?:e|es|ed|ing)|instead of|in place of|take over from"
    r"|took over from|takes over from|taking over from|parted ways with|no longer)"
    rf"{_LINK}$"
)
_ENDS_AFTER = re.compile(
    r"^(?:\w+ ){0,2}(?:resign(?:s|ed|ing|ation)?|step(?:s|ped|ping) (?:down|aside)|stood down|leaves|departs|departed|departure"
    r"|(?:was|is|were|been|being) (?:fired|sacked|replaced|ousted|dismissed|removed|succeeded)|retire[sd]|died|dies|quits?"
    r"|successor|is leaving|will leave)\b"
)
_BEGINS_BEFORE = re.compile(
    r"\b(?:join(?:s|ed|ing)?|sign(?:s|ed|ing)?(?: \w+){0,4} (?:with|for|to|by)|signs|signed|named|appointed|elected|promoted|sworn in"
    r"|becom(?:e|es|ing)|became|selected|chosen|confirmed|installed|mov(?:e|es|ed|ing) to|transfer(?:s|red)? to|traded to"
    r"|loan(?:ed)? (?:to|with|at)|switch(?:es|ed)? to|new|newly|hired|recruited|drafted|acquired by|signed by|picked up by"
    rf"|debut (?:for|with)|takes? over|took over|takes? office|took office|committed to|relocat\w+ to){_LINK}$"
)
_BEGINS_AFTER = re.compile(
    r"^(?:s )?(?:\w+ ){0,2}(?:succeeds?|succeeded|replaces|takes over|took over|takes office|was (?:named|appointed|elected|sworn)"
    r"|(?:has|have) (?:signed|acquired|appointed|named|hired)|signs?|signed|appoints?|appointed|announce[sd]?(?: the)? signing"
    r"|becomes|became|elected|named)\b"
)


def stance_of(words: Sequence[str], place: tuple[int, int]) -> Stance:
    """Classify a sentence's stance on the name at `place`.

    `place` is (first word, one after the last) of its folded words.
    """
    start, end = place
    before, after = " ".join(words[max(0, start - _BEFORE) : start]), " ".join(words[end : end + _AFTER])
    if _ENDS_BEFORE.search(before) or _ENDS_AFTER.search(after):
        return "ends"
    if _BEGINS_BEFORE.search(before) or _BEGINS_AFTER.search(after):
        return "begins"
    return "holds"
