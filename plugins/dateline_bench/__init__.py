"""Benchmarks, one module each, and benchmarks that grow; nothing in the core imports it."""
