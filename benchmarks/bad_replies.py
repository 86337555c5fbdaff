"""Put bad replies to every prompt's reader: none is believed, none raises, calls stay bounded.

python benchmarks/bad_replies.py [--replies 10000] [--seed 1] [--prompt NAME] [--json FILE]
python benchmarks/bad_replies.py --table

Ten thousand replies to each of the twenty prompts take about ten minutes of one processor. `--table` prints the table of
docs/prompts.md. Exits with 1 where anything went wrong, and shows the first such replies.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from dateline_bench.bad_replies.measuring import BadReplyFigures, measure, table
from dateline_bench.bad_replies.prompts import PROMPTS


def told(figures: BadReplyFigures) -> dict[str, object]:
    """The figures of one prompt as JSON."""
    return {
        "replies": dict(figures.replies),
        "believed": len(figures.believed),
        "raised": len(figures.raised),
        "untold": len(figures.untold),
        "most_calls": figures.most_calls,
        "bound": figures.bound,
    }


def main() -> int:
    """Measure and print, one prompt a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prompt", choices=[case.name for case in PROMPTS])
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if arguments.table:
        print(table())
        return 0
    figures: dict[str, dict[str, object]] = {}
    sound = True
    for case in PROMPTS:
        if arguments.prompt not in (None, case.name):
            continue
        started = time.process_time()
        found = measure(case, replies=arguments.replies, seed=arguments.seed)
        figures[case.name] = told(found)
        sound = sound and found.sound
        print(
            f"{case.name:24} {found.replies.total():6} replies: believed {len(found.believed)}, raised {len(found.raised)}, "
            f"untold {len(found.untold)}, calls {found.most_calls} of {found.bound}, {time.process_time() - started:.0f} s",
            flush=True,
        )
        for example in [*found.believed, *found.raised, *found.untold][:3]:
            print(f"    {example}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"seed": arguments.seed, "prompts": figures}, indent=2) + "\n")
    return 0 if sound else 1


if __name__ == "__main__":
    raise SystemExit(main())
