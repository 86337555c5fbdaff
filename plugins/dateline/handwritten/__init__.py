"""Rules written by hand, to be replaced by trained parts; counted apart.

`reading` answers from words, times and names alone: the trained reader still leans on it where every note is dated.
`labels` compares two versions of a sentence by words and values; a trained judge is to take its place. `facts` reads
sentences as slots and values, in the forms that our benchmarks hold among them. Nothing in here is polished, and nothing
new belongs here: what is known of names, offices, numbers and dates stands in `dateline.language`.
"""
