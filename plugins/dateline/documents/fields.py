"""The one table of field names, insensitive to spelling."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from dateline.documents.plain_values import is_there, plain, plain_date

MOST_FIELDS = 200
"""Fields of one mapping that are looked at; chosen by hand."""


@lru_cache(maxsize=4096)
def key_of(name: str) -> str:
    """Normalise a field's name: `publishDate` and `Publish-Date` are one."""
    return "".join(filter(str.isalnum, name)).casefold()


def _keys(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key_of(name) for name in names))


PUBLISHED = "dateline_published"
"""The field of a stamp that holds the second from which a document was known; long before everything where it is undated."""

DATE, PUBLISHED_FROM = "dateline_date", "dateline_published_from"
"""The fields that hold the date for people, and where it was found."""

STAMPED = _keys(DATE, PUBLISHED)
"""The fields that `DateStamper` writes, now and formerly; they are read whatever field a person names."""

_PUBLISHED = _keys(
    DATE, PUBLISHED, "published", "publish_date", "published_date", "published_at", "published_on",
    "published_time", "publish_time", "date_published", "pubdate", "publication_date",
    "article:published_time", "og:published_time", "og:article:published_time", "parsely-pub-date", "dc.date.issued", "dcterms.date", "sailthru.date",
    "citation_publication_date", "issued", "issue_date", "release_date", "posted", "posted_at", "date_posted",
    "sent", "sent_at", "date_sent",
    "date", "dc.date", "datetime", "page_age", "timestamp", "effective_date",
    "created_at", "created", "date_created", "created_on", "dcterms.created", "creation_date", "upload_date",
    "when",
)  # fmt: skip

CHANGED_FIELDS = _keys(
    "updated", "last_updated", "updated_at", "modified", "modified_at", "date_modified", "article:modified_time",
    "mod_date", "last_modified", "last_modified_date", "last_edited_time",
)  # fmt: skip
"""Fields that may hold the date of the latest change, which dates a document that says no other."""

DATE_FIELDS = (*_PUBLISHED, *CHANGED_FIELDS, *_keys("year"))
"""Fields that may hold the date of publication, the most telling first."""

FILE_CLOCK = _keys("creation_date", "last_modified", "last_modified_date")
"""Fields that hold the file system's times, not the document's, where a loader lists files."""

FILE_MARKS = frozenset(_keys("file_size", "file_type", "file_directory", "last_accessed_date"))
"""Fields of loaders that list files: LlamaIndex's SimpleDirectoryReader, LangChain's UnstructuredLoader."""

TEXT_NAMES = ("text", "content", "body", "page_content", "snippet", "passage", "raw_content", "description")
TEXT_FIELDS = _keys(*TEXT_NAMES)
TITLE_FIELDS = _keys("title", "headline", "name", "subject", "og:title")
URL_FIELDS = _keys("url", "link", "source_url", "canonical_url", "canonical", "href", "web_url", "og:url")
SOURCE_FIELDS = _keys("source", "publisher", "site", "outlet", "source_name", "site_name", "og:site_name", "provider")
FILE_FIELDS = _keys("file_name", "filename", "file_path", "path")

_LIKE_DATES = ("date", "day", "datetime", "timestamp")
"""Endings of names that may hold a date: meeting_date, birthday. Chosen by hand."""

NESTED = frozenset({"metadata", "extra_info", "extrainfo", "_source", "node", "kwargs"})
"""Fields whose own fields count as the document's, behind those beside them."""

_NAMED = ("name", "title", "hostname", "id")
"""Where the name of a source stands that is a mapping itself."""


class Fields:
    """A document's fields by their keys; the first of several spellings counts."""

    def __init__(self, given: Mapping[Any, Any], *, hidden: Collection[str] = ()) -> None:
        self._roots = list(_roots(given, depth=2))
        self._by_key: dict[str, tuple[str, Any]] = {}
        for root in self._roots:
            for name, value in islice(root.items(), MOST_FIELDS):
                self._by_key.setdefault(key_of(str(name)), (str(name), plain(value)))
        self._hidden = frozenset(key_of(name) for name in hidden)

    def get(self, *keys: str) -> Any:
        """Return the first value there is under one of the keys."""
        for key in keys:
            if key in self._by_key:
                return self._by_key[key][1]
        return None

    def text(self, keys: tuple[str, ...], *, hidden_too: bool = False) -> str:
        """Return the first visible text under the keys, or ""."""
        return next(self.texts(keys, hidden_too=hidden_too), "")

    def texts(self, keys: tuple[str, ...], *, hidden_too: bool = False) -> Iterator[str]:
        """Find all texts under the keys that are not hidden."""
        for key in keys:
            if (
                key in self._by_key
                and (hidden_too or key not in self._hidden)
                and (text := _text(self._by_key[key][1]))
            ):
                yield text

    def dates(self, place: str, named: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
        """Return the date fields with their values: named ones, else usual ones."""
        if named:
            found = [(name, self._at(name)) for name in named]
            found += [self._by_key[key] for key in STAMPED if key in self._by_key]
        else:
            listing = not FILE_MARKS.isdisjoint(self._by_key)
            found = [
                self._by_key[key]
                for key in DATE_FIELDS
                if key in self._by_key and not (listing and _of_file_system(key, self._by_key[key][0]))
            ]
        return tuple(
            (f"{place} {name}", value)
            for name, value in ((name, plain_date(value)) for name, value in found)
            if is_there(value) and not (isinstance(value, int | float) and key_of(name) in STAMPED)
        )

    def has(self, named: tuple[str, ...]) -> bool:
        """Return whether one of the named fields, or a stamp, is there."""
        return any(self._at(name) is not None for name in named) or not self._by_key.keys().isdisjoint(STAMPED)

    def names(self) -> tuple[str, ...]:
        """Return the filled fields that may hold a date, else all."""
        filled = {key: name for key, (name, value) in self._by_key.items() if is_there(value)}
        dated = (name for key, name in filled.items() if key in DATE_FIELDS or _is_named_like_date(key, name))
        return tuple(dated) or tuple(filled.values())

    def overlooked(self) -> Iterator[tuple[str, Any]]:
        """Find fields that are named like a date, beside the usual."""
        for key, (name, value) in self._by_key.items():
            if _is_named_like_date(key, name) and key not in DATE_FIELDS and key not in FILE_MARKS:
                yield name, value

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def _at(self, path: str) -> Any:
        """Return the value under a name or dotted path."""
        if (key := key_of(path)) in self._by_key and "." not in path:
            return self._by_key[key][1]
        for root in self._roots:
            value: Any = root
            for name in [path] if path in root else path.split("."):
                value = _under(value, name)
            if value is not None:
                return value
        return None


def _roots(given: Mapping[Any, Any], *, depth: int) -> Iterator[Mapping[Any, Any]]:
    yield given
    for name, value in islice(given.items(), MOST_FIELDS):
        if depth and str(name).lower() in NESTED and isinstance(value, Mapping):
            yield from _roots(value, depth=depth - 1)


def _under(value: Any, name: str) -> Any:
    if not isinstance(value, Mapping):
        return None
    return next((inner for own, inner in value.items() if key_of(str(own)) == key_of(name)), None)


def _text(value: Any) -> str:
    if not isinstance(value, str) and isinstance(value, Mapping):
        value = next((value[name] for name in _NAMED if value.get(name)), "")
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _is_named_like_date(key: str, name: str) -> bool:
    if key.startswith("dateline"):
        return False
    return key.startswith("date") or key.endswith(_LIKE_DATES) or name.lower().endswith(("_at", "_on"))


def _of_file_system(key: str, name: str) -> bool:
    """Return whether a field is the file system's, such as `creation_date`.

    A PDF's `creationdate` is not one.
    """
    return key in FILE_CLOCK and not name.isalpha()
