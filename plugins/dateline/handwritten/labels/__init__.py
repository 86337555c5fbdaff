"""Sentence labels by rules: which words, values and denials two versions of a sentence differ in."""
