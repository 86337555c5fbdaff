"""JSON and YAML files: each object as a document."""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml

from dateline.documents.objects import documents_of
from dateline.documents.raw import RawDocument
from dateline.documents.text_head import PlainSafeLoader
from dateline.errors import BadInput
from dateline.formats.given import GivenFile


def read_json(file: GivenFile) -> Iterator[RawDocument]:
    """Read a JSON file: an object, or a list of them."""
    text = file.text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise BadInput("is not JSON") from cause
    return documents_of(value, file=file.name, rules=file.rules)


def read_yaml(file: GivenFile) -> Iterator[RawDocument]:
    """Read a YAML file; anchors and tags are refused."""
    text = file.text
    try:
        # PyYAML's loader in Python reads some 100 kB a second.
        values = list(yaml.load_all(text, Loader=PlainSafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as cause:
        raise BadInput(f"is not plain YAML ({str(cause).splitlines()[0][:80]})") from cause
    for value in values:
        yield from documents_of(value, file=file.name, rules=file.rules)
