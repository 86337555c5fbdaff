"""Evidence in tool results: documents, lists of results, dateline's own writing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeGuard

from langchain_core.documents import Document
from langchain_core.messages import ToolMessage

from dateline import BadInput, Evidence, SearchFailed
from dateline.documents import DateField, evidence_of, evidence_of_all
from dateline.options import wrong_part
from dateline.search.engines import page_of
from dateline.visible import logger, warn_once
from langchain_dateline.evidence import evidence_from
from langchain_dateline.prompt_parsing import dated_passages

_LOG = logger(__name__)


def searches(name: str, tools: Collection[str] | None) -> bool:
    """Return whether a tool's results are evidence.

    It is one of `tools`, or, where none are named, has "search" in its name.
    """
    return name in tools if tools is not None else "search" in name.casefold()


def checked_tools(tools: Collection[str] | None) -> Collection[str] | None:
    """Return the tools' names; a text would be read letter by letter.

    Raises:
        BadInput: for anything but a collection.
    """
    if isinstance(tools, str) or not isinstance(tools, Collection | None):
        raise wrong_part(tools, name="tools", give='a list of names, such as ["web_search"]')
    return tools


def results_of(output: Any, *, now: datetime, tool: str, date_field: DateField = ()) -> tuple[Evidence, ...]:
    """Return a tool's results, best first, of its artifact or content.

    Their channel is the tool: an address in its results is its own word. `date_field` is that of documents; a page of
    results has fields of its own.

    Raises:
        SearchFailed: for prose, which holds no list of results.
    """
    if isinstance(output, Document):
        return (evidence_of(output, channel=tool, date_field=date_field),)
    if _are_documents(output):
        return tuple(evidence_from(output, channel=tool, date_field=date_field))
    artifact = getattr(output, "artifact", None)
    if _are_documents(artifact):
        return tuple(evidence_from(artifact, channel=tool, date_field=date_field))
    content = artifact or getattr(output, "content", output)
    if _are_dated(content):
        # A page has no kinds of results: a store's facts would look like news.
        with suppress(BadInput):
            return tuple(evidence_of_all(content["results"], channel=tool))
    written = dated_passages(content) if isinstance(content, str) else ()
    found = written or page_of(content, now=now, engine=tool).evidence
    return tuple(each.model_copy(update={"channel": tool}) for each in found)


def read_results(
    message: ToolMessage, *, now: datetime, tools: Collection[str] | None, date_field: DateField = ()
) -> tuple[Evidence, ...]:
    """Return the evidence in a tool's message, best first.

    None where it holds no results or is not to be looked at.

    Documents in an artifact are results whatever the tool is called.
    """
    if message.status == "error":
        return ()
    if is_report(message.artifact):
        return _of_report(message.artifact["evidence"], tool=message.name or "tool")
    if not searches(message.name or "", tools) and not (tools is None and _are_documents(message.artifact)):
        if tools is None:
            _look_for_dates(message, now=now)
        return ()
    try:
        return results_of(message, now=now, tool=message.name or "the tool", date_field=date_field)
    except SearchFailed:
        _warn_of_prose(message.name or "the tool")
        return ()


def _look_for_dates(message: ToolMessage, *, now: datetime) -> None:
    """Warn of dated results that are not taken for evidence."""
    with suppress(SearchFailed):
        if any(each.published is not None for each in results_of(message, now=now, tool=message.name or "the tool")):
            _warn_of_unread(message.name or "the tool")


def _warn_of_unread(tool: str) -> None:
    warn_once(
        _LOG,
        f"What {tool!r} gives is dated, but the tool is no search by its name: nothing in it is left out as later; where it "
        "is evidence, name it in tools=.",
    )


def _warn_of_prose(tool: str) -> None:
    warn_once(
        _LOG,
        f"What {tool!r} found is prose: it carries no dates of its parts, and nothing in it is left out as later; let the tool "
        "give documents as its artifact, or JSON with text and date.",
    )


def is_report(artifact: Any) -> bool:
    """Return whether an artifact is a report, whose evidence is dated already."""
    return isinstance(artifact, Mapping) and {"asked", "evidence", "freshness"} <= artifact.keys()


def _of_report(shown: Any, *, tool: str) -> tuple[Evidence, ...]:
    used = [each for each in shown if isinstance(each, Mapping) and each.get("used")] if isinstance(shown, list) else []
    try:
        return tuple(evidence_of_all(used, ids=[str(each.get("id") or "") for each in used], channel=tool))
    except BadInput as problem:
        _LOG.warning("The report of %r is not read: %s", tool, problem)
        return ()


def _are_dated(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether they are the results of `search_as_of`."""
    results = value.get("results") if isinstance(value, Mapping) and "as_of" in value else None
    return isinstance(results, list) and all(
        isinstance(each, Mapping) and {"id", "text", "kind"} <= each.keys() for each in results
    )


def _are_documents(value: Any) -> TypeGuard[Sequence[Document]]:
    return isinstance(value, Sequence) and bool(value) and all(isinstance(each, Document) for each in value)
