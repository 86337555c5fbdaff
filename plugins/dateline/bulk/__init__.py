"""Bulk work: many items in order, in this process or by Ray's actors."""

from dateline.bulk.mapping import Mapper, OneProcess, Work
from dateline.bulk.ray_actors import RayActors
from dateline.bulk.results import ResultsFile

__all__ = ["Mapper", "OneProcess", "RayActors", "ResultsFile", "Work"]
