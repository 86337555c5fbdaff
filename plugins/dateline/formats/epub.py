"""Electronic books: their chapters in order, and the date that they state."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from dateline.documents.fields import Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.errors import BadInput
from dateline.formats.encoding import decode
from dateline.formats.given import GivenFile
from dateline.formats.html_page import read_html
from dateline.formats.xml_tree import local, parsed
from dateline.formats.zips import opened

_CONTAINER = "META-INF/container.xml"


def read_epub(file: GivenFile) -> list[RawDocument]:
    """Read an EPUB's chapters as one document.

    `dc:date` is its date; the day of its last change is none.
    """
    with opened(file.data) as book:
        rights = book.namelist()
        package_name = next(
            (each.get("full-path", "") for each in _xml(book, _CONTAINER).iter() if each.get("full-path")), ""
        )
        package = _xml(book, package_name)
        chapters = _chapters(package, folder=posixpath.dirname(package_name))
        if "META-INF/encryption.xml" in rights and _protected(_xml(book, "META-INF/encryption.xml")) & set(chapters):
            raise BadInput("is encrypted")
        texts = [read_html(decode(book.read(name))) for name in chapters if name in book.NameToInfo]
    said: dict[str, Any] = {}
    for each in package.iter():
        if local(each) in ("title", "date", "publisher") and (each.text or "").strip() and not _is_change(each):
            said.setdefault(local(each), (each.text or "").strip())
    text = "\n\n".join(f"## {page.title}\n\n{page.text}" if page.title else page.text for page in texts if page.text)
    raw = raw_of(text, fields=Fields(said), place="EPUB", rules=file.rules, file=file.name)
    return [replace(raw, source=file.name)]


def _is_change(date: Element) -> bool:
    return any(name.rpartition("}")[2] == "event" and said == "modification" for name, said in date.attrib.items())


def _xml(book: ZipFile, name: str) -> Element:
    try:
        return parsed(decode(book.read(name)))
    except KeyError:
        raise BadInput(f"is damaged (without {name or 'a package'})") from None


def _chapters(package: Element, *, folder: str) -> list[str]:
    places = {each.get("id"): each.get("href", "") for each in package.iter() if local(each) == "item"}
    order = [places.get(each.get("idref"), "") for each in package.iter() if local(each) == "itemref"]
    return [posixpath.normpath(posixpath.join(folder, unquote(href))) for href in order if href]


def _protected(encryption: Element) -> set[str]:
    return {unquote(each.get("URI", "")) for each in encryption.iter() if local(each) == "CipherReference"}
