"""Command-line options made from the fields of an options class."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dateline_cli.values import asking_date, question, reader

_Options = TypeVar("_Options", bound=BaseModel)

METAVARS = {"docs": "PATH", "facts": "DIR", "model": "NAME", "paper": "NAME", "slots": "FILE", "sources": "NAME"}
"""Placeholders in the help, where the type alone says too little."""


def add_question(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the question and its asking date."""
    command.add_argument(
        "question",
        type=question,
        help="the question, in quotes; -: from standard input",
        nargs=None if required else "?",
    )
    told = "2024, 2024-05-01, May 2024, yesterday … (default: now)"
    command.add_argument("--as-of", type=asking_date, metavar="DATE", help=told)


def add_outputs(command: argparse.ArgumentParser) -> None:
    """Add the outputs of a run beside text: JSON, a page."""
    command.add_argument("--json", action="store_true", help="print one JSON document instead")
    command.add_argument("--report", type=Path, metavar="FILE", help="write an HTML page of the run there, too")


def add_options(
    command: argparse.ArgumentParser,
    options: type[BaseModel],
    *,
    only: Iterable[str] = (),
    without: Iterable[str] = (),
    required: Iterable[str] = (),
) -> None:
    """Add an option for each field: `--max-rounds` for `max_rounds`, `-k` for `k`.

    Args:
        only: names of fields; empty: all of them.
        without: names of fields that the command does not offer.
        required: names of fields that must be given.
    """
    for name in only or options.model_fields:
        if name not in set(without):
            _add(command, name, options, required=name in set(required))


def given_options(arguments: argparse.Namespace, options: type[_Options], **others: Any) -> _Options:
    """Return the options that a command line gives, else their defaults."""
    given = {
        name: value for name, value in vars(arguments).items() if name in options.model_fields and value is not None
    }
    return options(**{**given, **others})


def _add(command: argparse.ArgumentParser, name: str, options: type[BaseModel], *, required: bool) -> None:
    field = options.model_fields[name]
    flag = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
    more: dict[str, Any] = {"dest": name, "default": field.default, "help": _help(field, required=required)}
    if field.annotation is bool:
        command.add_argument(flag, action="store_true", **more)
        return
    held = get_args(field.annotation)[0] if get_origin(field.annotation) is tuple else None
    more |= {"action": "append", "default": None} if held else {"required": required}
    choices = next((get_args(each) for each in (held, field.annotation) if get_origin(each) is Literal), None)
    more |= {"choices": choices} if choices else {"metavar": METAVARS.get(name, _metavar(field))}
    command.add_argument(flag, type=reader(field, name=name, many=held is not None), **more)


def _metavar(field: FieldInfo) -> str:
    kinds = get_args(field.annotation) or (field.annotation,)
    return "N" if int in kinds else "X" if float in kinds else "TEXT"


def _help(field: FieldInfo, *, required: bool) -> str:
    told = (field.description or "").rstrip(".").replace("%", "%%")
    many = get_origin(field.annotation) is tuple
    shown = not required and field.default not in ("", None, ()) and not isinstance(field.default, bool)
    return told + ("; repeatable" if many else f" (default: {field.default})" if shown else "")
