"""Hooks of the site: pages from outside this folder, the API reference, and llms.txt.

`mkdocs.yml` names this file. Nothing here is part of the package.
"""

from __future__ import annotations

import ast
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md", "benchmarks/notes/README.md")
OUTSIDE = (
    *OUTSIDE,
    "examples/README.md",
    *(str(path.relative_to(ROOT)) for path in ROOT.glob("examples/skills/*/*.md")),
)
"""Pages of the repository that the site shows, too, under project/."""
PAIRS = {name: f"## {name}\n\nSee `BatchEstimator`." for name in ("estimate_each", "aestimate_each")}
"""Functions that are made as a pair, which a reader of sources does not see, and what the reference says of them."""

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)#\s]*)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
_SOURCES = (ROOT / "plugins", ROOT / "graphs")


def packages() -> dict[str, list[str]]:
    """Map each public package to the names that it exports."""
    found = {}
    for source in _SOURCES:
        for path in sorted(source.rglob("__init__.py")):
            name = ".".join(path.parent.relative_to(source).parts)
            exported = _exports(path)
            if exported and "handwritten" not in name:
                found[name] = exported
    return found


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add what does not lie in this folder."""
    for path in OUTSIDE:
        files.append(File.generated(config, f"project/{path}", abs_src_path=str(ROOT / path)))
    names = packages()
    for name, exported in names.items():
        body = "\n\n".join(PAIRS.get(each, f"::: {name}.{each}") for each in exported)
        files.append(
            File.generated(config, f"api/{name}.md", content=f"# {name}\n\n{_first_paragraph(name)}\n\n{body}\n")
        )
    listed = "\n".join(f"- [{name}]({name}.md)" for name in names)
    files.append(File.generated(config, "api/index.md", content=f"# API\n\n{listed}\n"))
    files.append(File.generated(config, "llms.txt", content=_for_assistants(files)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links at the site's pages; of a source file only its name is left."""
    uri = page.file.src_uri
    place = uri.removeprefix("project/") if uri.startswith("project/") else f"docs/{uri}"

    def pointed(link: re.Match[str]) -> str:
        mark, text, path, anchor = link.groups(default="")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
        for found in (target.removeprefix("docs/"), f"project/{target}"):
            if path and files.get_file_from_path(found) is not None:
                return f"{mark}[{text}]({posixpath.relpath(found, posixpath.dirname(uri) or '.')}{anchor})"
        return text if path else link.group()

    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
    return "".join(part if number % 2 else _LINK.sub(pointed, part) for number, part in enumerate(parts))


def _exports(path: Path) -> list[str]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets
        ):
            value = node.value
            return list(ast.literal_eval(value)) if isinstance(value, ast.List | ast.Tuple) else []
    return []


def _first_paragraph(name: str) -> str:
    for source in _SOURCES:
        path = source.joinpath(*name.split("."), "__init__.py")
        if path.exists():
            return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0]
    return ""


def _for_assistants(files: Files) -> str:
    """List the pages with their first paragraphs (llmstxt.org)."""
    lines = [
        "# dateline",
        "",
        "> Time-aware retrieval-augmented generation for LangChain, LangGraph and LlamaIndex.",
        "",
    ]
    lines += ["## Pages", ""]
    for file in files.documentation_pages():
        if not file.src_uri.startswith(("api/", "project/")):
            text = _FENCE.sub("", file.content_string)
            title = re.search(r"^# (.+)$", text, re.M)
            prose = [part for part in text.split("\n\n") if part.strip() and part[0] not in "#|<`-!"]
            said = " ".join(prose[0].split()) if prose else ""
            said = _LINK.sub(r"\2", said)
            lines.append(f"- [{title[1] if title else file.src_uri}]({file.url}): {said}")
    return "\n".join(lines) + "\n"
