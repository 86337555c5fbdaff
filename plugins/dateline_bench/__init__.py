"""Benchmarks, one module each; nothing in the core imports them."""
