"""Search engines by way of SerpAPI, through its own client."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from dateline.errors import BadInput, SearchFailed, require
from dateline.evidence.select import best
from dateline.evidence.serp import SerpPage, parse_page
from dateline.protocols import Search, SearchResult
from dateline.search.pages import known_on
from dateline.search.time_range import second_look
from dateline.secrets import hide_from_logs
from dateline.temporal.as_of import now
from dateline.temporal.interval import Interval

QUERY_FIELDS: Mapping[str, str] = {
    "yahoo": "p",
    "yandex": "text",
    "naver": "query",
    "youtube": "search_query",
    "ebay": "_nkw",
}
"""Engines whose query does not go by the name of `q`."""

NUMBERED_ENGINES = frozenset({"google", "google_light"})
"""Engines that can be asked for more than ten results a page."""

MAX_PAUSE = 8.0
"""Seconds; no single pause between tries is longer, whatever the server asks for."""


class SerpApiClient(Protocol):
    """The part of `serpapi.Client` that is used."""

    def search(self, params: dict[str, Any], **options: Any) -> Any:
        """Return the decoded response.

        A mapping, or text where it was not JSON.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Failure:
    """The reason for a failed try, without the address and its key."""

    reason: str
    retry: bool = False
    pause: float | None = None


class SerpApiSearch(Search):
    """A SerpAPI engine behind the `Search` protocol.

    A second query asks Google, Bing or DuckDuckGo for the window of time a question is about, or for what existed
    before a past asking day; undated results of the first stay in play.

    Example:
        >>> SerpApiSearch(api_key="")
        Traceback (most recent call last):
            ...
        dateline.errors.BadInput: SerpAPI needs a key; set SERPAPI_API_KEY or pass api_key=.
    """

    def __init__(
        self,
        *,
        api_key: str = "",
        engine: str = "google",
        client: SerpApiClient | None = None,
        base_url: str = "",
        parameters: Mapping[str, str] | None = None,
        timeout: float = 20.0,
        tries: int = 3,
        pause: float = 0.5,
        second_query: bool = True,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], datetime] = now,
    ) -> None:
        """Open a client, or take one.

        Args:
            api_key: SerpAPI's key; not needed with `client`.
            engine: one of SerpAPI's engines, such as google, google_light, google_news, bing, duckduckgo.
            base_url: another server that speaks SerpAPI's JSON.
            parameters: further parameters of the engine, such as hl, gl, location.
            timeout: seconds to wait for one answer.
            tries: how often one query is sent at most, when the server is busy or cannot be reached.
            pause: seconds before the second try; doubled for each further one.
            second_query: whether to look twice where the question or the asking day says when.
            clock: the moment of a search whose response does not say it, to which relative dates refer.

        Raises:
            BadInput: for an empty key, engine or a number out of range.
            MissingExtra: when the package `serpapi` is not installed.
        """
        if client is None and not api_key.strip():
            raise BadInput("SerpAPI needs a key; set SERPAPI_API_KEY or pass api_key=.")
        if not engine:
            raise BadInput("SerpAPI needs an engine; use for example engine='google'.")
        if tries < 1 or timeout <= 0 or pause < 0:
            raise BadInput(
                f"tries={tries}, timeout={timeout} and pause={pause} must be at least 1, above 0 and at least 0."
            )
        self.engine = engine
        self._key = api_key.strip()
        self._client = client if client is not None else _open_client(self._key, base_url, timeout)
        self._parameters = dict(parameters or {})
        self._tries = tries
        self._pause = pause
        self._second_query = second_query
        self._sleep = sleep
        self._clock = clock

    def __repr__(self) -> str:
        return f"SerpApiSearch(engine={self.engine!r})"

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the page's `k` best pieces of evidence known at `as_of`.

        Raises:
            SearchFailed: when the key, the quota or the query is refused, or every try failed.
        """
        started = time.perf_counter()
        first = self._ask(query, k, {})
        pages, notes, limits = [first], [], None
        if self._second_query:
            limits = second_look(self.engine, as_of=as_of, window=window, searched_at=first.searched_at)
        if limits:
            # Beside the first answer, never instead of it.
            try:
                pages.append(self._ask(query, k, limits))
            except SearchFailed as error:
                notes.append(f"when asked for a range of days, {str(error).rstrip('.')}")
        evidence, skipped = known_on(pages, as_of=as_of)
        return SearchResult.ranked(
            best(evidence, k=k), skipped=[*skipped, *notes], started=started, searches=1 + bool(limits)
        )

    # -- one query ----------------------------------------------------------------------------

    def _ask(self, query: str, k: int, extra: Mapping[str, str]) -> SerpPage:
        name = QUERY_FIELDS.get(self.engine, "q")
        parameters = {"engine": self.engine, name: query, **self._parameters, **extra}
        if self.engine in NUMBERED_ENGINES and k > 10:
            parameters.setdefault("num", str(min(k, 100)))
        failure = _Failure("was never asked")
        for number in range(self._tries):
            answer = self._try(parameters)
            if isinstance(answer, Mapping):
                return parse_page(answer, now=self._clock(), engine="serpapi")
            failure = answer
            if not failure.retry or number + 1 == self._tries:
                break
            self._sleep(min(MAX_PAUSE, failure.pause if failure.pause is not None else self._pause * 2**number))
        times = f" after {self._tries} tries" if failure.retry and self._tries > 1 else ""
        raise SearchFailed(f"SerpAPI ({self.engine}) {failure.reason}{times}.")

    def _try(self, parameters: Mapping[str, str]) -> Mapping[str, Any] | _Failure:
        """Send one request and return any error as a value.

        No traceback then carries the address and its key.
        """
        try:
            answer = self._client.search(dict(parameters))
        except Exception as error:
            return self._failure(error)
        body = getattr(answer, "data", answer)
        if not isinstance(body, Mapping):
            kind = "an HTML page" if isinstance(body, str) and "<" in body[:200] else "something that is not whole JSON"
            return _Failure(f"sent {kind} instead of results", retry=True)
        message = body.get("error")
        if message and not _is_empty_page(message):
            return self._refusal(200, str(message))
        return body

    def _failure(self, error: Exception) -> _Failure:
        status = getattr(error, "status_code", None)
        response = getattr(error, "response", None)
        if response is not None and not isinstance(status, int):
            status = getattr(response, "status_code", None)
        name = type(error).__name__
        if isinstance(status, int) and status > 0:
            pause = _seconds(getattr(response, "headers", {}))
            return self._refusal(status, str(getattr(error, "error", "") or ""), pause=pause)
        if "Timeout" in name or "timed out" in str(error):
            return _Failure("did not answer in time", retry=True)
        if "Connection" in name:
            return _Failure("could not be reached", retry=True)
        if isinstance(error, TypeError | ValueError) or "Encoding" in name:
            # The client could not make an object of the body.
            return _Failure("sent something that is not whole JSON instead of results", retry=True)
        return _Failure(f"failed with {name}")

    def _refusal(self, status: int, message: str, *, pause: float | None = None) -> _Failure:
        said = self._without_key(message)
        lowered = said.lower()
        if status == 401 or "invalid api key" in lowered:
            return _Failure("refused the API key; check SERPAPI_API_KEY at serpapi.com/manage-api-key")
        if "run out of searches" in lowered or "plan searches" in lowered:
            return _Failure("says that the account's searches are used up; wait for the next period or change the plan")
        if status == 429:
            return _Failure("is asked too often for this account (429)", retry=True, pause=pause)
        if status == 403:
            return _Failure("refuses this account or address (403)")
        if status >= 500:
            return _Failure(f"had an error of its own ({status})", retry=True, pause=pause)
        return _Failure(f"refused the query ({status})" + (f": {said.rstrip('.')}" if said else ""))

    def _without_key(self, text: str) -> str:
        text = " ".join(text.split())
        return (text.replace(self._key, "***") if self._key else text)[:300]


def _open_client(api_key: str, base_url: str, timeout: float) -> SerpApiClient:
    serpapi = require("serpapi", package="serpapi", extra="serpapi")
    hide_from_logs(api_key, logger="urllib3.connectionpool")
    client = serpapi.Client(api_key=api_key, timeout=timeout)
    if base_url:
        client.BASE_DOMAIN = base_url.rstrip("/")
    opened: SerpApiClient = client
    return opened


def _is_empty_page(error: object) -> bool:
    """Return whether a response reports a query without results.

    SerpAPI reports it in the field that otherwise holds errors.
    """
    return "hasn't returned any results" in str(error) or "no results" in str(error).lower()


def _seconds(headers: Any) -> float | None:
    try:
        return max(0.0, float(headers.get("Retry-After")))
    except (TypeError, ValueError, AttributeError):
        return None
