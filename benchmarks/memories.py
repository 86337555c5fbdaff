"""dateline's fact store beside Graphiti, mem0 and LangMem, as released: the same documents, the same scripted model.

    python benchmarks/memories.py                  # all three
    python benchmarks/memories.py mem0 langmem     # some
    python benchmarks/memories.py --json FILE      # what was found, with reasons
    python benchmarks/memories.py --write          # and put the table into docs/migration.md

Each is installed with pip into an environment of its own, which is deleted again, and run there by `memories_<name>.py`
without a connection, with telemetry off. What is asked is in `memories_checks.py`, once for all; the documents, the model
and the vectors are in `memories_world.py`. Nobody's quality of extraction is measured: the model reads perfectly, or errs
where a check says so. Exit code 1 where one cannot be run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matrix import run, write
from memories_checks import NO_WAY, findings
from memories_dateline import DatelineMemory, RulesMemory
from memories_world import DIMENSIONS

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "migration.md"
BEGIN, END = "<!-- memories -->", "<!-- end of memories -->"

QUIET = {
    "GRAPHITI_TELEMETRY_ENABLED": "false",
    "MEM0_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "POSTHOG_DISABLED": "true",
    "EMBEDDING_DIM": str(DIMENSIONS),
}


@dataclass(frozen=True)
class Peer:
    """A memory as released, and what pip installs with it."""

    title: str
    release: str
    needs: tuple[str, ...] = ()
    alone: bool = False
    """Whether the release is installed without what it asks for, and `needs` names all of it."""


PEERS = {
    # Its floor for certifi is ahead of some indexes, and it imports httpx without asking for it.
    "graphiti": Peer(
        "Graphiti",
        "graphiti-core==0.31.2",
        needs=(
            "certifi",
            "httpx",
            "kuzu>=0.11.3",
            "neo4j",
            "numpy",
            "openai",
            "posthog",
            "pydantic",
            "python-dotenv",
            "tenacity",
        ),
        alone=True,
    ),
    "mem0": Peer("mem0", "mem0ai==2.2.1", needs=("langchain",)),
    "langmem": Peer("LangMem", "langmem==0.0.30"),
}

OURS = {"dateline": DatelineMemory, "dateline, rules": RulesMemory}

ROWS = {
    "calls": ("model calls of a document that changes 1 / 10 / 30 known facts", ""),
    "replaced": ("replaced facts, of ten, that a plain search still returns", "0"),
    "replaced_current": ("the same, asking for what holds now", "0"),
    "past": ("who held the office on three days of 2014, 2018, 2022, by documents of 2015 and 2021", "3 of 3"),
    "late": ("who holds the office when Eva Holm (1999) arrives after Jon Lund (2024)", "Jon Lund"),
    "recurs": ("who holds it after Eva Holm 2010, Jon Lund 2015, Eva Holm 2020", "Eva Holm"),
    "removed": ("who holds it when the document that ended Eva Holm's term is undone", "Eva Holm"),
    "year": ("date kept of a document with only a year", "2019"),
    "since_year": ('interval kept of "since 2019" in a text', "2019"),
    "told": ("the model is shown the document's date", "yes"),
    "shown": ("facts about 16 other places shown to the model when one director changes", ""),
    "erring": (
        "lost of 9 and 7 of these (no common word, and one) if the model calls all of them false",
        "0, 0",
    ),
    "again": ("the same document again: model calls, copies of its fact", "0, 1"),
    "races": ("copies of a fact that eight threads write at once", "1"),
    "approval": ("an edit that should wait for a person", "waits"),
    "preview": ("a preview of the edits", "no write"),
}
"""What each check is called in the table, and what would be right."""


def tried(name: str, peer: Peer) -> dict[str, Any]:
    """One memory in an environment of its own: made, run, deleted."""
    with tempfile.TemporaryDirectory(prefix=f"dateline-memories-{name}-") as folder:
        try:
            run([sys.executable, "-m", "venv", f"{folder}/venv"])
            python = f"{folder}/venv/bin/python"
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            if peer.alone:
                run([*pip, "--no-deps", peer.release])
            run([*pip, *([] if peer.alone else [peer.release]), *peer.needs])
            places = {"HOME": folder, "TMPDIR": folder, "MEM0_DIR": f"{folder}/mem0"}
            printed = run([python, str(HERE / f"memories_{name}.py")], environment={**os.environ, **QUIET, **places})
            outcome: dict[str, Any] = json.loads(printed.splitlines()[-1])
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            return {"failed": str(problem)}
        return outcome


def ours() -> dict[str, dict[str, Any]]:
    """The same checks on dateline, here."""
    return {title: {"version": "", "findings": findings(make)} for title, make in OURS.items()}


def table(results: dict[str, dict[str, Any]]) -> str:
    """What was found, a row a check and a column a memory."""
    shown = {title: each for title, each in results.items() if "failed" not in each}
    heads = [f"{title} {each['version']}".strip() for title, each in shown.items()]
    lines = [f"| | right | {' | '.join(heads)} |", "|---" * (len(heads) + 2) + "|"]
    for check, (title, right) in ROWS.items():
        cells = [_cell(each["findings"][check]["found"]) for each in shown.values()]
        lines.append(f"| {title} | {right} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(found: str) -> str:
    """A finding without its reason, which is in the JSON."""
    return NO_WAY if found.startswith(NO_WAY) else found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*PEERS, []], help="memories; none: all")
    parser.add_argument("--json", type=Path, help="keep results here")
    parser.add_argument("--write", action="store_true", help="put the table into docs/migration.md")
    asked = parser.parse_args()
    results = ours()
    for name in asked.names or PEERS:
        results[PEERS[name].title] = tried(name, PEERS[name])
    print(table(results))
    for title, each in results.items():
        for label, remark in {**each.get("remarks", {}), **{k: v for k, v in each.items() if k == "failed"}}.items():
            print(f"{title}, {label}: {remark}")
    if asked.json:
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        asked.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    failed = any("failed" in each for each in results.values())
    if asked.write and not failed:
        write(table(results), page=PAGE, begin=BEGIN, end=END)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
