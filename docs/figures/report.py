"""The pictures of the page in docs/report.md: python docs/figures/report.py (wants Chromium, Playwright and Pillow)."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from asof_graphs import AnswerOptions, AnswerReport, answer_graph

HERE = Path(__file__).parent
QUESTION = {"question": "Who was the chief executive of Apple in 2009?", "as_of": "2023-01-15"}
SHOTS = (("light", 960, 1560, "light", 1), ("dark", 960, 1560, "dark", 1), ("phone", 360, 1560, "light", 1.5))


def main() -> None:
    options = AnswerOptions(docs=str(HERE.parent.parent / "examples" / "corpus"))
    result = answer_graph().compile().invoke(QUESTION, context=options)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "report.html"
        page_file.write_text(AnswerReport.model_validate(result["report"]).to_html(), encoding="utf-8")
        path = os.environ.get("ASOF_CHROMIUM") or shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name, width, height, scheme, scale in SHOTS:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=scale
            )
            page = context.new_page()
            page.goto(page_file.as_uri())
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            shot.quantize(64).save(HERE / f"report-{name}.png", optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
