"""The grow graph, compiled for the server of `langgraph.json`."""

from __future__ import annotations

from dateline_bench.grow_graph import DrawingOptions, GrowInput, GrowOptions, grow_graph, growth_of
from dateline_bench.growing.growth import Growth
from dateline_graphs.kit import Entrance
from dateline_graphs.server import Access, read_config
from dateline_graphs.server.options import ModelChoice

access = Access(read_config())


class GrowRequest(DrawingOptions, ModelChoice):
    """Request for a month of a benchmark."""


def make(request: GrowRequest | None) -> Growth:
    """Make what a request names."""
    asked = request or GrowRequest()
    with access.chosen_model(asked.model) as model:
        return growth_of(GrowOptions(model=model, seed=asked.seed, clusters=asked.clusters))


grow = grow_graph(entrance=Entrance(GrowRequest, make, access.admission(GrowInput))).compile(name="grow")
