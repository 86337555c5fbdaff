"""Benchmarks: one module each, described by its first line."""
