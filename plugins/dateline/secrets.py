"""Keys taken out of text and logs that others write."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

MAX_MESSAGE = 300
"""Characters of a foreign message that are shown."""

_NAMES = r"(?:api[_-]?key|key|token|secret|passwords?|passwd|passphrase|pwd|credentials?)"
# What is a key by its shape alone, wherever it stands. Lengths are bounded where a search could start at every character.
_SHAPES = (
    # SQLAlchemy takes a password with "/", "?" or "#" in it.
    r"(?P<address>\b\w[\w+.-]{0,30}://)(?:[^\s/?#]*|[^\s/?#:@]{0,100}:(?!\d{1,5}/)[^\s@]{1,200})@"
    rf"|(?P<field>[?&;][\w.-]{{0,40}}(?:{_NAMES}|auth|sig|signature)=)[^\s&#\"'<>]+"
    r"|\b(?:AKIA|ASIA|AIza)[\w-]{12,}"
    r"|\b(?:sk|pk|rk|gsk|xai|hf|r8|npm|pypi|nvapi|pplx|tvly|lsv2|glpat|gh[opsur]|github_pat|xox[abeoprs])"
    r"[-_](?=[\w-]{0,100}\d)[\w-]{12,}"
    r"|\beyJ[\w-]{8,500}\.[\w.-]+"
    r"|\bbearer\s+(?=\S{0,100}\d)[^\s,;\"']{8,}"
)
# What may be one, in a message whose writer we do not know. A quoted name before a comma is one of a list of names.
_LIKELY = (
    r"|\b(?:proxy-)?authorization\b[\"']?\s*[:=]\s*[\"']?(?:\w[\w-]*[ \t]+)?[^\s\"',]+"
    r"|\b(?:bearer|basic)\s+\S+"
    rf"|\b\w*{_NAMES}\b"
    r"(?:[\"'`]?\s*[:=]\s*(?:[\"'`][^\"'`]{1,200}[\"'`]|\S+)"
    r"|(?:\s+(?:is|was|of|provided))?(?![\"'`],)\W{1,4}(?:(?<=[\"'`])[^\"'`\s][^\"'`]{0,200}[\"'`]|(?=\S{0,100}\d)\S+))"
    r"|\b[\w.+-]+:[^\s/@]+(?=@[\w-])"
    r"|\b(?:sk|gsk|hf|gh[opsur]|xox[abeoprs])[-_][\w-]{6,}"
    r"|\b[\w-]{28,}\b"
)
_SURE, _ANY = re.compile(_SHAPES, re.I), re.compile(_SHAPES + _LIKELY, re.I)


def masked(text: str) -> str:
    """Return text with keys, known by their shape, replaced by `***`.

    Users and passwords of addresses, their password fields, keys of known forms, bearer tokens.

    Example:
        >>> masked("postgresql://ana:s3cret@db/facts?password=s3cret")
        'postgresql://***@db/facts?password=***'
    """
    return _SURE.sub(_stars, text)


def without_secrets(text: str) -> str:
    """Return a foreign message on one line, with `***` for keys."""
    return _ANY.sub(_stars, " ".join(text.split())[: MAX_MESSAGE * 4])[:MAX_MESSAGE]


def first_line(told: object) -> str:
    """Return what an error tells on its first line, without keys.

    Where it has no text, its name.
    """
    return without_secrets((str(told).strip() or type(told).__name__).splitlines()[0])


def _stars(found: re.Match[str]) -> str:
    kept = found.groupdict()
    if kept.get("address"):
        return f"{kept['address']}***@"
    return f"{kept.get('field') or ''}***"


@dataclass(frozen=True)
class _KeyFilter(logging.Filter):
    """Replaces a key in the lines of one logger.

    Equal filters are added once.
    """

    key: str

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if self.key in message:
            record.msg, record.args = message.replace(self.key, "***"), None
        return True


def hide_from_logs(key: str, *, logger: str) -> None:
    """Keep a key out of a library's log.

    HTTP clients write whole addresses when debugging is on.
    """
    logging.getLogger(logger).addFilter(_KeyFilter(key))
