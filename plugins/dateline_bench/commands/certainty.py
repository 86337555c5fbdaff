"""`dateline certainty`: train, calibrate and assess a hidden-state classifier."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dateline import BadInput
from dateline.errors import require
from dateline.limits import FILE_BYTES
from dateline.options import MAX_SEED
from dateline_cli.files import check_target, write_whole
from dateline_cli.options import add_options, given_options
from dateline_cli.values import real, whole

if TYPE_CHECKING:
    from dateline.certainty.hidden_states import HiddenStateEstimator
    from dateline.reading.causal_model import CausalModel
    from dateline.records import Certainty
    from dateline_bench.certainty_training.assessment import Assessment
    from dateline_bench.certainty_training.labelled import LabelledReading

FIGURES = (".png", ".svg", ".pdf")
"""Kinds of pictures that can be drawn."""

_CLASSIFIER, _CALIBRATION, _FIGURES = "dateline certainty", '{"method": "', '"auroc": '
"""What every classifier, calibration and file of figures holds in its beginning."""


def add_to(commands: Any) -> None:
    """Register the subcommand with its three jobs."""
    command = commands.add_parser("certainty", help="train and calibrate certainty classifiers", description=__doc__)
    jobs = command.add_subparsers(dest="job", required=True)
    _add_train(jobs)
    _add_calibrate(jobs)
    _add_report(jobs)


def _add_train(jobs: Any) -> None:
    jobs.add_parser(
        "train",
        help="train on labelled rows",
        description="Train a linear layer on a model's hidden states (GrowOVER), and measure it on questions held out.",
        fill=_fill_train,
    )


def _fill_train(train: argparse.ArgumentParser) -> None:
    from dateline_bench.certainty_training.head_training import HeadTraining

    _add_common(train)
    train.add_argument("--out", metavar="FILE", type=Path, required=True, help="the safetensors file to write")
    train.add_argument("--prompt", metavar="FILE", type=Path, help="a saved DocumentPrompt (default: the reader's own)")
    add_options(train, HeadTraining, only=["epochs", "learning_rate", "batch", "standardise"])
    train.add_argument(
        "--holdout",
        metavar="SHARE",
        type=real(0, 1, ends=False),
        default=0.2,
        help="share of the rows to measure on, all rows of a question together (default: 0.2)",
    )
    train.set_defaults(run=run_train)


def _add_calibrate(jobs: Any) -> None:
    calibrate = jobs.add_parser(
        "calibrate",
        help="make its probabilities mean what they say",
        description="Fit a map that makes p(reliable) mean what it says on half of the questions; measure it on the others.",
    )
    _add_common(calibrate)
    calibrate.add_argument("--classifier", metavar="FILE", type=Path, required=True, help="what train wrote")
    calibrate.add_argument("--out", metavar="FILE", type=Path, required=True, help="the JSON file to write")
    calibrate.add_argument(
        "--method", choices=("temperature", "isotonic"), default="temperature", help="how (default: temperature)"
    )
    calibrate.set_defaults(run=run_calibrate)


def _add_report(jobs: Any) -> None:
    report = jobs.add_parser(
        "report",
        help="accuracy, ECE, AUROC, reliability diagram",
        description="Measure a classifier over labelled rows: accuracy, calibration error (ECE), AUROC. With --chat, calibrate "
        "and compare the estimators that work for any chat model.",
    )
    _add_common(report, needs_model=False)
    report.add_argument("--classifier", metavar="FILE", type=Path, help="what train wrote; needs --model")
    report.add_argument(
        "--chat", metavar="NAME", help="a chat model, such as openai:gpt-4o-mini, instead of a classifier"
    )
    report.add_argument(
        "--estimator",
        metavar="NAME",
        action="append",
        help="with --chat, one to compare, may be repeated: self_report, logprobs, agreement, semantic_entropy, "
        "second_reading, uqlm:SCORER (default: all but uqlm's)",
    )
    report.add_argument(
        "--samples", metavar="N", type=whole(1, 20), default=5, help="with --chat: sampled answers a row (default: 5)"
    )
    report.add_argument("--calibration", metavar="FILE", type=Path, help="what calibrate wrote: measure with it, too")
    report.set_defaults(run=run_report)


def _add_common(job: Any, *, needs_model: bool = True) -> None:
    job.add_argument(
        "labelled", metavar="LABELLED.jsonl", type=Path, help="rows of question, document(s), label, as_of"
    )
    job.add_argument(
        "--model", metavar="PATH", required=needs_model, help="the folder of the transformers causal model"
    )
    job.add_argument("--device", metavar="NAME", default="cpu", help="where it runs: cpu, cuda, mps (default: cpu)")
    job.add_argument("--seed", metavar="N", type=whole(0, MAX_SEED), default=0, help="of what is drawn (default: 0)")
    job.add_argument("--figure", metavar="FILE.png", type=Path, help="write the reliability diagram there")
    job.add_argument("--json", metavar="FILE", type=Path, help="write the figures there")


def run_train(arguments: argparse.Namespace) -> int:
    """Train, measure on the rows held out, and write the classifier."""
    from dateline.certainty.hidden_states import HiddenStateEstimator
    from dateline.reading.document_prompt import DocumentPrompt
    from dateline_bench.certainty_training.head_training import HeadTraining, train_head
    from dateline_bench.certainty_training.labelled import held_out

    settings = given_options(arguments, HeadTraining)
    rows = _rows(arguments.labelled)
    train, test = held_out(rows, share=arguments.holdout, seed=arguments.seed)
    prompt = DocumentPrompt.loads(_text(arguments.prompt)) if arguments.prompt else DocumentPrompt()
    _writable(arguments, out=_CLASSIFIER)
    model = _model(arguments)
    states = model.states([prompt.render(row.question, evidence=row.documents, plain=model.plain) for row in train])
    head = train_head(states, labels=[row.label for row in train], settings=settings)
    estimator = HiddenStateEstimator(model, head=head, prompt=prompt)
    estimator.save(arguments.out)
    print(f"trained on {len(train)} rows with the states of {model.name} ({model.hidden_size} wide): {arguments.out}")
    _say(arguments, {"held out": _assessed(_judged(estimator, test), test)})
    return 0


def run_calibrate(arguments: argparse.Namespace) -> int:
    """Fit on half the rows, measure on the rest, write it."""
    from dateline.certainty.calibrated import fit_calibration, rescaled, save_calibration
    from dateline_bench.certainty_training.labelled import held_out

    rows = _rows(arguments.labelled)
    fitted, others = held_out(rows, share=0.5, seed=arguments.seed)
    _writable(arguments, out=_CALIBRATION)
    estimator = _estimator(arguments)
    correct = [row.label == "reliable" for row in fitted]
    calibration = fit_calibration(_judged(estimator, fitted), correct=correct, method=arguments.method)
    save_calibration(calibration, path=arguments.out)
    raw = _judged(estimator, others)
    made = [rescaled(one, calibration=calibration) for one in raw]
    print(f"{arguments.method} fitted on {len(fitted)} rows, measured on the others: {arguments.out}")
    _say(arguments, {"before": _assessed(raw, others), "calibrated": _assessed(made, others)})
    return 0


def run_report(arguments: argparse.Namespace) -> int:
    """Measure a classifier, with its calibration, or compare estimators."""
    from dateline.certainty.calibrated import load_calibration, rescaled

    if arguments.chat:
        return _run_compared(arguments)
    if not (arguments.model and arguments.classifier):
        raise BadInput(
            "A report is of --classifier and its --model, or of the estimators of a --chat model; name them."
        )
    rows = _rows(arguments.labelled)
    calibration = load_calibration(arguments.calibration) if arguments.calibration else None
    _writable(arguments)
    found = _judged(_estimator(arguments), rows)
    assessed = {"classifier": _assessed(found, rows)}
    if calibration is not None:
        assessed["calibrated"] = _assessed([rescaled(one, calibration=calibration) for one in found], rows)
    _say(arguments, assessed)
    return 0


def _run_compared(arguments: argparse.Namespace) -> int:
    """Calibrate and compare the estimators of a chat model."""
    from dateline_bench.certainty_training.compared import NAMES, compared, estimator_named
    from dateline_graphs.models import chat_model

    rows = _rows(arguments.labelled)
    _writable(arguments)
    model = chat_model(arguments.chat)
    names = arguments.estimator or NAMES
    estimators = {name: estimator_named(name, model=model, samples=arguments.samples) for name in names}
    _say(arguments, compared(rows, model=model, estimators=estimators, seed=arguments.seed))
    return 0


def _rows(path: Path) -> list[LabelledReading]:
    from dateline_bench.certainty_training.labelled import read_labelled

    return read_labelled(path, now=datetime.now(UTC))


def _model(arguments: argparse.Namespace) -> CausalModel:
    from dateline.reading.causal_model import CausalModel

    return CausalModel.load(arguments.model, device=arguments.device)


def _estimator(arguments: argparse.Namespace) -> HiddenStateEstimator:
    from dateline.certainty.hidden_states import HiddenStateEstimator

    return HiddenStateEstimator.load(arguments.classifier, model=_model(arguments))


def _judged(estimator: HiddenStateEstimator, rows: Sequence[LabelledReading]) -> list[Certainty]:
    return estimator.judge(
        [estimator.prompt.render(row.question, evidence=row.documents, plain=estimator.model.plain) for row in rows]
    )


def _assessed(certainties: Sequence[Certainty], rows: Sequence[LabelledReading]) -> Assessment:
    from dateline_bench.certainty_training.assessment import assess

    return assess(certainties, labels=[row.label for row in rows])


def _say(arguments: argparse.Namespace, assessed: dict[str, Assessment]) -> None:
    """Print the figures, 0 to 100, and write them where asked."""
    figures = {
        name: {
            "n": found.n,
            "accuracy": round(100 * (found.accuracy or 0.0), 1),
            "ece": round(100 * found.ece, 1),
            "auroc": round(100 * found.auroc, 1),
        }
        for name, found in assessed.items()
    }
    for name, row in figures.items():
        print(f"{name} (n = {row['n']}): accuracy {row['accuracy']}, ECE {row['ece']}, AUROC {row['auroc']}")
    if arguments.figure:
        from dateline_bench.certainty_training.figure import reliability_figure

        print(f"diagram: {reliability_figure(assessed, path=arguments.figure)}")
    if arguments.json:
        write_whole(arguments.json, text=json.dumps(figures, indent=2) + "\n", what="the figures")


def _writable(arguments: argparse.Namespace, *, out: str = "") -> None:
    """Before the long work, not after it."""
    from dateline_bench.certainty_training.figure import DIAGRAM

    if out:
        check_target(arguments.out, what="the result", mark=out)
    check_target(arguments.json, what="the figures", mark=_FIGURES)
    figure = arguments.figure
    check_target(figure, what="the diagram", mark=DIAGRAM, within=FILE_BYTES)
    if figure is not None:
        if figure.suffix.lower() not in FIGURES:
            raise BadInput(f"Cannot draw {figure}; name a file that ends in {', '.join(FIGURES)}.")
        require("matplotlib", package="matplotlib", extra="figures")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        raise BadInput(f"{path} cannot be read; give a file that holds DocumentPrompt.dumps().") from cause
