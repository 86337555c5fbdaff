"""Mails: the headers people read, and the body."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage, MIMEPart
from itertools import islice
from typing import Any

from dateline.documents.fields import Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.errors import BadInput
from dateline.formats.given import GivenFile
from dateline.formats.html_page import read_html_part
from dateline.text.mail_heads import ATTACHED, SHOWN

PARTS = 1000
"""Parts of a mail; the standard library takes a millisecond for each. Chosen by hand."""

_BOUNDARY = re.compile(rb"boundary\s{0,3}=\s{0,3}\"?([^\"\s;]{1,70})", re.I)


def read_mail(file: GivenFile) -> list[RawDocument]:
    """Read a mail, dated by its header; attachments are named."""
    borders = set(islice((match[1] for match in _BOUNDARY.finditer(file.data)), PARTS))
    if sum(file.data.count(b"\n--" + border) for border in islice(borders, 50)) > PARTS or len(borders) > 50:
        raise BadInput(f"has more than {PARTS:,} parts")
    message = email.message_from_bytes(file.data, policy=email.policy.default)
    heads = {name: said for name in (*SHOWN, "Subject", "Date") if (said := _header(message, name))}
    lines = [f"{name}: {heads[name]}" for name in SHOWN if name in heads]
    attached = ", ".join(name for part in message.iter_attachments() if (name := part.get_filename()))
    lines += [f"{ATTACHED}: {attached}"] if attached else []
    body = _body(message)
    if not body and not heads:
        return []
    text = "\n\n".join(part for part in ("\n".join(lines), body) if part)
    given = {name.lower(): said for name, said in heads.items() if name in ("Subject", "Date")}
    return [raw_of(text, fields=Fields(given), place="mail", rules=file.rules, file=file.name)]


def _header(message: EmailMessage, name: str) -> str:
    try:
        value: Any = message[name]
    except (ValueError, LookupError, TypeError, AttributeError):  # The standard library's parser of odd headers.
        value = dict(message.raw_items()).get(name, "")
    return " ".join(str(value or "").split())


def _body(message: EmailMessage) -> str:
    """Return what the plain part says, else the one in HTML."""
    parts = (message.get_body(preferencelist=(kind,)) for kind in ("plain", "html"))
    return next((text for part in parts if part is not None and (text := _said(part))), "")


def _said(part: MIMEPart) -> str:
    try:
        text = str(part.get_content())
    except LookupError:  # an encoding that nobody knows
        payload = part.get_payload(decode=True)
        text = payload.decode("latin-1") if isinstance(payload, bytes) else ""
    return read_html_part(text) if part.get_content_type() == "text/html" else text.strip()
