"""A news monitor that keeps a fact store: what changed, what it was before, and who had to agree.

    python examples/news_monitor.py

`before` watches topics and keeps the newest note of each. `after` lets each note update facts, the lines marked `# dateline`:
what a note ends is reported, a late note is fitted in where it belongs, and the store can be asked as of any day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from notes import Note, load_notes

from dateline import Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy, ReviewQueue
from dateline.text.lexical import LexicalEmbeddings

EMBEDDINGS = LexicalEmbeddings()  # yours: any embeddings
NOW = datetime(2025, 6, 1, tzinfo=UTC)
QUESTION = "Who is the President of the United States?"
TOPICS = ("president of the united states", "president of france", "european central bank", "prime minister of italy")


def topics_of(note: Note) -> list[str]:
    """The watched topics that a note names."""
    return [topic for topic in TOPICS if topic in f"{note.title} {note.text}".lower()]


def feed() -> list[Note]:
    """The notes on the topics as they arrive: by date, but one of them comes at the very end, years too late."""
    notes = [note for note in load_notes() if topics_of(note)]
    late = next(note for note in notes if "biden-inauguration" in note.source)
    return [*(note for note in notes if note != late), late]


def before(notes: Sequence[Note]) -> dict[str, Note]:
    """The plain monitor: the last note to arrive for each topic."""
    return {topic: note for note in notes for topic in topics_of(note)}


def after(notes: Sequence[Note], *, store: FactStore) -> Iterator[str]:
    """The same feed into a fact store; yields what each note ended."""
    updater = LocalUpdater(store, headed=True)  # dateline; with a model: ChatUpdater(store, init_chat_model(...))
    for note in notes:
        piece = Evidence.make(note.text, title=note.title, source=note.source, published=Interval.parse(note.date))
        for changes in updater.update([piece], known_at=NOW):  # dateline
            for change in changes.made_false:
                yield f"{note.date} {note.title} | no longer: {shorter(change.fact.text)}"


def shorter(text: str, most: int = 90) -> str:
    """The beginning of a text."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"


def main() -> None:
    """Run both over the feed."""
    notes = feed()
    newest = before(notes)
    print("before: the newest note on", repr(TOPICS[0]), "is", repr(newest[TOPICS[0]].title), newest[TOPICS[0]].date)
    store = FactStore(
        MemoryLedger(), index=ExactIndex(), embeddings=EMBEDDINGS
    )  # dateline; to keep it: open_store(folder)
    reports = list(after(notes, store=store))
    print(f"after: {len(notes)} notes ended {len(reports)} facts; the last of these:")
    for line in reports[-4:]:
        print("  ", line)
    for day in ("1995", "2003", "2018", "2022", "2025-06"):
        (found,) = store.search(QUESTION, as_of=Interval.parse(day), k=1)  # dateline
        print(f"   as of {day}: {shorter(found.fact.text)}")

    careful = LocalUpdater(
        store, headed=True, policy=Policy(interrupt_on=("make_false",))
    )  # dateline: a person decides what ends
    rumour = Evidence.make(
        "Eva Lund was sworn in as President of the United States.",
        source="a blog",
        published=Interval.parse("2025-05-30"),
    )
    careful.update([rumour], known_at=NOW)
    for waiting in ReviewQueue(store).pending():
        print(
            f"   waits for a person ({waiting.source}): {shorter(waiting.fact)} | {waiting.before} -> {waiting.after}"
        )


if __name__ == "__main__":
    main()
