"""`dateline ask`: a question as of a date, over documents or the web."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.text import Text

from dateline import BadInput
from dateline.files import make_file, read_bytes
from dateline.reading.history import read_history
from dateline.secrets import masked
from dateline.temporal.as_of import Clock, now
from dateline_cli.bulk import BULK_ONLY, add_bulk, do_bulk, refuse_together
from dateline_cli.files import PAGE, check_target, write_whole
from dateline_cli.options import add_options, add_outputs, add_question, given_options
from dateline_cli.show import SafeConsole, print_json, show_report
from dateline_cli.values import words

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from dateline_graphs import AnswerOptions, AnswerReport


SLOW = 10.0
"""Seconds of reading from which on the command says how to keep an index; chosen by hand."""

_OF_A_STORE = ("sources", "min_sources", "updater", "slots")
"""Options that count with `--facts` alone."""


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    commands.add_parser(
        "ask",
        help="ask a question as of a date",
        description=__doc__,
        epilog='Example: dateline ask "Who is the pope?" --docs notes --as-of 2010 --report page.html',
        fill=_fill,
    )


def _fill(command: argparse.ArgumentParser) -> None:
    from dateline_graphs.options import AnswerOptions

    add_question(command, required=False)
    # Nobody could decide about an edit that waits: the command ends with its answer.
    add_options(command, AnswerOptions, without=["interrupt_on"])
    choice = "the answer is one of these; repeatable"
    command.add_argument("--choice", type=words, action="append", default=[], metavar="TEXT", help=choice)
    history = 'a chat before the question, JSON: [{"role": "user", "content": "..."}, ...]'
    command.add_argument("--history", type=Path, metavar="FILE", help=history)
    command.add_argument("--checkpoints", type=Path, metavar="FILE", help="keep progress there; a killed run resumes")
    add_outputs(command)
    batch = "many questions: one a line, or JSON lines with question, as_of, choices, history"
    command.add_argument("--batch", type=Path, metavar="FILE", help=batch)
    add_bulk(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Validate everything, then answer."""
    if arguments.search == "folder" and not arguments.docs:
        raise BadInput("Say where to look: --docs PATH for a folder of documents, or --search serpapi for the web.")
    if not arguments.facts:
        _refuse_store_options(arguments)
    if arguments.batch:
        return _run_batch(arguments)
    if arguments.question is None:
        raise BadInput("There is no question; give one in quotes, or a file of them with --batch FILE.")
    refuse_together(arguments, "A single question", *BULK_ONLY)
    check_target(arguments.checkpoints, what="checkpoints", mark=None)
    history = read_chat(arguments.history) if arguments.history else []
    check_target(arguments.report, what="the page", mark=PAGE)

    from dateline_graphs import AnswerOptions

    options = given_options(arguments, AnswerOptions)
    asked = {
        "question": arguments.question,
        "as_of": arguments.as_of or "",
        "choices": arguments.choice,
        "history": history,
    }
    report = answer(asked, options=options, checkpoints=arguments.checkpoints)
    if arguments.report:
        from dateline_graphs.page import render

        write_whole(arguments.report, text=render(report), what="the page")
    if arguments.json:
        print_json(report)
    else:
        show_report(report, console=SafeConsole(soft_wrap=False))
    return 0


def _refuse_store_options(arguments: argparse.Namespace) -> None:
    """Raise `BadInput` for options of a fact store, where none is kept."""
    from dateline_graphs import AnswerOptions

    for name in _OF_A_STORE:
        if getattr(arguments, name) not in (None, AnswerOptions.model_fields[name].default):
            raise BadInput(f"--{name.replace('_', '-')} is an option of the fact store; give --facts as well.")


def _run_batch(arguments: argparse.Namespace) -> int:
    """Answer a file of questions, one JSON line each."""
    refuse_together(arguments, "--batch", "question", "report", "history", "checkpoints", "choice")
    if arguments.ray and arguments.facts:
        raise BadInput("What one answer adds to the facts, the next may need: leave --facts out, or --ray.")
    if arguments.out:
        refuse_together(arguments, "--out", "json")
    from dateline_graphs import AnswerOptions
    from dateline_graphs.batch import AnswerBatch, read_batch

    options = given_options(arguments, AnswerOptions)
    questions = read_batch(arguments.batch, as_of=arguments.as_of or "")
    keys = [each.key(options) for each in questions]
    return int(do_bulk(arguments, questions, work=AnswerBatch(options), keys=keys, what="question") > 0)


def read_chat(path: Path) -> list[dict[str, str]]:
    """Read the turns of a JSON file.

    Args:
        path: holds a list of turns, or an object with `messages`.

    Raises:
        BadInput: for anything else.
    """
    try:
        chat = json.loads(read_bytes(path))
    except OSError as cause:
        raise BadInput(f"Cannot read the history {path}: {cause.strerror or cause}.") from cause
    except (ValueError, RecursionError) as cause:
        raise BadInput(f'The history {path} is not JSON; write [{{"role": "user", "content": "..."}}, ...].') from cause
    if isinstance(chat, dict):
        if "messages" not in chat:
            raise BadInput(
                f"The history {path} is an object without messages; write a list of turns, or put it under messages."
            )
        chat = chat["messages"]
    return [{"role": turn.role, "content": turn.content} for turn in read_history(chat)]


def answer(asked: dict[str, Any], *, options: AnswerOptions, checkpoints: Path | None = None) -> AnswerReport:
    """Run the answer graph, showing steps on a terminal's standard error."""
    from dateline_graphs import AnswerReport, answer_graph, components_for

    progress = SafeConsole(stderr=True)
    with reading_shown(options, console=progress):
        parts = components_for(options)
    with _saver(checkpoints) as saver:
        graph = answer_graph(parts).compile(checkpointer=saver)
        config: Any = {"configurable": {"thread_id": _thread(asked, options=options)}}
        # A thread that stopped midway goes on from its last checkpoint: no input means "continue".
        unfinished = saver is not None and bool(graph.get_state(config).next)
        final: dict[str, Any] = {}
        stream = graph.stream(
            None if unfinished else cast(Any, asked),
            config,
            context=options,
            stream_mode=["custom", "values"],
            durability="sync" if saver is not None else None,
        )
        for mode, value in stream:
            if mode == "values":
                final = cast(dict[str, Any], value)
            elif progress.is_terminal:
                step = cast(dict[str, Any], value)
                progress.print(f"[dim]{step['name']:>14}  [/dim]", end="")
                progress.print(step["summary"], style="dim", markup=False, highlight=False)
    return AnswerReport.model_validate(final["report"])


@contextmanager
def reading_shown(options: AnswerOptions, *, console: SafeConsole) -> Iterator[None]:
    """Show that a folder is read, and how to do that once."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from dateline.search.index.opening import is_address

    started = time.monotonic()
    # What is told may hold braces and brackets of its own: it is neither a format nor markup.
    told = TextColumn("{task.description}", style="dim", markup=False)
    columns = (SpinnerColumn(), told, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        bar.add_task(f"Reading {masked(options.docs)}", total=None)
        yield
    is_folder = options.docs and not is_address(options.docs)
    if is_folder and console.is_terminal and (took := time.monotonic() - started) > SLOW:
        hint = f"Reading took {took:.0f} s; for quicker answers from now on: dateline index {options.docs}"
        console.print(Text(hint, style="dim"))


def _thread(asked: dict[str, Any], *, options: AnswerOptions, clock: Clock = now) -> str:
    """Return one id for equal questions of one day under equal options."""
    from dateline.bulk.results import key_of
    from dateline_graphs.batch import settled

    _, day = settled(asked["as_of"], clock=clock)
    return key_of(sorted({**asked, "as_of": day}.items()), options)


@contextmanager
def _saver(path: Path | None) -> Iterator[BaseCheckpointSaver[str] | None]:
    if path is None:
        yield None
        return
    import sqlite3

    from langgraph.checkpoint.sqlite import SqliteSaver

    try:
        make_file(path)
    except OSError as cause:
        raise BadInput(f"Cannot keep checkpoints in {path}: {cause}.") from cause
    # A disk may also be full, or the file locked, while the question is answered.
    try:
        with SqliteSaver.from_conn_string(str(path)) as saver:
            tables = saver.conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            if tables and ("checkpoints",) not in tables:
                raise BadInput(f"Cannot keep checkpoints in {path}: it holds something else; name another file.")
            saver.setup()
            yield saver
    except sqlite3.Error as cause:
        raise BadInput(f"Cannot keep checkpoints in {path}: {cause}.") from cause
