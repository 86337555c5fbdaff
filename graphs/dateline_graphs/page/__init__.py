"""A run as one self-contained HTML page."""

from dateline_graphs.page.render import render

__all__ = ["render"]
