"""The functions that read foreign text, found in the packages or listed here with what else they take."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any, get_args

import numpy as np
from langchain_core.messages import HumanMessage

import dateline
import dateline_graphs
import langchain_dateline
from dateline import Evidence, Interval
from dateline.audit.nearest import nearest_passages
from dateline.certainty.agreement import shares
from dateline.certainty.dated_answer import dated_answer
from dateline.certainty.signals import same
from dateline.certainty.stated import holding, is_stated
from dateline.chat.echo import without_echo
from dateline.chat.stated import stated
from dateline.documents import DateRules, evidence_of
from dateline.documents.fields import Fields
from dateline.documents.journal import entry_id
from dateline.documents.raw import raw_of
from dateline.documents.reading import of_text
from dateline.dynamic.app_prompt import read_app_prompt
from dateline.dynamic.chat_prompt import messages_of
from dateline.evaluation.metrics import exact_match, holds_answer, token_f1
from dateline.evidence.ago import relative_date, weekday
from dateline.evidence.claims import claims_of
from dateline.evidence.dates import read_date
from dateline.evidence.freshprompt import FreshPrompt
from dateline.facts.asking import asked_of
from dateline.facts.fact_reader import facts_of, stated_fact
from dateline.facts.onset import onset_day
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import SlotPack
from dateline.facts.updating.document_parts import DocumentPart
from dateline.facts.updating.grounds import bears_on, speaks_of, stands_in, tells_end
from dateline.facts.updating.mentions import is_named
from dateline.facts.updating.subjects import repeats_value, same_subject
from dateline.formats.given import GivenFile
from dateline.formats.markdown import read_titled, read_with_fields
from dateline.formats.table import FORMATS
from dateline.handwritten.facts.standalone import told_of
from dateline.handwritten.facts.statement import Statement
from dateline.handwritten.labels.sentence_content import SentenceContent, named
from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.handwritten.reading.scored_sentences import find_clues
from dateline.language.answer_type import AnswerKind
from dateline.limits import FIELD, QUESTION
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers, known_words
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import AskedWords
from dateline.ranking.states import stating
from dateline.reading.answer_text import answer_in, talks_of_itself
from dateline.reading.coreference import with_article
from dateline.reading.cut import cut
from dateline.reading.follow_up import resolve
from dateline.reading.history import Turn
from dateline.reading.judge import RuleJudge
from dateline.reading.magnitudes import agreement, compared
from dateline.reading.reply import chosen_of, parse_reply
from dateline.reading.temporal_tags import read_times
from dateline.reading.trained_judge import dated, prepared
from dateline.search.folder import question_of
from dateline.temporal.as_of import now
from dateline.temporal.decomposition import decompose
from dateline.temporal.european_phrases import compares, foreign_ordinal, foreign_phrases
from dateline.temporal.expressions import find_expressions
from dateline.temporal.language_files import LANGUAGES, foreign
from dateline.temporal.languages_told import tokens_of
from dateline.temporal.ordinals import find_ordinal, in_name
from dateline.temporal.phrases import Phrase, closes, find_phrases, listed, opens
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.words import word_f1

Scanner = Callable[[str], Any]

PACKAGES = (dateline, langchain_dateline, dateline_graphs)
NOW = datetime(2024, 5, 1, tzinfo=UTC)
WHEN = decompose("When did it open?", as_of=NOW)
YEAR = Interval.of_year(2024)
TOLD = "The mayor of Oslo is Anna Berg. She took office in May 2021 with 12 people and 300 dollars."
ASKED = decompose("Who is the mayor of Oslo in 2021?", as_of=NOW)
BEFORE = [Turn("user", "Who is the mayor of Oslo?"), Turn("assistant", "Anna Berg")]
KINDS = get_args(AnswerKind)


def piece(text: str, title: str = "") -> Evidence:
    return Evidence.make(text, title=title, published=YEAR)


def part(text: str) -> DocumentPart:
    return DocumentPart(document=piece(text), sentences=(text,), asserted=(text,))


WITH_MORE: dict[str, Scanner] = {
    "dateline.facts.onset.onset_day": lambda text: onset_day(text, anchor=Interval.of_year(2021), onset="later"),
    "dateline.facts.asking.asked_of": lambda text: asked_of(text, as_of="2021", clock=now),
    "dateline.certainty.agreement.shares": lambda text: shares(text, others=[text + "c", TOLD]),
    "dateline.certainty.signals.same": lambda text: same(text, text + "b"),
    "dateline.certainty.stated.holding": lambda text: holding(text, question=ASKED, evidence=[piece(text, TOLD)]),
    "dateline.certainty.stated.is_stated": lambda text: (
        is_stated(text, question=ASKED, evidence=[piece(TOLD, text)]),
        is_stated(TOLD, question=ASKED, evidence=[piece(text)]),
    ),
    "dateline.documents.raw.raw_of": lambda text: raw_of(
        text, fields=Fields(dict.fromkeys(("title", "date", "source", "url"), text)), file=text
    ).dated(None, by_text=True),
    "dateline.documents.journal.entry_id": lambda text: entry_id(text, text),
    "dateline.dynamic.app_prompt.read_app_prompt": lambda text: read_app_prompt(text, as_of=NOW),
    "dateline.dynamic.chat_prompt.messages_of": lambda text: messages_of(text, written=text),
    "dateline.evaluation.metrics.exact_match": lambda text: exact_match(text, golds=[text]),
    "dateline.evaluation.metrics.token_f1": lambda text: token_f1(text, golds=[text]),
    "dateline.evaluation.metrics.holds_answer": lambda text: holds_answer(text, golds=[text[:100], "a"]),
    "dateline.certainty.dated_answer.dated_answer": lambda text: (
        dated_answer(text, question=WHEN, evidence=[piece(TOLD)]),
        dated_answer("1 August", question=WHEN, evidence=[piece(f"{text} On 1 August {text}")]),
    ),
    "dateline.evidence.ago.relative_date": lambda text: relative_date(text, NOW, "en"),
    "dateline.evidence.ago.weekday": lambda text: weekday(text, NOW, "en", False),
    "dateline.evidence.claims.claims_of": lambda text: (
        claims_of(text, used=[piece(text), piece(TOLD)]),
        claims_of(TOLD, used=[piece(text)]),
    ),
    "dateline.evidence.written_dates.written_date": lambda text: read_date(text, now=NOW, language="en", country="us"),
    "dateline.documents.reading.of_text": lambda text: of_text(text, {}),
    "dateline.handwritten.facts.standalone.told_of": lambda text: told_of("Kim", sentence=text),
    "dateline.facts.updating.grounds.bears_on": lambda text: bears_on(TOLD, text=text),
    "dateline.facts.updating.grounds.tells_end": lambda text: tells_end(TOLD, text=text),
    "dateline.facts.updating.mentions.is_named": lambda text: is_named(TOLD, text),
    "dateline.facts.updating.subjects.same_subject": lambda text: same_subject(TOLD, text=text),
    "dateline.facts.updating.subjects.repeats_value": lambda text: repeats_value(TOLD, text=text),
    "dateline.facts.updating.grounds.speaks_of": lambda text: speaks_of(text[:FIELD], lines=(1,), piece=part(text)),
    "dateline.facts.updating.grounds.stands_in": lambda text: stands_in(text[:FIELD], piece=part(text)),
    "dateline.facts.fact_reader.stated_fact": lambda text: stated_fact(
        text, published=None, slots=SlotReader(SlotPack.shipped())
    ),
    "dateline.handwritten.reading.scored_sentences.find_clues": lambda text: (
        find_clues("Who is the mayor of Oslo?", evidence=[piece(text)]),
        find_clues(text, evidence=[piece(TOLD)]),
    ),
    "dateline.ranking.possible_answers.known_words": lambda text: known_words(text, title=text),
    "dateline.reading.coreference.with_article": lambda text: with_article("Oslo", text),
    "dateline.audit.nearest.nearest_passages": lambda text: nearest_passages(
        text, evidence=[piece(text)], k=1, embeddings=LexicalEmbeddings()
    ),
    "dateline.reading.cut.cut": lambda text: [cut(text, kind=kind) for kind in KINDS],
    "dateline.reading.temporal_tags.read_times": lambda text: read_times(text, YEAR),
    "dateline.reading.follow_up.resolve": lambda text: (
        resolve(text[:QUESTION], history=BEFORE, as_of=NOW),
        resolve("And her predecessor?", history=[Turn("user", text), Turn("assistant", text)], as_of=NOW),
    ),
    "dateline.formats.markdown.read_with_fields": lambda text: read_with_fields(
        text, {"title": "A title"}, file=GivenFile("a.md", b"", DateRules()), place="notebook"
    ),
    "dateline.formats.markdown.read_titled": lambda text: read_titled(text, "A title", file="a.md", rules=DateRules()),
    "dateline.reading.magnitudes.compared": lambda text: compared(text, text + " 1"),
    "dateline.reading.magnitudes.agreement": lambda text: (agreement(text, TOLD), agreement(TOLD, text)),
    "dateline.chat.stated.stated": lambda text: stated(text, options=("A", "B", "neither")),
    "dateline.chat.echo.without_echo": lambda text: without_echo(text, asked=[HumanMessage(text[:2_000])]),
    "dateline.reading.answer_text.answer_in": lambda text: answer_in(text, labelled=True),
    "dateline.reading.answer_text.talks_of_itself": talks_of_itself,
    "dateline.reading.reply.chosen_of": lambda text: chosen_of(text, ["a", "b", text[:200]]),
    "dateline.reading.trained_judge.prepared": lambda text: prepared(text, text),
    "dateline.reading.trained_judge.dated": lambda text: dated(text, NOW.date()),
    "dateline.temporal.decomposition.decompose": lambda text: decompose(text[:QUESTION], as_of=NOW),
    "dateline.temporal.european_phrases.foreign_phrases": lambda text: [
        foreign_phrases(text, find_expressions(text, languages=(code,)), vocabulary=foreign(code)) for code in LANGUAGES
    ],
    "dateline.temporal.languages_told.tokens_of": lambda text: tokens_of(text, ("en", *LANGUAGES)),
    "dateline.temporal.european_phrases.compares": lambda text: [
        compares(text, [Phrase(len(text), len(text), "at", Interval.parse("2019"))], vocabulary=foreign(code))
        for code in LANGUAGES
    ],
    "dateline.temporal.european_phrases.foreign_ordinal": lambda text: [
        foreign_ordinal(text, constraint=None, vocabulary=foreign(code)) for code in LANGUAGES
    ],
    "dateline.search.folder.question_of": lambda text: question_of(text[:QUESTION], as_of=NOW, window=None),
    "dateline.temporal.phrases.find_phrases": lambda text: find_phrases(text, find_expressions(text)),
    "dateline.temporal.ordinals.in_name": lambda text: [in_name(text, word) for word in re.finditer(r"\w+", text)],
    "dateline.temporal.ordinals.find_ordinal": lambda text: find_ordinal(text, constraint=None),
    "dateline.temporal.phrases.listed": lambda text: listed(
        text, [(found, None) for found in find_expressions(text)], coordinated=re.compile(r"\s*,\s*")
    ),
    "dateline.temporal.phrases.opens": lambda text: opens(text, len(text)),
    "dateline.temporal.phrases.closes": lambda text: closes(text, 0),
    "dateline.text.words.word_f1": lambda text: word_f1(text, text + "a"),
}
"""Functions that take more than the text."""

METHODS: dict[str, Scanner] = {
    "stating": lambda text: stating(
        asked := AskedWords.of(text[:QUESTION]),
        words=SentenceWords.of([text, TOLD]),
        above=SentenceWords.of([text, ""]).holding(asked.roots),
        cosines=np.array([0.9, 0.5]),
        offers=np.ones(2, dtype=np.bool_),
    ),
    "evidence_of": lambda text: evidence_of({"text": text, "date": text, "title": text, "source": text}),
    **{
        f"a file {ending}": lambda text, ending=ending: list(
            FORMATS[ending].read(GivenFile(f"a{ending}", text.encode(), DateRules()))
        )
        for ending in (".rst", ".org", ".csv", ".eml")
    },
    "front matter": lambda text: _reader("dateline.formats.markdown.read_markdown")(
        f"---\n{text[:19_000]}\n---\nText."
    ),
    "labelled reply": lambda text: parse_reply(f"Answer: {text}", choices=["a", "b", text[:200]]),
    "questions in other languages": lambda text: [
        decompose(text[:QUESTION] or "?", as_of=NOW, languages=(code,)) for code in LANGUAGES
    ],
    "an app's time": lambda text: Interval.parse(text),
    "Statement.read": lambda text: Statement.read(text).compare(Statement.read(TOLD)),
    "SentenceContent.of": SentenceContent.of,
    "named": lambda text: named([text]),
    "facts_of": lambda text: facts_of(piece(text)),
    "facts_of, headed": lambda text: (
        facts_of(piece(text, title="Anna Berg is mayor of Oslo"), headed=True),
        facts_of(piece(TOLD, title=text), headed=True),
    ),
    "PossibleAnswers": lambda text: [
        AnswerTable.of([PossibleAnswers.of(text)]).has(kind, known=frozenset(), sentences=np.arange(1))
        for kind in KINDS
    ],
    "ExtractiveReader": lambda text: ExtractiveReader().read(ASKED, evidence=[piece(text)]),
    "ExtractiveReader, asked": lambda text: ExtractiveReader().read(
        decompose(text[:QUESTION] or "?", as_of=NOW), evidence=[piece(TOLD)], choices=["a", text[:400]]
    ),
    "RuleJudge": lambda text: RuleJudge().judge([(text, TOLD), (TOLD, text)]),
    "LexicalEmbeddings": lambda text: LexicalEmbeddings().embed_array([text]),
    "FreshPrompt": lambda text: FreshPrompt().build(ASKED, evidence=[piece(text, title=text)]),
}
"""Methods of classes and sequences of calls, which no list can find."""

NO_SCANNERS: dict[str, str] = {
    **dict.fromkeys(
        (
            "dateline.databases.database_url",
            "dateline.formats.foreign.answer",
            "dateline.search.index.evidence_text.read_evidence",
            "dateline.facts.newest.newest_first",
            "dateline.search.index.opening.open_library",
            "dateline.language.calendar.calendar_words",
            "dateline.temporal.european_phrases.question_words",
            "dateline.temporal.first_letters.first_letters",
            "dateline.temporal.language_files.foreign",
            "dateline.temporal.language_files.common_words",
            "dateline.temporal.language_files.letters",
            "dateline.temporal.language_files.time_words",
            "dateline.temporal.language_files.plain_words",
            "dateline.temporal.language_files.name_forms",
            "dateline.temporal.name_kinds.name_kinds",
            "dateline.temporal.language_files.language_file",
            "dateline.temporal.language_files.relation_words",
            "dateline.language.calendar.languages_from",
            "dateline.language.word_lists.json_data",
            "dateline.language.word_lists.word_list",
            "dateline.language.word_lists.word_rows",
            "dateline.language.word_lists.word_table",
            "dateline.lazy.lazy_exports",
            "dateline.errors.require",
            "dateline.text.cache_folder.read_verified",
            "dateline.text.cache_folder.write_verified",
            "dateline.secrets.hide_from_logs",
            "dateline.visible.logger",
            "dateline_graphs.generate_options.table_9",
        ),
        "takes a name of our own",
    ),
    **dict.fromkeys(
        (
            "dateline.temporal.calendar_dates.decade_interval",
            "dateline.temporal.year_words.full_year",
            "dateline.temporal.points.number_of",
            "dateline.handwritten.labels.lexicon.exclusive",
            "dateline.language.names.is_capital",
            "dateline.language.assertion.without",
        ),
        "takes words that a scanner has found",
    ),
    **dict.fromkeys(
        (
            "dateline.options.read_option",
            "dateline.reading.announced.announcement",
            "dateline.options.unknown",
            "dateline.options.suggestion",
            "dateline.limits.shortened",
            "dateline.channels.names_of",
            "dateline.channels.renamed",
            "dateline.facts.chain.link",
            "dateline.facts.fact.slot_key",
            "dateline.facts.slots.value_tag",
            "dateline.facts.inference_rule.filled",
            "dateline.facts.slot_values.named",
            "dateline.evidence.written_dates.with_clock",
            "dateline.chat.reply.unreadable",
            "dateline.chat.messages.request",
            "dateline.search.time_range.second_look",
            "langchain_dateline.tool_results.searches",
            "langchain_dateline.testing.calls_tool",
        ),
        "looks at a bounded text, or at no text",
    ),
    **dict.fromkeys(
        (
            "dateline.pretrained.shared_pretrained",
            "dateline_graphs.page.document.document",
            "dateline_graphs.page.document.file",
            "dateline_graphs.page.markup.tag",
            "dateline_graphs.page.markup.table",
        ),
        "takes a path, or pieces of a page that are made already",
    ),
    **dict.fromkeys(
        (
            "dateline.testing.openai_protocol.follows",
            "dateline.dynamic.look_up.look_up",
            "dateline.dynamic.queries.base.or_question",
        ),
        "hands its text to readers that are timed, or to a parser of the standard library",
    ),
}
"""Functions that take a text and are no readers of foreign text, with the reason."""


@cache
def found() -> dict[str, tuple[Scanner, bool]]:
    """Map each public function whose first argument is a text to itself and whether it takes no other."""
    return {name: (function, alone) for package in PACKAGES for name, function, alone in _functions(package)}


def scanners() -> dict[str, Scanner]:
    """Map the names of all readers of foreign text to functions of a text alone."""
    alone = {name: function for name, (function, one) in found().items() if one and name not in NO_SCANNERS}
    return {**alone, **WITH_MORE, **METHODS}


def _functions(package: Any) -> Iterator[tuple[str, Scanner, bool]]:
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        try:
            module = importlib.import_module(info.name)
        except ImportError:  # an optional package is missing
            continue
        for name, value in vars(module).items():
            if not name.startswith("_") and _is_function(value) and value.__module__ == info.name:
                needed = [one for one in inspect.signature(value).parameters.values() if _is_needed(one)]
                if needed and needed[0].annotation == "str":
                    yield f"{info.name}.{name}", value, len(needed) == 1


def _is_function(value: Any) -> bool:
    return inspect.isfunction(value) or inspect.isfunction(getattr(value, "__wrapped__", None))  # a cached one


def _is_needed(parameter: inspect.Parameter) -> bool:
    kinds = (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and parameter.kind not in kinds


def _reader(name: str) -> Scanner:
    return found()[name][0]
