"""The command `asof`."""
