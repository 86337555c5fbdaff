"""asof."""
