"""Statements by rules: a sentence as a slot and its value."""
