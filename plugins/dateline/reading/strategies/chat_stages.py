"""The stages of Self-MRAG with a chat model.

At most two requests for each passage and one for the answer, plus retries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage

from dateline.chat import TRIES, ParsedReply, ReplyLoop, request, spoken, stated, whole_lines
from dateline.evidence.blocks import QUOTED, asked_block, evidence_block
from dateline.evidence.sanitize import sanitize
from dateline.flow import Flow, call
from dateline.protocols import ReadResult
from dateline.reading.answer_text import MAX_ANSWER, AskedText, talks_of_itself
from dateline.reading.reply import fields_in, is_unknown
from dateline.reading.strategies.one_prompt import BUDGET, MAX_PASSAGES, ChainOfThought, RagConcat
from dateline.reading.strategies.stages import Relevance, Summary
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.text import TokenCounter, content_words, count_tokens

_CHECK = f"""\
You are given one passage and a question. Decide whether the passage names something that answers the question, for \
whatever time: dates are compared later. A passage on the same subject that names no answer does not count.

- {QUOTED}"""

_CHECK_FORM = """\
Reply in exactly this form:
reasoning: <one sentence: what the passage names, if anything>
answer: <yes or no>"""

_SUMMARISE = f"""\
You are given one passage and a question. Say in one to three sentences what the passage tells in answer to the \
question, in words that can be understood without the passage.

- Keep every date: of each answer, since when or until when or at what time it was so, as far as the passage tells.
- Where the passage gives different answers for different times, give each with its time.
- Add nothing that the passage does not say. If it says nothing in answer, the answer is "none".
- {QUOTED}"""

_SUMMARY_FORM = """\
Reply in exactly this form:
answer: <the sentences>"""

_ASKED = AskedText.of([HumanMessage(_SUMMARY_FORM)])
_YES_NO = ("yes", "no", "true", "false")
_LEAST_SHARED = 0.5
"""Share of a summary's words of content that its passage or question must hold; chosen by hand."""


class ChatStages:
    """Checks, reads and combines with one chat model.

    A check whose reply stays unreadable lets its passage through; a reading that stays unreadable, or that shares less than
    half of its words with its passage and question, and every request in which the model fails, leave their passage out. Each
    says so in its `problem`. The final answer comes from all summaries, oldest to newest, in one prompt of at most `budget`
    tokens.

    Example:
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> ChatStages(ScriptedChatModel(replies=["answer: Ada Berg"]), concurrency=2).reply_loop.concurrency
        2
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        tries: int = TRIES,
        concurrency: int = 8,
        from_memory: bool = False,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
    ) -> None:
        """Take a model.

        Args:
            tries: how often one request is put at most.
            concurrency: how many requests run side by side.
            from_memory: whether the model may answer from what it knows where the summaries do not, as in the paper; without
                any summary it is asked the question alone.

        Raises:
            BadInput: for numbers below 1, a budget too small for any evidence, or a model that is none.
        """
        self.reply_loop = ReplyLoop(model, tries=tries, concurrency=concurrency, count=count or count_tokens)
        self.reader = RagConcat(
            model,
            passages=MAX_PASSAGES * 5,
            reasoning=True,
            from_memory=from_memory,
            arranged="time",
            tries=tries,
            budget=budget,
            count=count,
        )
        self.from_memory = from_memory
        self.memory = ChainOfThought(model, tries=tries, budget=budget, count=count)

    def check(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[Relevance]]:
        """Ask of each piece if it names an answer."""
        requests = _requests(_CHECK, _CHECK_FORM, question, evidence, choices)
        replies = yield from self.reply_loop.asking_each(requests, read=_check)
        return [_relevance(piece, reply) for piece, reply in zip(evidence, replies, strict=True)]

    def summarise(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        relevance: Sequence[Relevance],
        choices: Sequence[str] = (),
    ) -> Flow[list[Summary]]:
        """Ask what each piece says."""
        requests = _requests(_SUMMARISE, _SUMMARY_FORM, question, evidence, choices)
        replies = yield from self.reply_loop.asking_each(requests, read=_summary)
        return [_summarised(question, piece, reply) for piece, reply in zip(evidence, replies, strict=True)]

    def combine(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        summaries: Sequence[Summary],
        choices: Sequence[str] = (),
    ) -> Flow[ReadResult]:
        """Ask the question over the summaries. Raises `ModelFailed` when the model fails."""
        said = _spoken_for(evidence, summaries)
        reader = self.reader if said or not self.from_memory else self.memory
        return (yield from call(reader.read, question, evidence=said, choices=choices))


def _requests(
    task: str, form: str, question: Question, evidence: Sequence[Evidence], choices: Sequence[str]
) -> list[list[BaseMessage]]:
    """Return requests about the content: a time would turn others away early."""
    timeless = Question(question.timeless, question.content, None, question.as_of)
    asked = asked_block(timeless, choices)
    return [
        request(task, material=f"{evidence_block(piece, label='E1', as_of=question.as_of)}\n\n{asked}", form=form)
        for piece in evidence
    ]


def _check(message: BaseMessage) -> tuple[bool, str] | None:
    """Return whether a passage is said to name an answer, and why."""
    text = spoken(whole_lines(message))
    said = stated(text, options=_YES_NO)
    if said is None:
        return None
    return said[1].lower() in ("yes", "true"), sanitize(fields_in(text).get("reasoning", ""), limit=300)


def _relevance(piece: Evidence, reply: ParsedReply[tuple[bool, str]]) -> Relevance:
    if reply.value is not None:
        relevant, reason = reply.value
        return Relevance(evidence_id=piece.id, relevant=relevant, reason=reason, cost=reply.cost)
    failed = reply.failed is not None
    return Relevance(evidence_id=piece.id, relevant=not failed, problem=_problem(reply), failed=failed, cost=reply.cost)


def _summary(message: BaseMessage) -> str | None:
    """Return the summary, labelled or not; empty for "none", `None` where unreadable."""
    text = spoken(whole_lines(message))
    said = sanitize(fields_in(text).get("answer", text).split("\n\n")[0].strip('*_`"“” '), limit=MAX_ANSWER)
    if is_unknown(said):
        return ""
    return None if not content_words(said) or _ASKED.is_blank(said) or talks_of_itself(said) else said


def _summarised(question: Question, piece: Evidence, reply: ParsedReply[str]) -> Summary:
    text = reply.value or ""
    problem = _problem(reply)
    said, told = set(content_words(text)), set(content_words(f"{piece.title} {piece.text} {question.text}"))
    if text and len(said & told) < _LEAST_SHARED * len(said):
        text, problem = "", f"A summary shares few words with its passage: {text[:100]!r}"
    return Summary(evidence_id=piece.id, text=text, problem=problem, failed=reply.failed is not None, cost=reply.cost)


def _problem(reply: ParsedReply[Any]) -> str:
    return str(reply.failed or reply.problem)


def _spoken_for(evidence: Sequence[Evidence], summaries: Sequence[Summary]) -> list[Evidence]:
    """Return the pieces that said something, with summaries as texts."""
    texts: Mapping[str, str] = {summary.evidence_id: summary.text for summary in summaries if summary.text}
    return [
        piece.model_copy(update={"text": texts[piece.id], "highlights": ()}) for piece in evidence if piece.id in texts
    ]
