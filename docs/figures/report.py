"""The pictures of pages in docs/report.md and docs/dynamic.md (wants Chromium, Playwright and Pillow).

    python docs/figures/report.py              # of a run of dateline ask
    python docs/figures/report.py generation   # of a generation: over the made-up world of benchmarks/dragin_world.py

The second wants the model that the benchmark trained, in build/multihop-model.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from dateline.dynamic import Generation
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph
from dateline_graphs.page import render

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
QUESTION = {"question": "Who is the Prime Minister of the United Kingdom?", "as_of": "2023-01-15"}
SHOTS = (("report-light", 960, 1560, "light", 1), ("report-dark", 960, 1560, "dark", 1))
SHOTS += (("report-phone", 360, 1560, "light", 1.5),)
GENERATION = (("generation-light", 960, 1100, "light", 1),)


def main() -> None:
    if sys.argv[1:] == ["generation"]:
        return picture(render(generation()), shots=GENERATION)
    options = AnswerOptions(docs=str(ROOT / "examples" / "corpus"))
    result = answer_graph().compile().invoke(QUESTION, context=options)
    picture(render(AnswerReport.model_validate(result["report"])), shots=SHOTS)


def generation() -> Generation:
    """The first held-out question of the benchmark at which RIND with FLARE's query looks something up twice."""
    sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "training")]
    import dragin_world
    import multihop_world

    world = multihop_world.build(seed=0)
    model, tokens = dragin_world.loaded(ROOT / "build" / "multihop-model", world=world, seed=0, steps=0)
    generator = dragin_world.generator_over(model, tokens=tokens, world=world)
    generator = dragin_world.with_method(generator, dragin_world.MIXED, {"threshold": 0.05})
    for route in world.asked(dragin_world.DRAWN, rng=random.Random(0))[30:]:
        made = generator.generate(route.question)
        if len(made.retrievals) == 2:
            return made
    raise SystemExit("No question made it look twice.")


def picture(page: str, *, shots: tuple[tuple[str, int, int, str, float], ...]) -> None:
    """Pictures of a page: (name, width, height, colours, scale)."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "page.html"
        page_file.write_text(page, encoding="utf-8")
        path = os.environ.get("DATELINE_CHROMIUM") or shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name, width, height, scheme, scale in shots:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=scale
            )
            shown = context.new_page()
            shown.goto(page_file.as_uri())
            shot = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
            shot.quantize(64).save(HERE / f"{name}.png", optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
