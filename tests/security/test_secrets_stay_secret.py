"""Keys and passwords appear in no message, whatever quotes them."""

from __future__ import annotations

import logging
import random
import string

import pytest

from dateline import BadInput
from dateline.secrets import masked, without_secrets
from dateline.visible import logger

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
