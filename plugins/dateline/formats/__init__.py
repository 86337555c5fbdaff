"""Readers of file formats, by file ending."""
