"""Retrieval triggers."""

from dateline.dynamic.triggers.base import Firing, ThresholdTrigger, Trigger
from dateline.dynamic.triggers.combined import AnyOf
from dateline.dynamic.triggers.entropy import Entropy
from dateline.dynamic.triggers.fixed import EverySentence, EveryTokens, Never, Once
from dateline.dynamic.triggers.flare import Flare
from dateline.dynamic.triggers.look_ahead import LookAhead
from dateline.dynamic.triggers.outdated import Outdated
from dateline.dynamic.triggers.rind import Rind
from dateline.dynamic.triggers.rind_published import RindPublished

__all__ = [
    "AnyOf",
    "Entropy",
    "EverySentence",
    "EveryTokens",
    "Firing",
    "Flare",
    "LookAhead",
    "Never",
    "Once",
    "Outdated",
    "Rind",
    "RindPublished",
    "ThresholdTrigger",
    "Trigger",
]
