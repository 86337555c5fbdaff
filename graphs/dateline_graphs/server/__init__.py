"""Server room: graphs whose clients name things instead of giving addresses."""

from dateline_graphs.server.config import ServerConfig, read_config

__all__ = ["ServerConfig", "read_config"]
