"""asof for LangChain: retrievers, compressors, transformers, readers."""

from langchain_asof.adaptive import AdaptiveRetriever
from langchain_asof.answering import ReaderRunnable
from langchain_asof.certainty import CertaintyCallbackHandler
from langchain_asof.chat_model import ReaderChatModel
from langchain_asof.documents import document_of, evidence_of_document
from langchain_asof.evidence import EvidenceRetriever
from langchain_asof.facts import FactStoreRetriever
from langchain_asof.fresheval import FreshEval
from langchain_asof.freshprompt import FreshPromptTemplate
from langchain_asof.gate import CertaintyGate
from langchain_asof.generation import RetrievingChatModel
from langchain_asof.learning import FactStoreCallbackHandler
from langchain_asof.reranker import TemporalReranker
from langchain_asof.retriever import TemporalRetriever
from langchain_asof.stamper import DateStamper
from langchain_asof.standalone import StandaloneQuestion
from langchain_asof.tracing import CostCallbackHandler, EvidenceTraceCallbackHandler, FreshnessCallbackHandler

__all__ = [
    "AdaptiveRetriever",
    "CertaintyCallbackHandler",
    "CertaintyGate",
    "CostCallbackHandler",
    "DateStamper",
    "EvidenceRetriever",
    "EvidenceTraceCallbackHandler",
    "FactStoreCallbackHandler",
    "FactStoreRetriever",
    "FreshEval",
    "FreshPromptTemplate",
    "FreshnessCallbackHandler",
    "ReaderChatModel",
    "ReaderRunnable",
    "RetrievingChatModel",
    "StandaloneQuestion",
    "TemporalReranker",
    "TemporalRetriever",
    "document_of",
    "evidence_of_document",
]
