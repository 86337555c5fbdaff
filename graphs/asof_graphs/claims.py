"""An answer sentence by sentence, linked to its evidence: see `asof.evidence.claims`."""

from __future__ import annotations

from asof.evidence.claims import ENOUGH, MAX_CLAIMS, Claim, Support, claims_of

__all__ = ["ENOUGH", "MAX_CLAIMS", "Claim", "Support", "claims_of"]
