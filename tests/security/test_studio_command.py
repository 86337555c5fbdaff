"""`dateline studio`: the first click answers, and only for whoever has the token of this start."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, cast

import pytest

from dateline import DatelineError
from dateline_cli.main import main
from dateline_cli.studio import _up
from served import ROOT, free_port, write_langgraph

httpx = pytest.importorskip("httpx")
pytest.importorskip("langgraph_api")

pytestmark = pytest.mark.timeout(300)

SIGN = "Open in a browser: https://smith.langchain.com/studio/?baseUrl="


@contextmanager
def studio(folder: Path) -> Iterator[tuple[str, str]]:
    """Start it as a person does; yield the address it prints and what it had printed until then."""
    command = [sys.executable, "-m", "dateline_cli", "studio", "--port", str(free_port())]
    env = {name: value for name, value in os.environ.items() if not name.startswith("DATELINE_")}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                if (text := line.decode()).startswith(SIGN):
                    yield text.removeprefix(SIGN).split()[0], said
                    break
                said += text
            else:
                pytest.fail(said[-3000:])
        finally:
            process.terminate()
            process.communicate(timeout=30)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "corpus", tmp_path / "examples" / "corpus")
    write_langgraph(tmp_path)
    return tmp_path


def asked(address: str, **context: Any) -> Any:
    asks = {"question": "Who is the Prime Minister of the United Kingdom?", "as_of": "2019-01-15"}
    body = {"assistant_id": "answer", "input": asks, "context": context}
    return httpx.post(f"{address}/runs/wait", json=body, timeout=60)


def test_the_first_click_answers_and_the_token_is_of_this_start(checkout: Path) -> None:
    with studio(checkout) as (address, said):
        server, token = address.split("/as/")
        assert len(token) >= 32
        assert token not in said
        assert asked(address).json()["report"]["answer"] == "Theresa May"
        assert asked(address, store="facts").json()["report"]["answer"] == "Theresa May"
        assert asked(server).status_code == 401
    own = checkout / ".dateline" / "studio"
    assert (own / "facts").is_dir()
    made = [checkout / ".dateline", *(checkout / ".dateline").rglob("*")]
    assert [path for path in made if path.stat().st_mode & 0o077] == []
    # A configuration of one's own takes its place; the users in it have tokens of their own.
    (own / "dateline.toml").write_text("nonsense", encoding="utf-8")
    users = 'libraries.mine.path = "examples/corpus"\nusers.ann.token = "token-of-ann"\n'
    (checkout / "dateline.toml").write_text(users, encoding="utf-8")
    with studio(checkout) as (address, said):
        assert address.endswith("/as/TOKEN")
        assert asked(address).status_code == asked(f"{address.removesuffix('TOKEN')}{token}").status_code == 401
        assert asked(f"{address.removesuffix('TOKEN')}token-of-ann").json()["report"]["answer"] == "Theresa May"


def test_the_folder_of_a_new_app_is_served(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "app"), "--docs", str(ROOT / "examples" / "corpus")]) == 0
    with studio(tmp_path / "app") as (address, _):
        assert asked(address).json()["report"]["answer"] == "Theresa May"
        assert asked(address.split("/as/")[0]).status_code == 401


def test_a_missing_server_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dateline_cli.studio.SERVER", "no_such_package")
    write_langgraph(tmp_path)
    assert main(["studio"]) == 2
    assert 'pip install "dateline[studio]"' in capsys.readouterr().err


def test_what_cannot_start_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["studio"]) == 2
    assert "There is no langgraph.json here" in capsys.readouterr().err
    write_langgraph(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["studio", "--port", str(port)]) == 2
    assert f"The port {port} is taken" in capsys.readouterr().err


class AnsweringHandler(BaseHTTPRequestHandler):
    """A server that is up."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()


class EndlessServer:
    """A process that never ends."""

    def poll(self) -> None:
        return None


def test_a_proxy_for_other_machines_does_not_hide_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("dateline_cli.studio.STARTING", 5)
    with HTTPServer(("127.0.0.1", 0), AnsweringHandler) as server:
        Thread(target=server.handle_request, daemon=True).start()
        assert _up(cast(Any, EndlessServer()), f"http://127.0.0.1:{server.server_port}")


def test_a_server_that_never_answers_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dateline_cli.studio.STARTING", 0)
    with pytest.raises(DatelineError, match="No server answered at"):
        _up(cast(Any, EndlessServer()), f"http://127.0.0.1:{free_port()}")
