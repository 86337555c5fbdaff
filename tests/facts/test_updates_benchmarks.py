"""What an update costs, and that a killed ingestion loses nothing and pays for nothing twice."""

from __future__ import annotations

from pathlib import Path

import updates
import updates_kill


def test_calls_do_not_grow_with_the_related_facts() -> None:
    found = updates.run(related=[1, 10], documents=1)
    assert found["max_model_calls_per_document"] <= 3
    assert found["fact_by_fact_max_model_calls_by_related_facts"] == {"1": 3, "10": 21}


def test_a_killed_ingestion_goes_on_without_paying_twice(tmp_path: Path) -> None:
    outcome = updates_kill.run(tmp_path, kills=5, documents=20)
    assert outcome.sound, outcome
    assert outcome.caught_on_the_way <= outcome.kills
