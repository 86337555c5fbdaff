"""Keys and passwords appear in no message, whatever quotes them."""

from __future__ import annotations

import logging
import random
import string
from argparse import Namespace
from pathlib import Path

import pytest

from dateline import BadInput, DatelineError
from dateline.secrets import masked, without_secrets
from dateline.visible import logger
from dateline_cli.main import main
from dateline_cli.mcp import _configuration

_ANY = string.ascii_letters + string.digits


def _made(pick: random.Random, length: int, letters: str = _ANY) -> str:
    return "".join(pick.choices(letters, k=length)) + pick.choice(string.digits)


SURE = (
    "postgresql://ana:{}@db.example/facts", "https://{}@git.example/x", "postgresql+psycopg://db/facts?user=a&password={}&x=1",
    "https://api.example/v1?api_key={}", "https://api.example/v1?x=1;access_token={}", "Bearer {}{}", "sk-proj-{}{}",
    "gsk_{}{}", "ghp_{}{}", "xoxb-{}{}", "hf_{}{}", "AKIA{}{}", "AIza{}{}", "eyJ{}{}.{}.{}", "github_pat_{}{}",
)  # fmt: skip
LIKELY = (
    *SURE, "Authorization: Basic {}", "'Authorization': 'Bearer {}'", "authorization={}", "Basic {}", "bearer {}", "password is '{}'",
    "password is '{} {}'", '{{"password": "{} {}"}}', "host=db password={} dbname=x", "api key {}", "secret: {}", "ana:{}@db.example",
    "x-api-key: {}", "PGPASSWORD={}", "the key was {}", "token `{}`",
)  # fmt: skip


@pytest.mark.parametrize("shape", LIKELY)
def test_a_foreign_message_is_quoted_without_its_key(shape: str) -> None:
    pick = random.Random(shape)
    for _ in range(50):
        keys = [_made(pick, pick.randint(7, 12)) for _ in range(4)]
        told = without_secrets(f"Could not connect: {shape.format(*keys)}\nretry later")
        assert not any(key in told for key in keys[: shape.count("{}")]), told
        assert told.startswith("Could not connect")


@pytest.mark.parametrize(
    "message",
    [
        'FATAL: password authentication failed for user "ana"',
        "token limit exceeded for this model",
        "The api key is missing; set OPENAI_API_KEY.",
        "password is required",
    ],
)
def test_a_message_that_only_speaks_of_keys_stays_readable(message: str) -> None:
    assert without_secrets(message) == message


def test_a_database_that_cannot_be_reached_is_named_without_its_password() -> None:
    from dateline.facts import open_store
    from dateline.text.lexical import LexicalEmbeddings

    for address in (
        "postgresql+psycopg://ana:{0}@127.0.0.1:1/facts",
        "postgresql+psycopg://127.0.0.1:1/facts?user=ana&password={0}",
        "postgresql+psycopg://ana:a/b?c#{0}@127.0.0.1:1/facts",
    ):
        with pytest.raises(DatelineError) as told:
            open_store(address.format("hunter2tiger"), embeddings=LexicalEmbeddings())
        assert "hunter2tiger" not in f"{told.value}{told.value!r}"


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "Who?", "--docs"],
        ["label", "."],
        ["index"],
        ["index", "--remove"],
        ["facts", "add", "store"],
        ["init", "app", "--docs"],
    ],
    ids=" ".join,
)
def test_a_database_in_the_place_of_a_folder_is_told_without_its_password(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("Ada Berg is mayor.")
    code = main([*command, "postgresql://ana:hunter2tiger@db.example/notes"])
    told = "".join(capsys.readouterr())
    assert "hunter2tiger" not in told
    assert "--remove" in command or (code == 2 and "not from postgresql://***@db.example/notes" in told)


def test_the_tools_of_assistants_are_served_over_a_library_in_a_database() -> None:
    address = "postgresql://ana:hunter2tiger@db.example/notes"
    config = _configuration(Namespace(docs=address, facts=None, slots=None))
    assert config.libraries["docs"].docs == address
    assert "hunter2tiger" not in repr(config)


def test_a_provider_that_quotes_a_key_is_quoted_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from dateline_graphs.models import chat_model

    def refuse(name: str) -> None:
        raise ValueError("Incorrect key provided: abc123def; header Authorization: Basic YWJjMTIzZGVm")

    monkeypatch.setattr("langchain.chat_models.init_chat_model", refuse)
    with pytest.raises(BadInput) as told:
        chat_model("openai:any")
    assert "abc123def" not in str(told.value)
    assert "YWJjMTIz" not in str(told.value)


@pytest.mark.parametrize("shape", SURE)
def test_errors_and_logs_hold_no_key_whose_shape_is_known(shape: str, caplog: pytest.LogCaptureFixture) -> None:
    pick = random.Random(shape)
    keys = [_made(pick, 11) for _ in range(4)]
    text = shape.format(*keys)
    log = logger("dateline.tests.secrets")
    try:
        raise BadInput(f"Cannot open {text!r}; give another.")
    except BadInput as error:
        log.exception("Failed with %s", text)
        shown = [str(error), repr(error), caplog.text]
    assert caplog.records[0].levelno == logging.ERROR
    assert "Cannot open" in shown[0]
    assert not any(key in each for key in keys[: shape.count("{}")] for each in shown)


@pytest.mark.parametrize(
    "text",
    [
        "Anna led it from 2015",
        "https://news.example/a?id=7&lang=en",
        "notes/risk-management-2024-final.md",
        "a@b.example",
        "12:30",
    ],
)
def test_plain_text_is_left_as_it_is(text: str) -> None:
    assert masked(text) == text


def test_masking_is_linear() -> None:
    for part in ("sk-", "a.", "://", "eyJ-", "bearer ", "?key", "a-", "key ", "x:@"):
        masked(part * 100_000)
