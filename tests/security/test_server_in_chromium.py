"""A page of a foreign origin, in a real browser: it gets nothing from the server and changes nothing there."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from served import Served, serving

pytest.importorskip("langgraph_api")
sync_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here; pip install playwright")
httpx = pytest.importorskip("httpx")

pytestmark = pytest.mark.timeout(300)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TOKEN = "of-this-start"
# Every name is this machine, as it is for a page whose name server has turned (DNS rebinding).
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--host-resolver-rules=MAP * 127.0.0.1", "--disable-features=LocalNetworkAccessChecks",
]  # fmt: skip
FETCH = """async ([url, given]) => {
    try {
        const answer = await fetch(url, given);
        return `${answer.type} ${answer.status} ${await answer.text()}`;
    } catch (error) { return "failed"; }
}"""
SOCKET = """url => new Promise(done => {
    const socket = new WebSocket(url);
    socket.onopen = () => done("open");
    socket.onclose = () => done("closed");
})"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served"), "", DATELINE_TOKEN=TOKEN) as served:
        yield served


@pytest.fixture(scope="module")
def evil() -> Iterator[str]:
    """A site of somebody else's."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>evil</title>")

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://evil.example:{site.server_port}/"
        site.shutdown()


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    path = os.environ.get("DATELINE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium here; install one (apt-get install chromium) or name it in DATELINE_CHROMIUM")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS, timeout=60_000)
        page = browser.new_page()
        page.set_default_timeout(60_000)
        yield page
        browser.close()


JSON = {"Content-Type": "application/json"}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("/info", {}),
    ("/deploy", {"method": "POST"}),
    ("/internal/truncate", {"method": "POST"}),
    ("/threads", {"method": "POST", "body": "{}"}),
    ("/threads", {"method": "POST", "body": "{}", "headers": JSON}),
    ("/threads", {"method": "POST", "body": "{}", "headers": {**JSON, "Authorization": f"Bearer {TOKEN}"}}),
    ("/threads", {"method": "POST", "body": "{}", "headers": {**JSON, "x-auth-scheme": "langsmith"}}),
    (f"/as/{TOKEN}/threads", {"method": "POST", "body": "{}"}),
    (f"/as/{TOKEN}/threads", {"method": "POST", "body": "{}", "headers": JSON}),
    (f"/as/{TOKEN}/threads", {"method": "POST", "body": "{}", "mode": "no-cors"}),
    (f"/as/{TOKEN}/threads/search", {"method": "POST", "body": "{}", "headers": JSON, "credentials": "include"}),
    (f"/as/{TOKEN}/info", {}),
]
"""With the token too: a page that has seen it still cannot use it from its own origin."""


def threads(server: Served) -> list[Any]:
    answer = httpx.post(f"{server.as_(TOKEN)}/threads/search", json={})
    assert answer.status_code == 200
    return list(answer.json())


def test_a_page_of_another_origin_reads_and_makes_nothing(server: Served, evil: str, page: Any) -> None:
    page.goto(evil)
    for path, given in REQUESTS:
        read = page.evaluate(FETCH, [f"{server.url}{path}", given])
        # A request that is sent without asking first comes back without its text ("opaque").
        assert read in ("failed", "opaque 0 "), (path, given)
    assert page.evaluate(SOCKET, f"{server.url.replace('http', 'ws')}/threads/x/stream/events") == "closed"
    assert threads(server) == []


def test_a_page_whose_name_turns_into_this_machine_reads_and_makes_nothing(server: Served, page: Any) -> None:
    rebound = server.url.replace("127.0.0.1", "evil.example")
    assert page.goto(f"{rebound}/ok").status == 421
    for path, given in REQUESTS:
        assert page.evaluate(FETCH, [path, given]).startswith("basic 421 "), (path, given)
    assert page.evaluate(SOCKET, f"{rebound.replace('http', 'ws')}/as/{TOKEN}/threads/x/stream/events") == "closed"
    assert threads(server) == []


def test_studio_reads_with_the_token_and_not_without(server: Served, page: Any) -> None:
    page.route("https://smith.langchain.com/**", lambda route: route.fulfill(body="<title>Studio</title>"))
    page.goto("https://smith.langchain.com/studio/")
    assert page.evaluate(FETCH, [f"{server.as_(TOKEN)}/info", {}]).startswith('cors 200 {"version"')
    search = {"method": "POST", "body": "{}", "headers": {**JSON, "x-auth-scheme": "langsmith"}}
    assert page.evaluate(FETCH, [f"{server.as_(TOKEN)}/assistants/search", search]).startswith("cors 200 [")
    assert page.evaluate(FETCH, [f"{server.url}/assistants/search", search]).startswith("cors 401 ")
