"""Output files of commands: checked before the work, written whole after it."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path

from dateline import BadInput, files

PAGE = '<meta name="generator" content="dateline">'
"""What every page of ours begins with."""

_BEGINNING = 4096
"""Bytes within which a file shows what it is."""

_GZIP = b"\x1f\x8b"


def check_target(target: Path | None, *, what: str, mark: str | None, within: int = _BEGINNING) -> None:
    """Raise `BadInput` where no file can be written.

    Args:
        what: names the file in the error.
        mark: what such a file has in its beginning; one that is there without it is somebody else's, and stays. `None`
            is for files that are gone on with: whoever does that looks at them.
        within: bytes of the beginning, of a kind that shows later what it is.
    """
    if target is None:
        return
    folder = target.absolute().parent
    if target.is_dir():
        raise BadInput(f"Cannot write {what} to {target}: it is a folder; name a file in it.")
    if target.is_symlink() and not (target.exists() and not target.is_file()):
        raise BadInput(f"Cannot write {what} to {target}: it is a link; name the file itself.")
    if not folder.is_dir():
        raise BadInput(f"Cannot write {what} to {target}: its folder does not exist.")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise BadInput(f"Cannot write {what} to {target}: it is not yours to write.")
    if mark and target.is_file() and (held := _beginning(target, within)) and mark.encode() not in held:
        raise BadInput(f"Cannot write {what} to {target}: it holds something else; name another file.")


def _beginning(file: Path, size: int) -> bytes:
    try:
        with file.open("rb") as opened:
            held = opened.read(size)
        if not held.startswith(_GZIP):
            return held
        with gzip.open(file) as unpacked:
            return unpacked.read(size)
    except (OSError, EOFError, zlib.error):
        return b"?"


def check_folder(folder: Path, *, what: str) -> None:
    """Raise `BadInput` where no folder can be made or written there."""
    above = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    if not above.is_dir():
        raise BadInput(f"Cannot write {what} to {folder}: {above} is a file; name a folder.")
    try:
        files.make_folder(folder)
    except OSError as cause:
        raise BadInput(f"Cannot write {what} to {folder}: {cause.strerror or cause}.") from cause


def write_whole(target: Path, *, text: str, what: str) -> None:
    """Write a file whole, so that a killed run leaves no half.

    Raises:
        BadInput: where it cannot be written.
    """
    try:
        # What is no regular file, /dev/stdout say, has no other to take its place.
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
        else:
            files.write_whole(target, text)
    except OSError as cause:
        raise BadInput(f"Cannot write {what} to {target}: {cause.strerror or cause}.") from cause
