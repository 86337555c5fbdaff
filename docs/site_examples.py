"""The heading of examples as the site's reader of docstrings spells it."""

from __future__ import annotations

import re
from typing import Any

import griffe

_HEADING = re.compile(r"^Example:$", re.M)


class Examples(griffe.Extension):
    """Read "Example:" as a section of code, not as a note."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _HEADING.sub("Examples:", obj.docstring.value)
