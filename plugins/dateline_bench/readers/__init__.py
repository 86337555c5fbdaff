"""Readers and rankers that only benchmarks use."""
