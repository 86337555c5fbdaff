"""Options of every command: a wrong value is named with its option and what is valid, in one sentence."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest
from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dateline.options import demand
from dateline_bench.certainty_training.head_training import HeadTraining
from dateline_bench.grow_graph import GrowOptions
from dateline_cli.main import Parser, main, parser
from dateline_cli.options import given_options
from dateline_graphs import AnswerOptions, GenerateOptions, UpdateFactsOptions


def commands(top: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Every command that runs."""
    assert isinstance(top, Parser)
    top.fill()
    inner = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield top
    for action in inner:
        for each in dict.fromkeys(action.choices.values()):
            yield from commands(each)


FIELDS: dict[str, type[BaseModel]] = {
    "dateline ask": AnswerOptions,
    "dateline generate": GenerateOptions,
    "dateline facts add": UpdateFactsOptions,
    "dateline grow init": GrowOptions,
    "dateline grow update": GrowOptions,
    "dateline certainty train": HeadTraining,
}
"""The commands whose options are fields."""

COMMANDS = {command.prog: command for command in commands(parser())}
OFFERED = [
    (prog, action, FIELDS[prog].model_fields[action.dest])
    for prog, command in COMMANDS.items()
    for action in command._actions
    if action.option_strings and prog in FIELDS and action.dest in FIELDS[prog].model_fields
]
NUMBERS = [
    (prog, action)
    for prog, command in COMMANDS.items()
    for action in command._actions
    if (action.option_strings and action.metavar in ("N", "X", "SHARE"))
    or (prog, action.dest)
    in {(prog, one.dest) for prog, one, field in OFFERED if set(map(type, field.metadata)) & {Ge, Gt, Le, Lt}}
]


@pytest.mark.parametrize(("prog", "action", "field"), OFFERED, ids=lambda one: getattr(one, "dest", None))
def test_every_option_of_every_command_has_the_range_of_its_field(
    prog: str, action: argparse.Action, field: FieldInfo, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = [each.ge - 1 for each in field.metadata if isinstance(each, Ge)]  # type: ignore[operator]
    outside += [each.le + 1 for each in field.metadata if isinstance(each, Le)]  # type: ignore[operator]
    outside += [each.gt for each in field.metadata if isinstance(each, Gt)]
    outside += [each.lt for each in field.metadata if isinstance(each, Lt)]
    option = action.option_strings[0]
    for value in outside:
        assert main([*prog.split()[1:], f"{option}={value}" if option.startswith("--") else f"{option}{value}"]) == 2
        assert f"dateline: {option} must be {demand(field)}, not '{value}'; " in capsys.readouterr().err


@pytest.mark.parametrize("prog", FIELDS)
def test_options_that_are_left_out_are_those_of_the_fields(prog: str) -> None:
    needed = [
        f"{action.option_strings[0]}=x"
        for action in COMMANDS[prog]._actions
        if action.option_strings and action.required
    ]
    words = ["x" for action in COMMANDS[prog]._actions if not action.option_strings and action.required]
    given = given_options(COMMANDS[prog].parse_args([*needed, *words]), FIELDS[prog])
    assert {
        name for name in given.model_fields_set if getattr(given, name) != FIELDS[prog].model_fields[name].default
    } <= {
        "model",
        "docs",
    }


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("--rounds", "--max-rounds"),
        ("--alone", "--per-document"),
        ("--dcs", "--docs"),
        ("--top-k", "-k"),
        ("--html", "--report"),
    ],
)
def test_an_option_that_is_none_is_answered_with_the_one_that_was_meant(
    given: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "Who?", given, "2"]) == 2
    assert f"{given} 2 (did you mean {meant}?); see dateline ask --help.\n" in capsys.readouterr().err


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
            ["ask", "Who?", "--max-rounds", "-1"],
            "dateline: --max-rounds must be a whole number from 0 to 5, not '-1'; see dateline ask --help.\n",
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
        (
            ["ask", "--docs", "x"],
            "dateline: There is no question; give one in quotes, or a file of them with --batch FILE.\n",
        ),
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
