"""Metrics, FreshEval, and one module a benchmark."""
