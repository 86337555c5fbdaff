"""Bulk work over many items, here or by Ray."""

from dateline.bulk.mapping import Mapper, OneProcess, Work
from dateline.bulk.ray_actors import RayActors
from dateline.bulk.results import ResultsFile

__all__ = ["Mapper", "OneProcess", "RayActors", "ResultsFile", "Work"]
