"""dateline for LangChain: retrievers, compressors, transformers, readers."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports

if TYPE_CHECKING:
    from langchain_dateline.adaptive import AdaptiveRetriever
    from langchain_dateline.answer_parser import AnswerParser
    from langchain_dateline.answering import ReaderRunnable
    from langchain_dateline.asked import AskedAt
    from langchain_dateline.audit import AuditedDocuments
    from langchain_dateline.certainty import CertaintyCallbackHandler
    from langchain_dateline.chat_model import ReaderChatModel
    from langchain_dateline.dated import DatedDocuments, dated_context
    from langchain_dateline.documents import document_of, evidence_of_document
    from langchain_dateline.evidence import EvidenceRetriever
    from langchain_dateline.facts import FactStoreRetriever
    from langchain_dateline.fresheval import FreshEval
    from langchain_dateline.freshprompt import FreshPromptTemplate
    from langchain_dateline.gate import CertaintyGate
    from langchain_dateline.generation import RetrievingChatModel
    from langchain_dateline.learning import FactStoreCallbackHandler
    from langchain_dateline.memory import FactMemoryStore
    from langchain_dateline.question_rewriter import StandaloneQuestion
    from langchain_dateline.reranker import TemporalReranker
    from langchain_dateline.retriever import TemporalRetriever
    from langchain_dateline.stamper import DateStamper
    from langchain_dateline.telemetry import TelemetryCallbackHandler, instrument
    from langchain_dateline.tools import DatelineTool, dateline_tools
    from langchain_dateline.tracing import CostCallbackHandler, EvidenceTraceCallbackHandler, FreshnessCallbackHandler
    from langchain_dateline.transformers_chat import TransformersChatModel

__getattr__ = lazy_exports(
    "langchain_dateline",
    AdaptiveRetriever="langchain_dateline.adaptive",
    AnswerParser="langchain_dateline.answer_parser",
    AskedAt="langchain_dateline.asked",
    AuditedDocuments="langchain_dateline.audit",
    CertaintyCallbackHandler="langchain_dateline.certainty",
    CertaintyGate="langchain_dateline.gate",
    CostCallbackHandler="langchain_dateline.tracing",
    DateStamper="langchain_dateline.stamper",
    DatedDocuments="langchain_dateline.dated",
    DatelineTool="langchain_dateline.tools",
    EvidenceRetriever="langchain_dateline.evidence",
    EvidenceTraceCallbackHandler="langchain_dateline.tracing",
    FactMemoryStore="langchain_dateline.memory",
    FactStoreCallbackHandler="langchain_dateline.learning",
    FactStoreRetriever="langchain_dateline.facts",
    FreshEval="langchain_dateline.fresheval",
    FreshPromptTemplate="langchain_dateline.freshprompt",
    FreshnessCallbackHandler="langchain_dateline.tracing",
    ReaderChatModel="langchain_dateline.chat_model",
    ReaderRunnable="langchain_dateline.answering",
    RetrievingChatModel="langchain_dateline.generation",
    StandaloneQuestion="langchain_dateline.question_rewriter",
    TelemetryCallbackHandler="langchain_dateline.telemetry",
    TemporalReranker="langchain_dateline.reranker",
    TemporalRetriever="langchain_dateline.retriever",
    TransformersChatModel="langchain_dateline.transformers_chat",
    dated_context="langchain_dateline.dated",
    dateline_tools="langchain_dateline.tools",
    document_of="langchain_dateline.documents",
    evidence_of_document="langchain_dateline.documents",
    instrument="langchain_dateline.telemetry",
)
__all__ = [
    "AdaptiveRetriever",
    "AnswerParser",
    "AskedAt",
    "AuditedDocuments",
    "CertaintyCallbackHandler",
    "CertaintyGate",
    "CostCallbackHandler",
    "DateStamper",
    "DatedDocuments",
    "DatelineTool",
    "EvidenceRetriever",
    "EvidenceTraceCallbackHandler",
    "FactMemoryStore",
    "FactStoreCallbackHandler",
    "FactStoreRetriever",
    "FreshEval",
    "FreshPromptTemplate",
    "FreshnessCallbackHandler",
    "ReaderChatModel",
    "ReaderRunnable",
    "RetrievingChatModel",
    "StandaloneQuestion",
    "TelemetryCallbackHandler",
    "TemporalReranker",
    "TemporalRetriever",
    "TransformersChatModel",
    "dated_context",
    "dateline_tools",
    "document_of",
    "evidence_of_document",
    "instrument",
]
