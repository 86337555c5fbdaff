"""Writers that die at any moment lose nothing that they acknowledged."""

from __future__ import annotations

from pathlib import Path

import facts_kill
import pytest

KILLS = 10


def test_killed_writers_lose_no_acknowledged_document_and_leave_no_half_one(tmp_path: Path) -> None:
    ledger = f"sqlite:///{tmp_path / 'store' / 'facts.db'}"
    outcome = facts_kill.run(str(tmp_path / "store"), ledger=ledger, kills=KILLS, index="file")
    assert outcome.sound, outcome
    assert outcome.documents > KILLS


def test_a_killed_writer_on_a_server_loses_nothing_either(postgres_url: str, empty_tables: None) -> None:
    outcome = facts_kill.run(postgres_url, ledger=postgres_url, kills=KILLS, index=None)
    assert outcome.sound, outcome


def test_a_killed_writer_of_a_chroma_index_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("chromadb")
    ledger = f"sqlite:///{tmp_path / 'store' / 'facts.db'}"
    outcome = facts_kill.run(str(tmp_path / "store"), ledger=ledger, kills=3, writers=1, index="chroma")
    assert outcome.sound, outcome
