"""Words that mark names of organisations, places and events."""

from __future__ import annotations

from dateline.language.word_lists import word_table

_TABLE = word_table("organisations")

NO_PERSON = _TABLE["body"] | _TABLE["place"] | _TABLE["event"] | _TABLE["work"]
"""Words in the names of bodies, places, events and works; no person is called so."""
SHARED = _TABLE["body"] | _TABLE["sport"]
"""Words that the names of many bodies share and few are known by."""
UNITS = _TABLE["unit"]
"""Parts of a larger body, named by what they do: "team", "branch"."""
