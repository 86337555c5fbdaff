"""Names of files and addresses, told from other text."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote

from dateline.language.word_lists import word_set

ENDINGS = word_set(
    "csv doc docx eml epub htm html ipynb json jsonl log markdown md msg ndjson odp ods odt org pdf ppt pptx rst "
    "rtf srt tex text tsv txt vtt xls xlsx xml yaml yml"
)
"""Endings of files that hold documents; `reuters.com` is no file."""

_ADDRESS = re.compile(r"(?:https?|ftp|s3|gs)://\S+", re.I)


def is_address(text: str) -> bool:
    """Return whether a text is a web or file-store address."""
    return _ADDRESS.fullmatch(text) is not None


def file_name(text: str) -> str:
    """Return a file path's last part; other text unchanged."""
    if is_address(text):
        return text
    path = unquote(text.removeprefix("file://")) if text.startswith("file:") else text
    last = PurePosixPath(path.replace("\\", "/")).name
    return last if _is_file(last) else text


def stem_of(text: str) -> str:
    """Return a file's name without folders and ending, or ""."""
    last = file_name(text)
    return PurePosixPath(last).stem if _is_file(last) else ""


def _is_file(name: str) -> bool:
    stem, _, ending = name.rpartition(".")
    return bool(stem) and ending.lower() in ENDINGS and not is_address(name)
