"""The grow graph, compiled for the server of `langgraph.json`."""

from dateline_bench.grow_graph import grow_graph

grow = grow_graph().compile(name="grow")
