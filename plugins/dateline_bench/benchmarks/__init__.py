"""One module a benchmark: its name is the benchmark, its first line the description."""
