"""Snapshots of articles, sentence by sentence (GrowOVER, section 3)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from dateline.documents.rules import USUAL
from dateline.errors import BadInput
from dateline.formats.json_lines import read_lines, read_row
from dateline.formats.table import LINE_ENDINGS, format_of, read_documents
from dateline.records import Record
from dateline.temporal.interval import Interval
from dateline.text import split_sentences

_BLANK = re.compile(r"\n[ \t]*\n")
_MONTH_ALONE = re.compile(r"0[1-9]|1[0-2]")
"""How the published months are named, all of one year; they sort before any full date."""


class GrowingArticle(Record):
    """Article of a snapshot; questions index into its sentences."""

    id: str = Field(description="The same in every snapshot.")
    title: str
    sentences: tuple[str, ...]
    paragraphs: tuple[tuple[int, int], ...] = Field(
        description="First sentence of each paragraph, and the one after it."
    )

    @classmethod
    def of(cls, text: str, *, id: str, title: str) -> GrowingArticle:
        """Cut a text into paragraphs and sentences, without headings."""
        sentences: list[str] = []
        paragraphs: list[tuple[int, int]] = []
        for block in _BLANK.split(text):
            plain = "\n".join(line for line in block.splitlines() if not line.lstrip().startswith("#"))
            found = [" ".join(sentence.text.split()) for sentence in split_sentences(plain)]
            if found:
                paragraphs.append((len(sentences), len(sentences) + len(found)))
                sentences += found
        return cls(id=id, title=title, sentences=tuple(sentences), paragraphs=tuple(paragraphs))

    def paragraph_of(self, index: int) -> tuple[int, int]:
        """The paragraph that a sentence stands in."""
        return next((start, end) for start, end in self.paragraphs if start <= index < end)


class ArticleSnapshot(NamedTuple):
    """All articles on a day.

    Attributes:
        month: the name of its folder: YYYY-MM, YYYY-MM-DD or YYYY.
        articles: in the order of their ids.
        skipped: one line a file or row that could not be read.
    """

    month: str
    articles: tuple[GrowingArticle, ...]
    skipped: tuple[str, ...] = ()


def snapshot_folders(folder: Path) -> list[Path]:
    """The dated subfolders, oldest first.

    Raises:
        BadInput: when there are none.
    """
    if not folder.is_dir():
        raise BadInput(f"There is no folder {str(folder)!r}; give one with a subfolder for each date, such as 2024-01.")
    dated = [
        (start, each) for each in sorted(folder.iterdir()) if each.is_dir() and (start := _start(each.name)) is not None
    ]
    if not dated:
        raise BadInput(f"{str(folder)!r} holds no dated subfolder; name them YYYY-MM or YYYY-MM-DD, such as 2024-01.")
    return [each for _, each in sorted(dated)]


def month_key(month: str) -> int:
    """Return a month's beginning, to sort by.

    Raises `BadInput` where it is no date.
    """
    start = _start(month)
    if start is None:
        raise BadInput(f"{month!r} is no date; write YYYY-MM or YYYY-MM-DD.")
    return start


def date_of(month: str) -> str:
    """Return a month's name where it is a date.

    The published months have no year.
    """
    return "" if _MONTH_ALONE.fullmatch(month) else month


def load_snapshot(folder: Path) -> ArticleSnapshot:
    """Read a snapshot's articles.

    Each is a file of Markdown, text or HTML, or a line of JSON with `id`, `title` and `text`.

    A file's name without its ending is its id. Damaged files are skipped and named.

    Raises:
        BadInput: when nothing could be read.
    """
    skipped: list[str] = []
    articles: dict[str, GrowingArticle] = {}
    root = folder.resolve()
    for file in sorted(each for each in folder.rglob("*") if each.is_file() and not each.name.startswith(".")):
        if not file.resolve().is_relative_to(root):
            skipped.append(f"{file.name}: it is a link out of the folder")
            continue
        for article in _articles(file, folder, skipped):
            if article.id in articles:
                skipped.append(f"{file.name}: there are two articles {article.id!r}")
            elif article.sentences:
                articles[article.id] = article
    if not articles:
        raise BadInput(f"{str(folder)!r} holds no article; put .md, .txt, .html or .jsonl files there.")
    return ArticleSnapshot(folder.name, tuple(articles[id] for id in sorted(articles)), tuple(skipped))


def _start(name: str) -> int | None:
    if _MONTH_ALONE.fullmatch(name):
        return int(name)
    try:
        return Interval.parse(name).start
    except BadInput:
        return None


def _articles(file: Path, folder: Path, skipped: list[str]) -> Iterator[GrowingArticle]:
    name = file.relative_to(folder).with_suffix("").as_posix()
    try:
        if format_of(file) is not None:
            for raw in read_documents(file, name=file.name, rules=USUAL):
                yield GrowingArticle.of(raw.text, id=name, title=raw.title or name.replace("-", " ").replace("_", " "))
        elif file.suffix.lower() in LINE_ENDINGS:
            yield from _rows(file, skipped)
    except (BadInput, OSError) as error:
        skipped.append(f"{file.name}: {error}")


def _rows(file: Path, skipped: list[str]) -> Iterator[GrowingArticle]:
    for number, line in read_lines(file):
        try:
            if isinstance(line, BadInput):
                raise line
            raw = read_row(line)
        except BadInput as error:
            skipped.append(f"{file.name} line {number} {error}")
            continue
        given = json.loads(line).get("id")
        id = str(given) if isinstance(given, str | int) and str(given).strip() else raw.title or f"{file.stem}-{number}"
        yield GrowingArticle.of(raw.text, id=id, title=raw.title or id)
