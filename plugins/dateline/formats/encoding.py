"""Text out of files whose encoding nobody stated."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from dateline.errors import BadInput

_STATED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})""", re.I)

_BROADER = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""Encoding -> the one that browsers read in its place, which has all of its characters and more."""

_PLAIN = b"xn--nxasmq6b.+AGE-\\x41\\u0041"
"""ASCII that encodings of names, escapes and wide characters read otherwise."""


def decode(data: bytes) -> str:
    """Decode bytes of unknown encoding.

    Their mark decides, else whether they are UTF-8, else what their head states; the rest is cp1252.

    Raises:
        BadInput: for binary data.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    if b"\0" in data[:8192]:
        raise BadInput("is binary")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _as_stated(data) or data.decode("cp1252", errors="replace")


def _as_stated(data: bytes) -> str:
    """Decode by the encoding that a page or XML states, or return ""."""
    stated = _STATED.search(data[:2048])
    if stated is not None:
        with suppress(LookupError, UnicodeError):
            name = codecs.lookup(stated[1].decode()).name
            name = _BROADER.get(name, name)
            if _PLAIN.decode(name) == _PLAIN.decode():
                return data.decode(name)
    return ""
