"""A growing benchmark on disk: a folder a month, written whole."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import Field, ValidationError

from dateline.errors import BadInput
from dateline.files import make_folder, write_whole
from dateline.records import Cost, Record
from dateline_bench.benchmark import Progress, watched
from dateline_bench.growing.articles import ArticleSnapshot, GrowingArticle, load_snapshot, month_key
from dateline_bench.growing.grown import COUNTED, Grown, GrownDialogue, GrownQuestion, stable_id
from dateline_bench.growing.growth import Growth, gone
from dateline_bench.growing.published_form import read_instances, write_instances

FORMAT_VERSION = 1
_ARTICLES, _META = "articles.jsonl", "month.json"

Instance = TypeVar("Instance", GrownQuestion, GrownDialogue)


class MonthMeta(Record):
    """Record of a month: settings, and the fate of the last."""

    version: int = FORMAT_VERSION
    month: str
    seed: int
    model: str = Field(description="LangChain's name of the chat model; empty: templates.")
    dropped_questions: int = 0
    dropped_dialogues: int = 0
    deleted_turns: int = 0
    notes: tuple[str, ...] = ()
    cost: Cost = Cost()


class MonthCounts(NamedTuple):
    """Counts of a month by type (tables 13 and 14)."""

    month: str
    questions: Mapping[str, int]
    turns: Mapping[str, int]


def months_in(folder: Path) -> list[str]:
    """The finished months, oldest first; none where there is no folder."""
    if not folder.is_dir():
        return []
    found = [each.name for each in folder.iterdir() if (each / "qa.jsonl").is_file() and not each.name.startswith(".")]
    return sorted(found, key=month_key)


def read_articles(folder: Path, *, month: str, snapshots: Path | None = None) -> dict[str, GrowingArticle]:
    """Read a month's articles by id, from its copy or snapshot.

    Raises:
        BadInput: when there is neither.
    """
    path = folder / month / _ARTICLES
    if path.is_file():
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
            found = [GrowingArticle.model_validate_json(line) for line in lines if line.strip()]
        except (ValidationError, UnicodeDecodeError) as cause:
            raise BadInput(f"{path} holds an article that cannot be read; take the month from a backup.") from cause
        return {article.id: article for article in found}
    if snapshots is not None and (snapshots / month).is_dir():
        return {article.id: article for article in load_snapshot(snapshots / month).articles}
    raise BadInput(
        f"There is no {path}, nor a snapshot {month}; an update needs the articles of the month before, and an "
        "evaluation those of both."
    )


def read_meta(folder: Path, *, month: str) -> MonthMeta:
    """Read a month's record; empty for published data.

    Raises `BadInput` for a damaged file.
    """
    path = folder / month / _META
    if not path.is_file():
        return MonthMeta(month=month, seed=0, model="")
    try:
        return MonthMeta.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as cause:
        raise BadInput(f"{path} cannot be read; take the month from a backup.") from cause


def counts_of(folder: Path, *, month: str) -> MonthCounts:
    """Questions and turns by type."""
    questions, dialogues = read_instances(folder / month)
    meta = read_meta(folder, month=month)
    asked = Counter(question.type for question in questions)
    said = Counter(turn.type for dialogue in dialogues for turn in dialogue.turns)
    undecided = {"Undecided": said["Undecided"]} if said["Undecided"] else {}
    return MonthCounts(
        month,
        {**{type: asked[type] for type in COUNTED}, "Deleted": meta.dropped_questions},
        {**{type: said[type] for type in COUNTED}, **undecided, "Deleted": meta.deleted_turns},
    )


class BenchmarkFolder:
    """Maker of months; a killed run continues from its journal.

    Args:
        growth: how articles are grown.
        model: the chat model's name, written down with each month.
    """

    def __init__(self, folder: Path, *, growth: Growth, model: str = "") -> None:
        self.folder, self.growth, self.model = folder, growth, model

    def start(self, snapshot: ArticleSnapshot, *, progress: Progress | None = None) -> MonthMeta:
        """The first month. The same month again changes nothing.

        Raises:
            BadInput: when the benchmark has begun with another month.
        """
        months = months_in(self.folder)
        if snapshot.month in months[:1]:
            return read_meta(self.folder, month=snapshot.month)
        if months:
            raise BadInput(
                f"{self.folder} begins with {months[0]} already; bring it up to date with: dateline grow update."
            )
        return self._month(snapshot, before=None, snapshots=None, progress=progress)

    def update(
        self, snapshot: ArticleSnapshot, *, snapshots: Path | None = None, progress: Progress | None = None
    ) -> MonthMeta:
        """Make the next month, unless it is there already.

        Args:
            snapshots: where the last month's articles are, should the benchmark hold no copy of them.

        Raises:
            BadInput: when there is no month to go on from, or the snapshot is older than the last one.
        """
        months = months_in(self.folder)
        if not months:
            raise BadInput(f"{self.folder} holds no benchmark; begin one with: dateline grow init.")
        if snapshot.month in months:
            return read_meta(self.folder, month=snapshot.month)
        if month_key(snapshot.month) <= month_key(months[-1]):
            raise BadInput(f"The snapshot {snapshot.month} does not come after {months[-1]}, the last month.")
        return self._month(snapshot, before=months[-1], snapshots=snapshots, progress=progress)

    def _month(
        self, snapshot: ArticleSnapshot, *, before: str | None, snapshots: Path | None, progress: Progress | None
    ) -> MonthMeta:
        old = {} if before is None else read_articles(self.folder, month=before, snapshots=snapshots)
        questions: tuple[GrownQuestion, ...] = ()
        dialogues: tuple[GrownDialogue, ...] = ()
        if before is not None:
            questions, dialogues = read_instances(self.folder / before)
        asked, talks = _by_article(questions), _by_article(dialogues)
        make_folder(self.folder)
        journal = _Journal(self.folder / f".{snapshot.month}.journal", settings=self._settings(before, snapshot))
        there = {article.id for article in snapshot.articles}
        done = journal.done
        for article in watched(snapshot.articles, stage=snapshot.month, progress=progress):
            if article.id not in done:
                month = snapshot.month
                if article.id in old:
                    labelling = self.growth.label(old[article.id], new=article)
                    plan = self.growth.carry(
                        article,
                        labelling=labelling,
                        month=month,
                        questions=asked.get(article.id, ()),
                        dialogues=talks.get(article.id, ()),
                    )
                else:
                    plan = self.growth.start(article, month=month)
                done[article.id] = self.growth.grow(plan)
                journal.add(done[article.id])
        grown = [done[article.id] for article in snapshot.articles]
        grown += [
            gone(id, month=snapshot.month, questions=asked.get(id, ()), dialogues=talks.get(id, ()))
            for id in sorted(asked.keys() | talks.keys())
            if id not in there
        ]
        meta = self._meta(snapshot, grown, known={question.id for question in questions})
        self._write(snapshot, grown, meta)
        journal.close()
        return meta

    def _settings(self, before: str | None, snapshot: ArticleSnapshot) -> dict[str, object]:
        return {
            "snapshot": stable_id(*(article.model_dump_json() for article in snapshot.articles)),
            "version": FORMAT_VERSION,
            "model": self.model,
            "seed": self.growth.seed,
            "clusters": self.growth.clusters,
            "before": before,
        }

    def _meta(self, snapshot: ArticleSnapshot, grown: Sequence[Grown], *, known: set[str]) -> MonthMeta:
        dropped = [id for each in grown for id in each.dropped]
        asked = sum(id in known for id in dropped)
        return MonthMeta(
            month=snapshot.month,
            seed=self.growth.seed,
            model=self.model,
            dropped_questions=asked,
            dropped_dialogues=len(dropped) - asked,
            deleted_turns=sum(each.deleted_turns for each in grown),
            notes=(*snapshot.skipped, *(note for each in grown for note in each.notes)),
            cost=sum((each.cost for each in grown), Cost()),
        )

    def _write(self, snapshot: ArticleSnapshot, grown: Sequence[Grown], meta: MonthMeta) -> None:
        """Write all files beside, then rename: whole or not at all."""
        partial = self.folder / f".{snapshot.month}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)  # fails where a link stands
        write_instances(
            partial,
            questions=[question for each in grown for question in each.questions],
            dialogues=[dialogue for each in grown for dialogue in each.dialogues],
        )
        lines = (article.model_dump_json() + "\n" for article in snapshot.articles)
        (partial / _ARTICLES).write_text("".join(lines), encoding="utf-8")
        (partial / _META).write_text(meta.model_dump_json(indent=2) + "\n", encoding="utf-8")
        for file in partial.iterdir():
            with file.open("rb") as written:
                os.fsync(written.fileno())
        partial.rename(self.folder / snapshot.month)


class _Journal:
    """Journal of finished articles; its first line holds the settings."""

    def __init__(self, path: Path, *, settings: Mapping[str, object]) -> None:
        self._path = path
        head = json.dumps(settings, sort_keys=True)
        self.done: dict[str, Grown] = {}
        kept = [head]
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
        if lines and lines[0] == head:
            # The last line may be torn: it counts only with its line break, and everything behind a torn line is lost.
            for line in lines[1:-1]:
                try:
                    grown = Grown.model_validate_json(line)
                except ValidationError:
                    break
                self.done[grown.article] = grown
                kept.append(line)
        write_whole(path, "\n".join(kept) + "\n")

    def add(self, grown: Grown) -> None:
        """Write an article down before the next is begun."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(grown.model_dump_json() + "\n")
            file.flush()
            os.fsync(file.fileno())

    def close(self) -> None:
        """The month is written: the journal goes."""
        self._path.unlink()


def _by_article(instances: Sequence[Instance]) -> dict[str, list[Instance]]:
    found: dict[str, list[Instance]] = {}
    for instance in instances:
        found.setdefault(instance.article, []).append(instance)
    return found
