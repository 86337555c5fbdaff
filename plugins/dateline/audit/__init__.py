"""Audit of passages: which are out of date, and by which."""

from dateline.audit.auditor import Auditor, aaudit, audit
from dateline.audit.checkup import Checkup, Doctor, Finding, Trouble
from dateline.audit.result import Audit, AuditedPassage, AuditProblem, AuditReason, AuditStatus

__all__ = [
    "Audit",
    "AuditProblem",
    "AuditReason",
    "AuditStatus",
    "AuditedPassage",
    "Auditor",
    "Checkup",
    "Doctor",
    "Finding",
    "Trouble",
    "aaudit",
    "audit",
]
