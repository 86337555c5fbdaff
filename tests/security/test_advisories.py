"""Lower bounds lie above the versions that fixed what is known, and the documentation says so."""

from __future__ import annotations

import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
ADVISORIES: list[dict[str, str]] = tomllib.loads((ROOT / ".ci" / "advisories.toml").read_text(encoding="utf-8"))[
    "advisory"
]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BEGIN, END = "<!-- advisories -->\n", "<!-- end of advisories -->"


def floors() -> dict[str, Version]:
    """The lower bound of each package that is asked for."""
    asked = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    bounds = {one.name: one.specifier for one in map(Requirement, asked) if one.specifier}
    return {name: max(Version(each.version) for each in bound) for name, bound in bounds.items()}


def table() -> str:
    lines = [
        "| package | advisory | fixed in | lower bound | what | reached by dateline |",
        "|---|---|---|---|---|---|",
    ]
    bounds = floors()
    for each in ADVISORIES:
        fixed = each["fixed"] or "none known"
        lines.append(
            f"| {each['package']} | {each['id']} | {fixed} | {bounds[each['package']]} | {each['what']} | {each['reachable']} |"
        )
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("advisory", ADVISORIES, ids=lambda each: each["id"])
def test_the_lower_bound_of_a_package_is_not_below_what_fixed_it(advisory: dict[str, str]) -> None:
    bound = floors()[advisory["package"]]
    if advisory["fixed"]:
        assert bound >= Version(advisory["fixed"])
    else:
        assert advisory["reachable"].startswith("no: ")


def test_the_page_shows_the_table() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert page.split(BEGIN)[1].split(END)[0] == table()


def test_each_advisory_stands_there_once() -> None:
    assert len({each["id"] for each in ADVISORIES}) == len(ADVISORIES)
    assert all(each.keys() == {"package", "id", "fixed", "what", "reachable"} for each in ADVISORIES)
