"""Notes in other languages are ranked by time, beside LangChain's retrievers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import TemporalReranker, TemporalRetriever

NOTES = {
    "de": (
        "Anna Berg leitete das Archiv von 2015 bis 2018.",
        "Carl Dahl leitete das Archiv von März 2019 bis Ende 2022.",
        "Seit dem 1. Februar 2023 leitet Eva Lind das Archiv.",
    ),
    "fr": (
        "Anne Berger dirigeait les archives de 2015 à 2018.",
        "Charles Dahl dirigeait les archives de mars 2019 à fin 2022.",
        "Depuis le 1er février 2023, Eve Lind dirige les archives.",
    ),
}
ASKED = {
    "de": ("Wer leitete das Archiv 2016?", "Wer leitete das Archiv im Juni 2020?", "Wer leitet derzeit das Archiv?"),
    "fr": (
        "Qui dirigeait les archives en 2016 ?",
        "Qui dirigeait les archives en juin 2020 ?",
        "Qui dirige actuellement les archives ?",
    ),
}


class Notes(BaseRetriever):
    """Finds all notes of a language, whatever is asked."""

    code: str

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [Document(page_content=note) for note in NOTES[self.code]]


@pytest.mark.parametrize(("code", "place"), [(code, place) for code in NOTES for place in range(3)])
def test_the_note_of_the_time_asked_about_comes_first(code: str, place: int) -> None:
    reranker = TemporalReranker(embeddings=LexicalEmbeddings(), clock=lambda: datetime(2025, 5, 14, tzinfo=UTC))
    found = TemporalRetriever(retriever=Notes(code=code), reranker=reranker, k=1).invoke(ASKED[code][place])
    assert [document.page_content for document in found] == [NOTES[code][place]]
