"""Names of attributes: OpenInference's semantic conventions, and our own.

OpenInference's are those of https://github.com/Arize-ai/openinference (spec/semantic_conventions.md).
"""

from __future__ import annotations

from typing import Literal

SpanKind = Literal["CHAIN", "LLM", "RETRIEVER", "EMBEDDING", "TOOL", "AGENT", "RERANKER"]

KIND = "openinference.span.kind"
INPUT, INPUT_TYPE = "input.value", "input.mime_type"
OUTPUT, OUTPUT_TYPE = "output.value", "output.mime_type"
DOCUMENTS, RERANKED = "retrieval.documents", "reranker.output_documents"
DOCUMENT_ID, DOCUMENT_CONTENT = "document.id", "document.content"
DOCUMENT_SCORE, DOCUMENT_METADATA = "document.score", "document.metadata"
MODEL, PROVIDER = "llm.model_name", "llm.provider"
INPUT_MESSAGES, OUTPUT_MESSAGES = "llm.input_messages", "llm.output_messages"
ROLE, CONTENT = "message.role", "message.content"
TOKENS_IN, TOKENS_OUT, TOKENS = "llm.token_count.prompt", "llm.token_count.completion", "llm.token_count.total"
TOOL_NAME, TOOL_DESCRIPTION = "tool.name", "tool.description"
SESSION, USER, NODE, TAGS = "session.id", "user.id", "graph.node.name", "tag.tags"

AS_OF = "dateline.as_of"
"""The asking date, as ISO text or as it was given."""
NEWEST, OLDEST = "dateline.freshness.newest", "dateline.freshness.oldest"
"""Dates of the newest and oldest dated evidence, as ISO text."""
AGE_DAYS, UNDATED = "dateline.freshness.newest_age_days", "dateline.freshness.undated"
RELIABLE, MISLEADING = "dateline.certainty.reliable", "dateline.certainty.misleading"
UNCERTAIN, LABEL = "dateline.certainty.uncertain", "dateline.certainty.label"
OUTCOME, ROUNDS = "dateline.decision.outcome", "dateline.decision.rounds"
