"""Benchmarks of questions and dialogues that grow with snapshots of documents (GrowOVER)."""
