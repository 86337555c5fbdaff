"""Regular files, written whole and for their owner alone."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from dateline.errors import BadInput
from dateline.limits import FILE_BYTES

_MAKING = Lock()


def expanded(path: Path | str) -> Path:
    """Return a path with `~` written out.

    Raises:
        BadInput: where nobody of that name is known.
    """
    try:
        return Path(path).expanduser()
    except RuntimeError as cause:
        raise BadInput(f"There is no home folder for {str(path)!r}; write the path out.") from cause


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read its bytes.

    Raises:
        OSError: for a device, a pipe or a socket too, through a link as well; a pipe is not waited for.
    """
    _check_regular(os.stat(path))
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        _check_regular(os.fstat(handle))
        return os.fdopen(handle, "rb")
    except OSError:
        os.close(handle)
        raise


def read_bytes(path: Path, *, limit: int = FILE_BYTES) -> bytes:
    """Read a regular file of at most `limit` bytes, or raise `OSError`."""
    with open_regular(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 2**20} MiB")
    return data


def read_lines(file: BinaryIO, *, limit: int = FILE_BYTES) -> Iterator[bytes | None]:
    """Read lines; `None` stands for one longer than `limit`.

    Such a line is never held whole.
    """
    while line := file.readline(limit):
        if len(line) == limit and not line.endswith(b"\n"):
            while (rest := file.readline(limit)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield line


def make_folder(path: Path) -> None:
    """Make missing folders down to this one, for their owner alone."""
    for each in (*reversed(path.parents), path):
        if not each.is_dir():
            with suppress(FileExistsError):
                each.mkdir(mode=0o700)
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def make_file(path: Path) -> None:
    """Make a missing file for its owner alone; refuse a link."""
    check_no_link(path)
    # A file that is there is not opened: closing it would end the locks that SQLite holds on it in this process.
    with _MAKING, suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file whole or not at all.

    It is written beside its place and moved there.

    It is for its owner alone. A link in its place is refused, neither followed nor replaced.
    """
    check_no_link(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".dateline-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text in UTF-8, or bytes, as `whole_file` does."""
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_no_link(path: Path) -> None:
    """Raise `OSError` for a link, which is never written through."""
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link; name the file itself", str(path))


@contextmanager
def locked(file: BinaryIO, *, wait: bool = True) -> Iterator[None]:
    """Hold a file, one process at a time.

    Where the system has no locks, nothing is held.

    Raises:
        BlockingIOError: without `wait`, where another holds it.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def identity(path: Path) -> tuple[int, int] | None:
    """Return the identity of a file or folder; `None` if gone.

    Another of the same name has another identity.
    """
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _check_regular(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
