"""Plain-text format of labelled article pairs (see `README.txt`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dateline.errors import BadInput
from dateline.records import Record, SentenceLabel

SHIPPED = Path(__file__).parent
"""The folder of the set that ships with dateline."""

_LABELS: dict[str, SentenceLabel] = {"=": "unchanged", "~": "changed", "*": "new", "?": "undecided"}
_OLD = re.compile(r"(\d+) (\S.*)")
_NEW = re.compile(r"([=~*?])(?: (\d+(?:\+\d+)*))?(?: (\w+))?(?: \| (\S.*))?")


class SnapshotLine(Record):
    """A new sentence as labelled by hand; `old` counts from 0."""

    label: SentenceLabel
    old: tuple[int, ...]
    kind: str
    text: str


class ArticlePair(Record):
    """Two versions of an article."""

    title: str
    old: tuple[str, ...]
    new: tuple[SnapshotLine, ...]

    @property
    def deleted(self) -> tuple[int, ...]:
        """Old sentences that no line names."""
        named = {place for line in self.new for place in line.old}
        return tuple(place for place in range(len(self.old)) if place not in named)


def read_pairs(path: Path) -> list[ArticlePair]:
    """Read the pairs of one file.

    Raises `BadInput` with the line, for one that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"Cannot read {path}: {error}; give a file in the format of dateline_bench/snapshots/README.txt."
        ) from error
    return parse_pairs(text, name=str(path))


def parse_pairs(text: str, *, name: str = "text") -> list[ArticlePair]:
    """The pairs of a text, in order. Raises `BadInput` as `read_pairs`."""
    pairs = [_pair(lines, name=name) for lines in _articles(text)]
    if not pairs:
        raise BadInput(f"{name} holds no article; each begins with a line such as: ## Title")
    return pairs


def _articles(text: str) -> Iterator[list[tuple[int, str]]]:
    article: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            if article:
                yield article
            article = [(number, line)]
        elif line.strip() and not line.startswith("# ") and article:
            article.append((number, line.strip()))
    if article:
        yield article


def _pair(lines: list[tuple[int, str]], *, name: str) -> ArticlePair:
    old: list[str] = []
    new: list[SnapshotLine] = []
    part = ""
    for number, line in lines[1:]:
        if line in ("old", "new"):
            part = line
        elif part == "old" and (sentence := _OLD.fullmatch(line)) and int(sentence[1]) == len(old) + 1:
            old.append(sentence[2])
        elif part == "new" and (match := _NEW.fullmatch(line)) and (read := _line(match, old)) is not None:
            new.append(read)
        else:
            raise BadInput(
                f"Cannot read line {number} of {name}: {line!r}; see dateline_bench/snapshots/README.txt for the format."
            )
    return ArticlePair(title=lines[0][1][3:].strip(), old=tuple(old), new=tuple(new))


def _line(match: re.Match[str], old: list[str]) -> SnapshotLine | None:
    label, numbers, kind, text = _LABELS[match[1]], match[2], match[3], match[4]
    places = tuple(int(number) - 1 for number in numbers.split("+")) if numbers else ()
    if any(not 0 <= place < len(old) for place in places) or bool(places) != (label != "new"):
        return None
    if text is None:
        if label != "unchanged" or len(places) != 1 or kind not in (None, "moved"):
            return None
        text = old[places[0]]
    return SnapshotLine(label=label, old=places, kind=kind or "verbatim", text=text)
