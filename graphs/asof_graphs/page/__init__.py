"""A report as one self-contained HTML page: no script, no request, every text of a document escaped."""

from asof_graphs.page.generation import render_generation
from asof_graphs.page.page import render

__all__ = ["render", "render_generation"]
