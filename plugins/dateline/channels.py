"""Channels: what a document came through, as told by what loaded it.

A folder of a library, the host of a fetched address, a retriever, a tool. A document writes its own source, date and
title; its channel it cannot write.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from urllib.parse import urlsplit

from dateline.language.word_lists import word_set

GIVEN = "given"
"""The channel of what a caller hands over without naming one."""

_SHARED = word_set("ac co com edu gob go gouv gov govt gv ltd me mil ne net nhs nic nom or org plc police sch")
"""Second levels below a country (co.uk, com.au) that many publishers share. A list, since whoever owns xyz.io makes a.xyz.io and
b.xyz.io; two publishers below a missing one count as one."""

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
"""What stands as it is in a channel that has no folders: neither marks that part it nor capitals, which are not told apart."""

_LONGEST_HOST = 253
"""Characters of a host's name (RFC 1035); what is longer is none."""


def channel_of_file(file: PurePath, *, root: Path, library: str = "") -> str:
    """Return a file's channel: the library, and the first folder in it.

    Args:
        library: its name; empty: that of the folder, or of the file where `root` is one.
    """
    folders = file.relative_to(root).parts[:-1]
    return "/".join((library_name(root.resolve(), name=library), *folders[:1]))


def library_name(folder: PurePath, *, name: str = "") -> str:
    """Return a library's name, by default that of its folder or file."""
    return name or folder.name or "files"


def renamed(channel: str, *, old: str, new: str) -> str:
    """Return a channel of a library that has another name now.

    Example:
        >>> renamed("notes/gazette", old="notes", new="archive"), renamed("gazette.example", old="notes", new="archive")
        ('archive/gazette', 'gazette.example')
    """
    return f"{new}{channel[len(old) :]}" if channel == old or channel.startswith(f"{old}/") else channel


def host_of(url: str) -> str:
    """Return an address's host without `www.`, or nothing."""
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.").rstrip(".")
    except ValueError:
        return ""
    return host if len(host) <= _LONGEST_HOST else ""


def without_folders(name: str) -> str:
    """Write a name as a channel with none above or below.

    Example:
        >>> [without_folders(name) for name in ("ana", "ana/2", "Ana")]
        ['ana', 'ana%2f2', '%41na']
    """
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in name.encode(errors="surrogatepass"))


def names_of(channel: str) -> tuple[str, ...]:
    """Return the names that mean a channel, in lower case.

    Itself, the folders above it, and the domains above it: `news.gazette.example` goes by `gazette.example` too.
    """
    name = channel.casefold()
    folders, labels = name.split("/"), name.split(".")
    above = ["/".join(folders[:end]) for end in range(1, len(folders))]
    above += [".".join(labels[start:]) for start in range(1, len(labels) - 1)] if len(folders) == 1 else []
    return (name, *above)


def publisher_of(channel: str) -> str:
    """Return what makes two channels one source: a host's registered domain.

    Its owner makes as many hosts below it as he likes. Hosts that many people share (github.io) count as one.
    """
    name = channel.casefold()
    labels = name.split(".")
    if "/" in name or len(labels) < 3 or labels[-1].isdecimal():
        return name
    return ".".join(labels[-3 if len(labels[-1]) == 2 and labels[-2] in _SHARED else -2 :])
