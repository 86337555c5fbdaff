"""A run as one self-contained HTML page, and records as pictures."""

from dateline_graphs.page.pictures import SideBySide
from dateline_graphs.page.render import render

__all__ = ["SideBySide", "render"]
