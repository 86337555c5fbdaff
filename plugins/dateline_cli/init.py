"""`dateline init`: a folder with configurations, an app and a test."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Any

from dateline import BadInput
from dateline.files import make_folder
from dateline_cli.files import check_folder, write_whole
from dateline_cli.show import print_lines
from dateline_cli.studio import SERVER

NOTES = {
    "notes/2015-03-02-anna-berg.md": "# Anna Berg becomes director\n\n"
    "Anna Berg was named director of the Northern Observatory on 2 March 2015.\n",
    "notes/2021-09-14-carl-dahl.md": "# Carl Dahl becomes director\n\n"
    "Carl Dahl was named director of the Northern Observatory on 14 September 2021, succeeding Anna Berg.\n",
}
"""Two notes to begin with, where no folder of one's own is given."""

STUDIO = "langgraph.json"
"""What `dateline studio` and the LangGraph server look for."""

CASES = (
    ("Who is the director of the Northern Observatory?", "2016", "Anna Berg"),
    ("Who is the director of the Northern Observatory?", "2022", "Carl Dahl"),
)


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "init",
        help="begin an app of your own: a configuration, twenty lines, a test",
        description=__doc__,
        epilog="Example: dateline init myapp --docs ~/notes && cd myapp && python app.py 'Who is mayor?' 2019",
    )
    command.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR", help="where (default: here)")
    command.add_argument("--docs", type=Path, metavar="PATH", help="your documents (default: notes/ with two examples)")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write everything, or nothing where something is there already."""
    folder, docs = arguments.folder, arguments.docs
    if docs is not None:
        from dateline.search.folder_files import existing

        docs = existing(docs)
    check_folder(folder, what="the app")
    own = None if docs is None else _seen_from(folder, docs)
    contents = starter(own)
    there = [name for name in contents if (folder / name).exists()]
    if there:
        raise BadInput(f"{folder / there[0]} is there already; nothing was written, give another folder.")
    for name, text in contents.items():
        make_folder((folder / name).parent)
        write_whole(folder / name, text=text, what="the app")
    print_lines(f"Made {', '.join(contents)} in {folder.resolve()}.")
    print_lines(f"Try, in that folder:\n{_next_steps(own)}")
    return 0


def _seen_from(folder: Path, docs: Path) -> Path:
    """Return the path of documents, relative where they lie in the folder."""
    home, whole = folder.resolve(), docs.resolve()
    return whole.relative_to(home) if home in whole.parents else whole


def _next_steps(docs: Path | None) -> str:
    """Return commands that work in the new folder.

    Behind one whose package is missing stands how to get it.
    """
    question, day = ("QUESTION", "DAY") if docs else (f'"{CASES[0][0]}"', CASES[0][1])
    steps = [
        f"python app.py {question} {day}",
        f"dateline ask {question} --docs {quoted(str(docs or 'notes'))} --as-of {day}",
        "python -m pytest test_app.py" + ("" if find_spec("pytest") else "   (first: pip install pytest)"),
        "dateline studio" + ("" if find_spec(SERVER) else '   (first: pip install "dateline[studio]")'),
    ]
    return "\n".join(f"  {step}" for step in steps)


def quoted(word: str, *, windows: bool = os.name == "nt") -> str:
    """Return a word as the shell of this machine takes it."""
    return subprocess.list2cmdline([word]) if windows else shlex.quote(word)


def starter(docs: Path | None) -> dict[str, str]:
    """Return the files of a new app by their names."""
    own, docs = docs is not None, docs or Path("notes")
    path = json.dumps(docs.as_posix(), ensure_ascii=False)  # Python and TOML know no surrogate pairs
    written = {
        "folder": docs.name,
        "docs": f"Path({path})" if docs.is_absolute() else f"Path(__file__).parent / {path}",
        "path": path,
        "cases": "    # (QUESTION, DAY, ANSWER),\n" if own else "".join(f"    {_listed(case)},\n" for case in CASES),
        "asked": "sys.exit(__doc__)" if own else json.dumps([CASES[0][0]]),
    }
    names = ("dateline.toml", STUDIO, "app.py", "test_app.py")
    made = {name: Template(_template(name)).substitute(written) for name in names}
    return made if own else {**made, **NOTES}


def _listed(case: tuple[str, ...]) -> str:
    return f"({', '.join(map(json.dumps, case))})"


def _template(name: str) -> str:
    return files("dateline_cli").joinpath("starter", f"{name}.txt").read_text(encoding="utf-8")
