"""Type checkers accept code that uses dateline as the documentation does."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CHECKERS = {
    "mypy": ["--strict"],
    "pyright": ["--pythonpath", sys.executable],
}


@pytest.mark.timeout(900)  # a checker reads LangChain, LangGraph and LlamaIndex where it has no cache yet
@pytest.mark.parametrize("checker", CHECKERS)
def test_users_code_is_accepted(checker: str) -> None:
    if find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed; it comes with the group dev")
    environment = {**os.environ, "MYPYPATH": f"{ROOT / 'plugins'}{os.pathsep}{ROOT / 'graphs'}"}
    command = [sys.executable, "-m", checker, *CHECKERS[checker], "tests/typing/users_code.py"]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
