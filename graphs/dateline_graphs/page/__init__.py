"""A run as one self-contained HTML page: no script, no request, every text of a document escaped."""

from dateline_graphs.page.render import render

__all__ = ["render"]
