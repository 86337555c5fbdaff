"""The room for language: each word list once, with its readers.

Names are seen by their capitals in every alphabet (`names`); offices, organisations and countries, negation, the calendar
and numbers are each one list or table in `data/`. Who needs to know a word asks here, and keeps no list of their own.
"""
