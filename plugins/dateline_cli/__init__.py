"""The command `dateline`."""
