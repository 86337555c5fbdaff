"""DRAGIN's Table 9: published hyperparameters by model and data set.

The thresholds belong to `RindPublished`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

PaperModel = Literal["llama2-13b-chat", "llama2-7b-chat", "vicuna-13b-v1.5"]
PaperDataset = Literal["2wikimultihopqa", "hotpotqa", "iirc", "strategyqa"]


class Hyperparameters(NamedTuple):
    """One cell of the table.

    Attributes:
        generate_length: most tokens of an answer.
        threshold: theta.
        n: tokens of the query.
    """

    generate_length: int
    threshold: float
    n: int


TABLE_9: dict[PaperModel, dict[PaperDataset, Hyperparameters]] = {
    "llama2-13b-chat": {
        "2wikimultihopqa": Hyperparameters(64, 0.6, 25),
        "hotpotqa": Hyperparameters(100, 1.2, 35),
        "iirc": Hyperparameters(128, 1.25, 25),
        "strategyqa": Hyperparameters(100, 1.0, 25),
    },
    "llama2-7b-chat": {
        "2wikimultihopqa": Hyperparameters(64, 1.0, 25),
        "hotpotqa": Hyperparameters(100, 1.3, 35),
        "iirc": Hyperparameters(128, 1.3, 35),
        "strategyqa": Hyperparameters(100, 0.75, 35),
    },
    "vicuna-13b-v1.5": {
        "2wikimultihopqa": Hyperparameters(64, 1.2, 25),
        "hotpotqa": Hyperparameters(100, 1.2, 35),
        "iirc": Hyperparameters(128, 1.3, 35),
        "strategyqa": Hyperparameters(100, 1.5, 25),
    },
}
