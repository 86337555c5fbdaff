"""When to retrieve."""

from asof.dynamic.triggers.base import Firing, ThresholdTrigger, Trigger
from asof.dynamic.triggers.combined import AnyOf
from asof.dynamic.triggers.entropy import Entropy
from asof.dynamic.triggers.fixed import EverySentence, EveryTokens, Never, Once
from asof.dynamic.triggers.flare import Flare
from asof.dynamic.triggers.look_ahead import LookAhead
from asof.dynamic.triggers.outdated import Outdated
from asof.dynamic.triggers.rind import Rind
from asof.dynamic.triggers.rind_published import RindPublished

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
