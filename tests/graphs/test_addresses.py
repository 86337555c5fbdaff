"""Documents and facts of a graph that lie in a database, by their addresses alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dateline.search.index import FolderIndex, StoredSearch
from dateline_graphs import AnswerOptions, answer_graph, components_for
from dateline_graphs.components import shared_embeddings


def test_a_graph_answers_from_one_database_with_documents_and_facts(
    empty_library: str, changed_fact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    FolderIndex(changed_fact, embeddings=shared_embeddings(), output=empty_library).update()
    options = AnswerOptions(docs=empty_library, facts=empty_library)
    assert isinstance(components_for(options).search, StoredSearch)
    graph = answer_graph().compile()
    asked = "Who is the director of the Northern Observatory?"
    answers = [graph.invoke({"question": asked, "as_of": day}, context=options)["report"] for day in ("2016", "2022")]
    assert [each["answer"] for each in answers] == ["Anna Berg", "Carl Dahl"]
    assert any(value for value in answers[0]["facts"].values() if isinstance(value, list)), "facts were learnt"
    assert set(tmp_path.iterdir()) == before, "an address is no folder"
