"""The site is built without a warning, is whole, loads nothing from elsewhere, and fits a phone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = os.environ.get("DATELINE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
LOADED = re.compile(r"<(?:script|link|img|iframe)[^>]*?(?:src|href)=\"(https?:[^\"]+)\"")
LOOKED_AT = ("index.html", "facts/index.html", "api/dateline.facts/index.html", "project/benchmarks/index.html")

pytestmark = pytest.mark.timeout(600)
pytest.importorskip("mkdocs", reason="the site wants the development packages")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_has_a_place_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    assert not [page.name for page in (ROOT / "docs").glob("*.md") if page.name not in navigation]


def test_every_page_is_there_and_in_the_list_for_assistants(site: Path) -> None:
    listed = (site / "llms.txt").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        place = "" if page.stem == "index" else f"{page.stem}/"
        assert (site / place / "index.html").exists()
        assert f"]({place or './'})" in listed


def test_the_reference_holds_every_public_name(site: Path) -> None:
    for package in ("dateline", "dateline.facts", "dateline.temporal", "langchain_dateline", "dateline_graphs"):
        page = (site / "api" / package / "index.html").read_text(encoding="utf-8")
        for name in __import__(package, fromlist=["__all__"]).__all__:
            assert f">{name}<" in page or f"{package}.{name}" in page, f"{package}.{name}"


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert not {url for page in site.rglob("*.html") for url in LOADED.findall(page.read_text(encoding="utf-8"))}


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
def test_no_page_is_wider_than_the_window(site: Path, width: int, scheme: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
        for path in LOOKED_AT:
            page.goto((site / path).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        browser.close()
