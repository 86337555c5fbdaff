"""Tokens of a server: who shows one is known by its name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, MutableMapping
from hmac import compare_digest

from dateline_graphs.server.config import LOCAL_USER, ServerConfig

VARIABLE = "DATELINE_TOKEN"
"""Holds the one token of a server whose configuration names no users."""

WITHOUT = (
    f"This server has no token, so it answers nobody; start it with `make studio`, set {VARIABLE}, "
    "or give dateline.toml [users]."
)
WRONG = "Send the header 'Authorization: Bearer TOKEN' with your token, or put /as/TOKEN before the path."


def token_of_start(environment: MutableMapping[str, str] = os.environ) -> str:
    """Return the server's one token, made for this start if missing."""
    if not environment.get(VARIABLE):
        environment[VARIABLE] = secrets.token_urlsafe(32)
    return environment[VARIABLE]


class UserTokens:
    """Users by their tokens.

    Example:
        >>> from dateline_graphs.server import ServerConfig
        >>> tokens = UserTokens(ServerConfig(users={"ann": {"token": "t"}}))
        >>> tokens.identity({"authorization": "Bearer t"}), tokens.identity({"authorization": "Bearer u"})
        ('ann', None)
    """

    def __init__(self, config: ServerConfig, *, environment: Mapping[str, str] = os.environ) -> None:
        named = {name: user.token.get_secret_value() for name, user in config.users.items()}
        own = {LOCAL_USER: environment[VARIABLE]} if environment.get(VARIABLE) else {}
        self._tokens = {name: token.encode() for name, token in (named or own).items()}

    @property
    def refusal(self) -> str:
        """Return the sentence for whoever shows none of them."""
        return WRONG if self._tokens else WITHOUT

    def identity(self, headers: Mapping[str, str]) -> str | None:
        """Return who shows a token in the headers, or `None`."""
        scheme, _, shown = headers.get("authorization", "").partition(" ")
        # Every token is compared, each in constant time: how long it takes tells nothing about any of them.
        found = [name for name, token in self._tokens.items() if compare_digest(token, shown.strip().encode("latin-1"))]
        return found[0] if found and scheme.lower() == "bearer" else None
