"""Documents of every framework, search results, mappings and plain text as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any, Literal

from pydantic import ValidationError

from dateline.channels import GIVEN
from dateline.documents.document_date import end_of_present
from dateline.documents.fields import MOST_FIELDS, TEXT_FIELDS, Fields, key_of
from dateline.documents.plain_values import is_there, plain, plain_date
from dateline.documents.raw import DocumentDate, RawDocument, day_first_in, raw_of
from dateline.documents.rules import USUAL, DateField, DateRules, date_rules
from dateline.documents.text_head import split_head
from dateline.documents.unread_dates import unread_date
from dateline.errors import BadInput
from dateline.limits import checked_document
from dateline.records import Evidence
from dateline.remember import remember

SeenBy = Literal["person", "model", "encoder"]
"""Who the evidence is for: a LlamaIndex node keeps some fields from models, some from encoders."""

_KEPT_FROM = {"model": "excluded_llm_metadata_keys", "encoder": "excluded_embed_metadata_keys"}
_EVIDENCE = frozenset(Evidence.model_fields)
_HAND_DATED = ("published", "date")


def evidence_of(
    item: Any, *, date_field: DateField = (), id: str = "", seen_by: SeenBy = "person", channel: str = GIVEN
) -> Evidence:
    """Read one document as evidence; its date is never guessed.

    Args:
        item: a LangChain `Document`, a LlamaIndex node with or without score, a mapping with a text, a text, or
            `Evidence`, which is returned as it is.
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        id: an id of your own; empty: one that follows from origin and text.
        seen_by: fields that a node keeps from models or encoders are left out for them; the date is always read.
        channel: what the item came through; no field of its own says that.

    Raises:
        BadInput: when the item holds no document.

    Example:
        >>> from dateline.documents import evidence_of
        >>> piece = evidence_of({"content": "Prices rise.", "publishDate": "2024-05-01", "headline": "Prices"})
        >>> print(piece.title, piece.published, piece.dated_by)
        Prices 2024-05-01 field publishDate
    """
    return evidence_of_all([item], date_field=date_field, ids=[id], seen_by=seen_by, channel=channel)[0]


def evidence_of_all(
    items: Iterable[Any],
    *,
    date_field: DateField = (),
    ids: Sequence[str] = (),
    seen_by: SeenBy = "person",
    strict: bool = False,
    channel: str = GIVEN,
) -> list[Evidence]:
    """Read one corpus's documents; together they decide what 03/04/2019 means.

    Args:
        items: documents in any of the forms of `evidence_of`.
        date_field: as for `evidence_of`.
        ids: ids of your own, one for each item.
        seen_by: as for `evidence_of`.
        strict: refuses a mapping whose `published` or `date` says something that is no date.
        channel: as for `evidence_of`.

    Raises:
        BadInput: for an item that holds no document or too long a one, or, when strict, an unreadable date.
    """
    if isinstance(items, str | Mapping):
        raise BadInput(f"A list of documents is needed, not a single {type(items).__name__}; put it in a list.")
    given, rules = list(items), date_rules(date_field)
    read = [
        item if isinstance(item, Evidence) else raw_document(item, rules=rules, seen_by=seen_by, channel=channel)
        for item in given
    ]
    for one in read:
        checked_document(one.text)
    made = dated_evidence(read, rules=rules, ids=ids)
    if strict:
        for item, piece in zip(given, made, strict=True):
            _check_date(item, piece)
    return made


def dated_evidence(
    documents: Sequence[RawDocument | Evidence], *, rules: DateRules, ids: Sequence[str] = ()
) -> list[Evidence]:
    """Date one corpus's documents; evidence already has its date."""
    day_first = day_first_in((one for one in documents if isinstance(one, RawDocument)), rules=rules)
    return [
        _with_id(one if isinstance(one, Evidence) else _evidence(one, one.dated_or_warned(day_first)), id)
        for one, id in zip(documents, ids or [""] * len(documents), strict=True)
    ]


def _evidence(raw: RawDocument, dated: DocumentDate) -> Evidence:
    with suppress(TypeError):  # a value of its dates has no hash
        hash(raw)
        return _evidence_read(raw.text, raw, dated)
    return raw.evidence(dated)


@remember
def _evidence_read(text: str, raw: RawDocument, dated: DocumentDate) -> Evidence:
    return raw.evidence(dated)


def dates_of_all(
    documents: Iterable[tuple[str, Mapping[str, Any]]], *, date_field: DateField = ()
) -> list[DocumentDate]:
    """Date the documents of one corpus, given as texts with metadata.

    An empty text is one that nobody looks at.
    """
    return [dated for _, dated in dated_texts(documents, rules=date_rules(date_field))]


def dated_texts(
    documents: Iterable[tuple[str, Mapping[str, Any]]], *, rules: DateRules, by_text: bool = False
) -> Iterator[tuple[RawDocument, DocumentDate]]:
    """Read and date one corpus, given as texts with metadata."""
    raws = [of_text(text, metadata, rules=rules) for text, metadata in documents]
    day_first = day_first_in(raws, rules=rules)
    for raw in raws:
        yield raw, raw.dated_or_warned(day_first, by_text=by_text)


def unread_dates(metadata: Iterable[Mapping[str, Any]], *, date_field: DateField = ()) -> tuple[str, ...]:
    """Say why documents have no date where one seems to be there.

    Each sentence once, in the order of the documents.
    """
    rules = date_rules(date_field)
    raws = (raw_of("", fields=Fields(fields), rules=rules) for fields in metadata)
    told = (unread_date(raw.dates, overlooked=raw.overlooked) for raw in raws if raw.dated(None).published is None)
    return tuple(dict.fromkeys(filter(None, told)))


def raw_document(
    item: Any, *, rules: DateRules, seen_by: SeenBy = "person", channel: str = GIVEN
) -> RawDocument | Evidence:
    """Recognise the form of a document. Raises `BadInput` for what is none."""
    raw = _recognised(item, rules, seen_by)
    if isinstance(raw, RawDocument):
        return raw if raw.channel == channel else replace(raw, channel=channel)
    return raw.model_copy(update={"channel": (rules.trust_sources and raw.source) or channel})


def _recognised(item: Any, rules: DateRules, seen_by: SeenBy) -> RawDocument | Evidence:
    if isinstance(item, Mapping):
        return _of_mapping(item, rules)
    if isinstance(item, str):
        return raw_of(_checked(item), fields=Fields({}))
    node = getattr(item, "node", item)
    text = getattr(node, "page_content", None)
    if text is None and callable(get := getattr(node, "get_content", None)):
        text = get()
    if not isinstance(text, str):
        raise BadInput(_no_document(item))
    metadata = getattr(node, "metadata", None)
    hidden = getattr(node, _KEPT_FROM[seen_by], ()) if seen_by in _KEPT_FROM else ()
    return of_text(text, metadata if isinstance(metadata, Mapping) else {}, rules=rules, hidden=tuple(hidden))


def of_text(
    text: str, metadata: Mapping[Any, Any], *, rules: DateRules = USUAL, hidden: tuple[str, ...] = ()
) -> RawDocument:
    """Read a document's text with its metadata.

    Front matter that a loader left in the text counts behind the metadata, and is no text.
    """
    items = _items(metadata)
    if items is None:
        return _of_text(text, metadata, hidden, rules)
    return _text_read(text, items, hidden, rules, end_of_present())


_Items = frozenset[tuple[Any, tuple[type, timedelta | None], Any]]
"""Name, what tells equal values apart that are not read alike (1, 1.0 and True; one moment in two zones), and value."""


def _items(metadata: Mapping[Any, Any]) -> _Items | None:
    """Return a document's fields as a key, where they can be one.

    Stores give fields in any order, which counts only between two spellings of one name.
    """
    if len({key_of(str(name)) for name in metadata}) == len(metadata) <= MOST_FIELDS:
        with suppress(TypeError):  # a list or mapping among the values
            values = ((name, plain(value)) for name, value in metadata.items())
            return frozenset((name, (type(value), _zone(value)), value) for name, value in values)
    return None


def _zone(value: Any) -> timedelta | None:
    return value.utcoffset() if isinstance(value, datetime) else None


@remember
def _text_read(text: str, items: _Items, hidden: tuple[str, ...], rules: DateRules, end: int) -> RawDocument:
    """Read a text once a day: a head may look ahead."""
    return _of_text(text, {name: value for name, _, value in items}, hidden, rules)


def _of_text(text: str, metadata: Mapping[Any, Any], hidden: tuple[str, ...], rules: DateRules) -> RawDocument:
    head, text = split_head(text)
    if head:  # behind what the metadata say
        said = {name: value for name, value in metadata.items() if is_there(plain(value))}
        metadata = {**said, **head, **said}
    fields = Fields(metadata, hidden=hidden)
    return replace(raw_of(text, fields=fields, rules=rules), speaks=True)


def _of_mapping(item: Mapping[Any, Any], rules: DateRules) -> RawDocument | Evidence:
    if {"id", "text", "kind"} <= item.keys() <= _EVIDENCE:
        try:
            return Evidence.model_validate(item)
        except ValidationError:
            pass
    fields = Fields(item)
    text = fields.text(TEXT_FIELDS)
    if not text:
        raise BadInput(
            'A passage needs a text; write {"text": "...", "published": "2019-03-02"}, not a mapping with the fields '
            f"{', '.join(str(name)[:40] for name in list(item)[:8]) or '(none)'}."
        )
    return raw_of(text, fields=fields, rules=rules)


def _checked(text: str) -> str:
    if not text.strip():
        raise BadInput("A passage needs a text; fill it in, or take it out of the list.")
    return text


def _no_document(item: Any) -> str:
    if isinstance(item, PurePath):
        return f"{str(item)!r} is a path; read files with dateline.search.load_documents."
    return (
        f"{type(item).__name__} is no document; give LangChain Documents, LlamaIndex nodes, mappings with a text, "
        "texts or Evidence."
    )


def _with_id(piece: Evidence, id: str) -> Evidence:
    return piece.model_copy(update={"id": id}) if id else piece


def _check_date(item: Any, piece: Evidence) -> None:
    if piece.published is not None or not isinstance(item, Mapping):
        return
    values = (plain_date(value) for name, value in item.items() if key_of(str(name)) in _HAND_DATED)
    said = next(filter(is_there, values), None)
    if said is not None:
        raise BadInput(
            f"Cannot read {said!r} as a date of publication; write YYYY, YYYY-MM or YYYY-MM-DD, or leave it out."
        )
