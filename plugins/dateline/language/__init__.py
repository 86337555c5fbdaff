"""The one room for language: word lists as data, and the readers of names, offices, numbers and kinds of answers."""
