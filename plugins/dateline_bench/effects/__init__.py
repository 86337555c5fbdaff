"""Pairs of notes, for the benchmark `effects`."""
