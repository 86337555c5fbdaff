"""A writer that dies at any moment loses nothing that it acknowledged."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hashed_words import HashedTexts

from asof.facts import open_store

KILLS = 10

WRITER = """
import sys
from datetime import UTC, datetime
sys.path.insert(0, {tests!r})
from hashed_words import HashedTexts
from asof.facts import AddFact, Fact, open_store
from asof.temporal.interval import Interval

with open_store({folder!r}, embeddings=HashedTexts(), index={index!r}) as store:
    first = len(store.documents())
    for number in range(first, first + 100_000):
        document = f"document {{number}}"
        facts = [Fact.make(f"Lamp {{number}} of row {{row}} is on.") for row in range(5)]
        store.apply(document, [
            AddFact(document=document, when=Interval.of_year(2020), known_at=datetime(2025, 1, 1, tzinfo=UTC), fact=fact)
            for fact in facts
        ])
        print(number, flush=True)
"""


@pytest.mark.parametrize("index", ["file", "chroma"])
def test_a_killed_writer_loses_no_acknowledged_document_and_leaves_no_half_one(tmp_path: Path, index: str) -> None:
    if index == "chroma":
        pytest.importorskip("chromadb")
    folder, kills = tmp_path / "store", KILLS if index == "file" else 3
    program = WRITER.format(tests=str(Path(__file__).parent), folder=str(folder), index=index)
    chance = random.Random(5)
    acknowledged = -1
    for _ in range(kills):
        writer = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        lines = [writer.stdout.readline()]
        time.sleep(chance.uniform(0.0, 0.3))
        writer.send_signal(signal.SIGKILL)
        lines += writer.stdout.readlines()
        writer.wait()
        acknowledged = max([acknowledged, *(int(line) for line in lines if line.strip().isdigit())])
        with open_store(folder, embeddings=HashedTexts(), index=index) as store:
            assert len(store.documents()) >= acknowledged + 1
            assert len(store.at()) == 5 * len(store.documents())
            text = f"Lamp {acknowledged} of row 3 is on."
            assert store.search(text, k=1, threshold=0.999)[0].similarity > 0.999
