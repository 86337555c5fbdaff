"""XML without entities: feeds by their entries, other files whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

from dateline.documents.fields import Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.errors import BadInput
from dateline.formats.given import GivenFile
from dateline.formats.html_page import read_html_part
from dateline.language.word_lists import word_set

_ENTITY = re.compile(r"<!ENTITY", re.I)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_SPACE = re.compile(r"\s+")
_ENTRIES = frozenset({"item", "entry"})
_BODIES = ("encoded", "content", "description", "summary")
_PROSE = word_set("p para title simpara text body head div td li h1 h2 h3 item entry section chapter abstract")
"""Elements whose names say nothing about their text."""

_FIELDS_DEEP = 3
"""Levels below the root at which a document's own fields stand; chosen by hand."""


def parsed(text: str) -> Element:
    """Parse XML; entities, which multiply and read other files, are refused.

    Raises:
        BadInput: for them, and for what is not well-formed.
    """
    if _ENTITY.search(text) is not None:
        raise BadInput("declares entities, which are not read")
    # A text is decoded already, whatever its declaration says.
    try:
        return fromstring(_DECLARATION.sub("", text))
    except ParseError as cause:
        raise BadInput(f"is no well-formed XML ({cause})") from cause


def read_xml(file: GivenFile) -> list[RawDocument]:
    """Read an XML file; of a feed each entry is a document."""
    root = parsed(file.text)
    # A list or a table within an entry has items, too, which are none of the feed's.
    siblings = ([each for each in parent if local(each) in _ENTRIES] for parent in ([root], *map(list, root.iter())))
    entries = [each for some in siblings if any(map(_is_dated_entry, some)) for each in some]
    if entries:
        return [_entry(each, file) for each in entries]
    fields = Fields({**root.attrib, **dict(reversed(list(_leaves(root, depth=_FIELDS_DEEP))))})
    return [raw_of(text_of(root), fields=fields, place="XML", rules=file.rules, file=file.name)]


def local(element: Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def text_of(root: Element) -> str:
    """Write an element's text: prose as it is, data as `name: value`."""
    return "\n".join(_lines(root))


def _lines(root: Element) -> Iterator[str]:
    waiting = [root]
    while waiting:
        element = waiting.pop()
        children = list(element)
        is_mixed = any((child.tail or "").strip() for child in children)
        if not children or is_mixed:
            said = _SPACE.sub(" ", "".join(element.itertext())).strip()
            name = local(element)
            if said:
                yield said if is_mixed or name in _PROSE else f"{name}: {said}"
            continue
        if (element.text or "").strip():
            yield _SPACE.sub(" ", element.text or "").strip()
        waiting.extend(reversed(children))


def _leaves(root: Element, *, depth: int) -> Iterator[tuple[str, str]]:
    for child in root:
        if len(child) == 0 and (child.text or "").strip():
            yield local(child), (child.text or "").strip()
        elif depth > 1:
            yield from _leaves(child, depth=depth - 1)


def _is_dated_entry(element: Element) -> bool:
    return bool(Fields(dict(_leaves(element, depth=1))).dates("", ()))


def _entry(element: Element, file: GivenFile) -> RawDocument:
    said = dict(reversed(list(_leaves(element, depth=1))))
    links = [each.get("href", "") for each in element if local(each) == "link" and each.get("href")]
    said |= {"url": links[0]} if links else {}
    # Atom's content may be markup itself, in elements and not as a text.
    markup = {local(each): _markup(each) for each in element if len(each) and local(each) in _BODIES}
    bodies = (said.get(name) or markup.get(name, "") for name in _BODIES)
    text = max((read_html_part(body) if "<" in body else body for body in bodies), key=len)
    made = raw_of(
        text or said.get("title", "") or text_of(element), fields=Fields(said), place="feed", rules=file.rules
    )
    return made if made.source else replace(made, source=file.name)


def _markup(element: Element) -> str:
    """Write an element's markup without namespaces, which HTML has none of."""
    for each in element.iter():
        each.tag = local(each)
    return tostring(element, encoding="unicode")
