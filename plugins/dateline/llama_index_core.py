"""Import guard: reports a missing LlamaIndex in one sentence.

Imported first by every `llama_index.*.dateline`. Raises `MissingExtra` where llama-index-core is not installed.
"""

from __future__ import annotations

from dateline.errors import require

require("llama_index.core", package="llama-index-core", extra="llama-index")
