"""A run as one self-contained HTML page.

It holds no script and makes no request; every text of a document is escaped.
"""

from dateline_graphs.page.render import render

__all__ = ["render"]
