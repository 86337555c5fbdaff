"""Word lists of the reader by rules."""

from __future__ import annotations

from dateline.language.word_lists import word_set

OPENERS = word_set(
    """
    a an the in on at by for from to of and but or as if it its he she they we i you his her their our my this that
    these those there here when while after before since until during with without not no what who which how why
    where also however meanwhile according then now today yesterday so some many most more all both each one two
    first last new former current following although though because despite under over between is was are were has
    have had be been will would can could may might do does did
    """
)
"""Words that a capitalised sequence may begin with without being part of the name."""

GENERIC = word_set(
    """
    have cost reach name call become make get take win hold current latest newest new recent known official many number
    year world exist serve work play happen come go give find major main public kind type part hit stand run lead do
    """
)
"""Words of a question that its answer often leaves out or puts otherwise."""
