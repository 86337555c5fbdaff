"""Shipped weights: found, checked against the manifest, loaded once.

`models/` holds ONNX graphs with int8 weights, the tokenizer that they share, and `manifest.json`:
{"files": {name: {"sha256": ..., "size": bytes, "version": ...}}}. No torch and no network takes part.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal, get_args

from dateline.errors import BadInput, DamagedInstall, check_least
from dateline.files import read_bytes
from dateline.made_once import made_once
from dateline.reading.model_session import ModelSession
from dateline.text.threads import allowed_threads

Name = Literal["judge", "reader", "still"]
"""The graphs that ship."""

FOLDER = Path(__file__).parent / "models"
MANIFEST = "manifest.json"
TOKENIZER = "tokenizer.json"
_LARGEST = 2**30
"""Bytes of the largest weights that are read."""

_FIX = "install dateline again, or build it anew with `python training/{name}.py`"


def load_session(name: Name, *, threads: int = 2, folder: Path = FOLDER) -> ModelSession:
    """Open the model's session, once per number of threads.

    Raises:
        BadInput: when `threads` is below 1 or nothing of that name ships.
        DamagedInstall: when the file is missing or is not the one the manifest names.
    """
    if name not in get_args(Name):
        raise BadInput(f"There are no weights named {name!r}; choose one of {', '.join(get_args(Name))}.")
    check_least(1, threads=threads)
    return _session(name, allowed_threads(threads), folder)


def load_tokenizer(*, folder: Path = FOLDER) -> Any:
    """Load the tokenizer, a new one for each caller.

    It neither truncates nor pads; callers may change that.

    Raises:
        DamagedInstall: when the file is missing or is not the one the manifest names.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(_checked(TOKENIZER, folder).decode())
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True  # "[SEP]" in a text is text
    tokenizer.no_padding()
    return tokenizer


def version(name: Name, *, folder: Path = FOLDER) -> str:
    """Return the version of the shipped weights from the manifest.

    Raises `DamagedInstall` where the manifest has none.
    """
    return str(_entry(f"{name}.onnx", folder)["version"])


@made_once(size=8)
def _session(name: Name, threads: int, folder: Path) -> ModelSession:
    return ModelSession(_checked(f"{name}.onnx", folder), threads=threads)


def _checked(file: str, folder: Path) -> bytes:
    """Read a shipped file and check it against the manifest."""
    entry, path = _entry(file, folder), folder / file
    try:
        data = read_bytes(path, limit=_LARGEST)
    except OSError as cause:
        raise DamagedInstall(f"{path} cannot be read ({cause.strerror}); {_fix(file)}.") from cause
    if len(data) != entry["size"] or hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise DamagedInstall(f"{path} is not the file that was shipped ({len(data)} bytes); {_fix(file)}.")
    return data


def _entry(file: str, folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        entry = json.loads(read_bytes(path))["files"][file]
        return {"sha256": str(entry["sha256"]), "size": int(entry["size"]), "version": str(entry["version"])}
    except (OSError, ValueError, KeyError, TypeError) as cause:
        raise DamagedInstall(
            f"{path} does not state {file} with its sha256, size and version; {_fix(file)}."
        ) from cause


def _fix(file: str) -> str:
    return "install dateline again" if file == TOKENIZER else _FIX.format(name=Path(file).stem)
