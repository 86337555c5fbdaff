"""Shipped weights: loaded once, checked when loaded, refused in one sentence."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import numpy as np
import pytest

from dateline import BadInput
from dateline.errors import DamagedInstall
from dateline.reading.model_files import FOLDER, load_session, load_tokenizer, version

onnx = pytest.importorskip("onnx")


def state(path: Path) -> None:
    manifest = path.parent / "manifest.json"
    stated = json.loads(manifest.read_text()) if manifest.exists() else {"files": {}}
    data = path.read_bytes()
    stated["files"][path.name] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "version": "7"}
    manifest.write_text(json.dumps(stated))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a graph that gives back what it gets, and the shipped tokenizer."""
    make, floats = onnx.helper, onnx.TensorProto.FLOAT
    ends = [make.make_tensor_value_info(name, floats, ["n"]) for name in ("given", "back")]
    graph = make.make_graph([make.make_node("Identity", ["given"], ["back"])], "echo", ends[:1], ends[1:])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    (tmp_path / "judge.onnx").write_bytes(model.SerializeToString())
    (tmp_path / "tokenizer.json").write_bytes((FOLDER / "tokenizer.json").read_bytes())
    for name in ("judge.onnx", "tokenizer.json"):
        state(tmp_path / name)
    return tmp_path


def test_a_graph_that_its_manifest_names_runs_and_is_made_once(folder: Path) -> None:
    session = load_session("judge", folder=folder)
    given = np.array([1.0, 2.0], dtype=np.float32)
    assert session.run(["back"], {"given": given})[0].tolist() == [1.0, 2.0]
    assert load_session("judge", folder=folder) is session
    assert version("judge", folder=folder) == "7"


def test_a_flipped_byte_is_refused_with_the_way_out(folder: Path) -> None:
    path = folder / "judge.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedInstall, match=r"judge\.onnx is not the file that was shipped.*training/judge\.py"):
        load_session("judge", folder=folder)


def test_half_a_file_is_refused(folder: Path) -> None:
    path = folder / "tokenizer.json"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(DamagedInstall, match="1000 bytes"):
        load_tokenizer(folder=folder)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "judge.onnx").unlink()
    with pytest.raises(DamagedInstall, match=r"judge\.onnx cannot be read"):
        load_session("judge", folder=folder)


@pytest.mark.parametrize("manifest", ["", "[]", '{"files": {}}', '{"files": {"judge.onnx": {"sha256": "x"}}}'])
def test_a_manifest_that_says_too_little_is_refused(folder: Path, manifest: str) -> None:
    (folder / "manifest.json").write_text(manifest)
    with pytest.raises(DamagedInstall, match="sha256, size and version"):
        load_session("judge", folder=folder)


def test_other_names_and_no_threads_are_refused() -> None:
    with pytest.raises(BadInput, match="choose one of judge, reader, still"):
        load_session("oracle")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="threads"):
        load_session("judge", threads=0)


def test_the_shipped_tokenizer_reads_pairs_and_loads_quickly() -> None:
    begun = time.process_time()
    encoding = load_tokenizer().encode("Ana is mayor.", "Ben is mayor.")
    assert time.process_time() - begun < 0.5
    assert encoding.tokens[0] == "[CLS]"
    assert set(encoding.type_ids) == {0, 1}
    assert len(load_tokenizer().encode("word " * 2000).ids) == 2002
