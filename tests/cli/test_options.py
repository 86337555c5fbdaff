"""Options of every command: a wrong value is named with its option and what is valid, in one sentence."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from dateline_cli.main import main, parser


def commands(top: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Every command that runs."""
    inner = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield top
    for action in inner:
        for each in dict.fromkeys(action.choices.values()):
            yield from commands(each)


NUMBERS = [
    (command.prog, action)
    for command in commands(parser())
    for action in command._actions
    if getattr(action.type, "__qualname__", "").startswith(("whole", "real"))
]


@pytest.mark.parametrize(("prog", "action"), NUMBERS, ids=lambda one: one if isinstance(one, str) else one.dest)
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "many", "", "1e400"])
def test_a_number_that_cannot_be_is_named_with_its_option_and_its_range(
    prog: str, action: argparse.Action, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    option = action.option_strings[0]
    assert main([*prog.split()[1:], f"{option}={value}" if option.startswith("--") else f"{option}{value}"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert option in err
    if value:
        assert "must be a" in err
        assert repr(value) in err


def test_every_command_has_its_numbers_checked_while_it_is_read() -> None:
    assert {prog.split()[1] for prog, _ in NUMBERS} >= {"ask", "generate", "evaluate", "certainty", "grow"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["ask", "Who?", "--rounds", "-1"],
            "dateline: --rounds must be a whole number from 0 to 5, not '-1'; see dateline ask --help.\n",
        ),
        (
            ["ask", "Who?", "--abstain-below", "1.5"],
            "dateline: --abstain-below must be a number from 0 to 1, not '1.5'; see dateline ask --help.\n",
        ),
        (
            ["ask", "Who?", "--as-of", "0000"],
            "dateline: --as-of: Cannot read '0000' as a date: no year is called 0; write 0001 or later; "
            "see dateline ask --help.\n",
        ),
        (
            ["certainty", "train", "rows", "--holdout", "1"],
            "dateline: --holdout must be a number above 0 and below 1, not '1'; see dateline certainty train --help.\n",
        ),
        (
            ["generate", "Who?", "--as-of", " "],
            "dateline: --as-of is empty; give a date such as 2024-05-01, or leave it out; see dateline generate --help.\n",
        ),
        (["ask"], "dateline: the following arguments are required: question; see dateline ask --help.\n"),
    ],
)
def test_the_sentence_says_option_value_range_and_where_help_is(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == sentence


def test_every_option_of_every_command_says_what_it_does() -> None:
    for command in commands(parser()):
        for action in command._actions:
            assert action.help, f"{command.prog} {action.option_strings or action.dest}"
