"""Updates of facts by a chat model (ERASE, section 3)."""

from __future__ import annotations

from datetime import datetime
from typing import get_args

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES, ReplyLoop, prompt_room
from dateline.counted import counted
from dateline.errors import BadInput, check_choice, check_least
from dateline.facts.draft import Draft
from dateline.facts.policy import Policy
from dateline.facts.store import FactStore
from dateline.facts.updater import DraftingUpdater
from dateline.facts.updating.decisions import EditDecision
from dateline.facts.updating.document_parts import split_document
from dateline.facts.updating.passes import UpdateMode, UpdateSettings, passes
from dateline.facts.updating.second_word import CONFIRMS, SecondWord
from dateline.flow import Flow, call
from dateline.protocols import EffectJudge
from dateline.reading.still import shared_still_judge
from dateline.records import Evidence
from dateline.text.tokens import TokenCounter, count_tokens

THRESHOLD = 0.4
"""Least cosine of facts that a document may edit. ERASE's 0.7 belongs to GTR, whose cosines run higher."""

PIECE_TOKENS = 2_000
"""Half of the context that ERASE, section 5.2, gives its models on news; the other half is for facts."""

RELATED_TOKENS = 4_000
"""Room for about 130 facts with their histories."""


PROMPT_TOKENS = 700
"""Room for the instructions, labels and headings."""

LEAST_TOKENS = 50
"""Room for a sentence; chosen by hand."""


class ChatUpdater(DraftingUpdater):
    """Updater whose chat model decides which facts a document adds or ends.

    For each piece of a document at most three calls, retries of unreadable replies aside: its facts; verdicts on all
    related facts in one numbered list; what takes the place of the false ones, with a second look at facts close to
    these. Whatever the model replies, it can only touch facts that it was shown, make false only what the lines it
    names speak of and a second word confirms (slots, words of change, or the trained judge), and add only what stands in the
    document. A document that arrives late is fitted in: what it says counts until a newer document said otherwise. Undated
    documents make nothing false.

    Every reply is kept beside the ledger before it is used: an ingestion that was killed goes on without paying
    again, and so does the real update after a dry run.

    Args:
        store: where facts are looked up and written.
        model: any LangChain chat model.
        policy: who may edit, which edits need several sources, and which wait for a person.
        mode: `fact_by_fact` are the published passes, a call for each related and each false fact.
        threshold: the least cosine of a fact that may be edited, -1 to 1.
        piece_tokens: the most tokens of a document in one call, at least 50; fewer where the model tells a context that
            is too short for them.
        related_tokens: the most tokens of related facts in one call, likewise; the most similar come first.
        tries: how often one question is put at most, where replies cannot be read.
        structured: whether the model's structured output is used where it has one.
        judge: has the second word on each fact that the model ends; by default the trained one, which is shipped.
        confirms: the least probability at which the judge agrees, 0 to 1; at 0 the model's word is enough.
        count: counts tokens; by default tiktoken's cl100k_base where its file is on this machine.

    Raises:
        BadInput: for an argument outside of its range, or a `model` that is no chat model.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.facts import ExactIndex, FactStore, MemoryLedger
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> updater = ChatUpdater(store, ScriptedChatModel(replies=['["The mayor is Ada Berg."]']))
        >>> [update] = updater.update([Evidence.make("The mayor is Ada Berg.")], known_at=now())
        >>> [change.fact.text for change in update.changes]
        ['The mayor is Ada Berg.']
    """

    def __init__(
        self,
        store: FactStore,
        model: BaseChatModel,
        *,
        policy: Policy | None = None,
        mode: UpdateMode = "together",
        threshold: float = THRESHOLD,
        piece_tokens: int = PIECE_TOKENS,
        related_tokens: int = RELATED_TOKENS,
        tries: int = TRIES,
        structured: bool = True,
        judge: EffectJudge | None = None,
        confirms: float = CONFIRMS,
        count: TokenCounter | None = None,
    ) -> None:
        check_choice(mode, name="mode", choices=get_args(UpdateMode))
        check_least(LEAST_TOKENS, piece_tokens=piece_tokens, related_tokens=related_tokens)
        if not 0.0 <= confirms <= 1.0:
            raise BadInput(f"confirms must be from 0 to 1, not {confirms}.")
        super().__init__(store, policy=policy, threshold=threshold)
        count = count or count_tokens
        # Beside a piece stand new facts, which say no more than it, and two lists of known ones, the second half as long.
        wanted = PROMPT_TOKENS + 2 * piece_tokens + related_tokens + related_tokens // 2
        share = (prompt_room(model, budget=wanted) - PROMPT_TOKENS) / (wanted - PROMPT_TOKENS)
        piece_tokens, related_tokens = (max(LEAST_TOKENS, int(share * each)) for each in (piece_tokens, related_tokens))
        self._piece_tokens = piece_tokens
        self._settings = UpdateSettings(
            mode=mode,
            threshold=threshold,
            related_tokens=related_tokens,
            count=count,
            loop=ReplyLoop(model, tries=tries, count=count, cache=store.ledger.notes, structured=structured),
            second=SecondWord(judge or shared_still_judge(), limit=confirms),
        )

    def _drafting(self, document: Evidence, *, known_at: datetime) -> Flow[Draft]:
        decision = EditDecision(document, store=self.store, known_at=known_at)
        for piece in split_document(document, tokens=self._piece_tokens, count=self._settings.count):
            found = yield from passes(piece, store=self.store, settings=self._settings)
            yield from call(decision.take, found)  # it reads the store, which an event loop should not wait for
        return _draft_of(decision)


def _draft_of(decision: EditDecision) -> Draft:
    notes, recalled = [], decision.recalled
    if recalled:
        notes.append(f"{counted(recalled, 'reply')} had been paid for before and cost nothing now.")
    if decision.applied_again:
        count = len(decision.applied_again)
        notes.append(
            f"{count} later document{' was' if count == 1 else 's were'} applied again from the ledger, without a call."
        )
    return Draft(
        operations=decision.operations,
        cost=decision.cost,
        skipped=tuple(dict.fromkeys(decision.skipped)),
        notes=tuple(notes),
    )
