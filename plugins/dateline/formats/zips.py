"""Files that are ZIP archives inside, within bounds."""

from __future__ import annotations

import io
import zipfile

from dateline.errors import BadInput

UNPACKED = 512 * 2**20
"""Bytes of an archive's members together, as it states them; reading stops where a member says it ends. Chosen by hand."""

MEMBERS = 20_000
"""Members of an archive; chosen by hand."""

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"


def opened(data: bytes) -> zipfile.ZipFile:
    """Open an archive.

    Raises:
        BadInput: for one that is encrypted, empty, damaged or unpacks to more than the bounds.
    """
    if not data:
        raise BadInput("is empty")
    if data.startswith(_OLD_OFFICE):
        raise BadInput("is encrypted, or of an Office before 2007")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as cause:
        raise BadInput("is damaged (no ZIP archive)") from cause
    members = archive.infolist()
    if len(members) > MEMBERS or sum(each.file_size for each in members) > UNPACKED:
        raise BadInput(f"unpacks to more than {UNPACKED // 2**20} MiB or {MEMBERS:,} members")
    if any(each.flag_bits & 1 for each in members):
        raise BadInput("is encrypted")
    return archive
