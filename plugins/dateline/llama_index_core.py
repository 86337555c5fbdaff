"""Import guard of every `llama_index.*.dateline`; raises `MissingExtra` without llama-index-core."""

from __future__ import annotations

from dateline.errors import require

require("llama_index.core", package="llama-index-core", extra="llama-index")
