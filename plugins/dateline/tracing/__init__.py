"""Spans of OpenTelemetry for dated answers, named as OpenInference names them."""

from dateline.tracing.spans import SpanWriter

__all__ = ["SpanWriter"]
