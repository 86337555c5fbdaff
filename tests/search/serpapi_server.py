"""A local server that speaks SerpAPI's JSON, and says what it is told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Said:
    """One answer of the server."""

    body: Any = None
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: int = 0

    def data(self) -> bytes:
        raw = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        return raw[: -self.cut] if self.cut else raw


@dataclass
class Server:
    """Where it listens, what it will say (the last answer again and again), what it was asked."""

    url: str
    answers: list[Said]
    asked: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def serving(*answers: Said) -> Iterator[Server]:
    """A server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(dict(parse_qsl(urlsplit(self.path).query)))
            said = served.answers[min(len(served.asked), len(served.answers)) - 1]
            time.sleep(said.wait)
            data = said.data()
            try:
                self.send_response(said.status)
                self.send_header("Content-Type", said.content_type)
                for name, value in said.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Server(f"http://127.0.0.1:{server.server_address[1]}", list(answers))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
