"""Server room: graphs whose clients name things instead of giving addresses."""

from dateline_graphs.server.components import Access
from dateline_graphs.server.config import ServerConfig, read_config

__all__ = ["Access", "ServerConfig", "read_config"]
