"""Converters from the public originals of benchmarks, one module an original."""
