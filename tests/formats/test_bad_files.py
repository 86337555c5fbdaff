"""Files that are damaged, encrypted, empty, huge or hostile cost a line each, and nothing else."""

from __future__ import annotations

import io
import subprocess
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_files import FILES, docx, epub, pdf, write_all
from pypdf import PdfReader, PdfWriter

from dateline.documents import DateRules
from dateline.errors import BadInput
from dateline.formats.apart import ForeignProcess
from dateline.formats.table import FORMATS, read_documents
from dateline.search import load_documents

PLAIN = sorted(ending for ending, each in FORMATS.items() if not each.modules and each.read.__name__ != "read_web_page")


def encrypted() -> bytes:
    writer = PdfWriter(PdfReader(io.BytesIO(pdf("The quay is closed."))))
    writer.encrypt("sesame", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def packed(name: str, data: bytes, *, more: bytes = b"") -> bytes:
    out = io.BytesIO(more)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(100_000))
        archive.infolist()[0].file_size = 600 * 2**20
    return out.getvalue()


ENTITIES = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>'
FILE = '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l>&a;</l>'


def fault_of(file: Path) -> str:
    """Read and date a file's documents; return what is said against it."""
    try:
        for raw in read_documents(file, name=file.name, rules=DateRules()):
            raw.dated(None, by_text=True)
    except BadInput as error:
        return str(error)
    return ""


@pytest.fixture(scope="module", autouse=True)
def _grammar_made(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The grammar of times is made once a process, for the first text; the times below are those of a file."""
    file = tmp_path_factory.mktemp("first") / "a.csv"
    file.write_text("day,text\n2020-05-03,The quay is closed until 3 May 2021.\n", encoding="utf-8")
    assert not fault_of(file)


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty.pdf": (lambda: b"", "is empty"),
    "cut.pdf": (lambda: pdf("The quay is closed.")[:300], "is damaged"),
    "locked.pdf": (encrypted, "is encrypted"),
    "pictures.pdf": (lambda: pdf(""), "has no text, only pictures of it"),
    "cut.docx": (lambda: docx("The quay is closed.")[:900], "is damaged (no ZIP archive)"),
    "locked.docx": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "is encrypted, or of an Office before 2007"),
    "other.docx": (lambda: packed("a.txt", b"x"), "is damaged"),
    "bomb.docx": (bomb, "unpacks to more than 512 MiB"),
    "bomb.epub": (bomb, "unpacks to more than 512 MiB"),
    "rights.epub": (
        lambda: packed(
            "META-INF/encryption.xml",
            b'<encryption><e><CipherReference URI="OEBPS/one.xhtml"/></e></encryption>',
            more=epub("x"),
        ),
        "is encrypted",
    ),
    "none.epub": (lambda: packed("a.txt", b"x"), "is damaged (without META-INF/container.xml)"),
    "entities.xml": (ENTITIES.encode, "declares entities"),
    "file.xml": (FILE.encode, "declares entities"),
    "utf16.xml": (lambda: ENTITIES.encode("utf-16"), "declares entities"),
    "cut.xml": (lambda: b"<a><b>", "is no well-formed XML"),
    "deep.json": (lambda: b"[" * 50_000, "is not JSON"),
    "deeper.json": (lambda: b'{"a":' * 500 + b"1" + b"}" * 500, "is nested more than 100 deep"),
    "cut.json": (lambda: b'{"a": ', "is not JSON"),
    "empty.json": (lambda: b"{}", "is empty"),
    "anchors.yaml": (lambda: b"a: &x [1, 2]\nb: [*x, *x]\n", "is not plain YAML (it has an anchor"),
    "python.yaml": (lambda: b"a: !!python/object/apply:os.system [ls]\n", "is not plain YAML"),
    "cut.ipynb": (lambda: b"{}", "is empty"),
    "list.ipynb": (lambda: b'{"cells": 3}', "is damaged"),
    "empty.csv": (lambda: b"", "is empty"),
    "binary.csv": (lambda: bytes(100), "is binary"),
    "binary.json": (lambda: bytes(100), "is binary"),
    "binary.ipynb": (lambda: bytes(100), "is binary"),
    "binary.yaml": (lambda: bytes(100), "is binary"),
    "empty.eml": (lambda: b"", "is empty"),
}  # fmt: skip


def test_each_bad_file_is_one_line_and_the_others_are_read(tmp_path: Path) -> None:
    for name, (make, _) in BAD.items():
        (tmp_path / name).write_bytes(make())
    lines = write_all(tmp_path)
    loaded = load_documents(tmp_path)
    for name, (_, said) in BAD.items():
        (told,) = [line for line in loaded.skipped if line.startswith(f"{name} ")]
        assert said in told, told
        assert "\n" not in told
    assert len(loaded.skipped) == len(BAD)
    assert {name for name, line in lines.items() if not any(line in each.text for each in loaded.documents)} == set()
    assert "root:" not in "".join(each.text for each in loaded.documents)


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a.pdf").open("wb") as file:
        file.truncate(200 * 2**20)
    (tmp_path / "b.md").write_text("Fine.")
    (line,) = load_documents(tmp_path).skipped
    assert line == "a.pdf cannot be read (it is larger than 128 MiB)"


def test_a_parser_that_hangs_or_dies_costs_its_file_alone() -> None:
    slow = ForeignProcess(seconds=0.0)
    with pytest.raises(BadInput, match="takes more than 0 s"):
        slow.ask("nothing", b"")
    process = ForeignProcess()
    assert "unknown kind" in process.ask("nothing", b"")["error"]
    (running,) = [process._process]
    assert running is not None
    running.kill()
    running.wait()
    assert "unknown kind" in process.ask("nothing", b"")["error"]
    process.close()


def test_after_an_interrupt_no_file_gets_the_reply_of_the_one_before() -> None:
    class Interrupted(ForeignProcess):
        def _exchanged(self, process: subprocess.Popen[bytes], kind: str, data: bytes) -> bytes:
            if kind != "former":
                return super()._exchanged(process, kind, data)
            assert process.stdin is not None
            process.stdin.write(b'{"kind": "former", "size": 0}\n')
            process.stdin.flush()
            raise KeyboardInterrupt

    process = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        process.ask("former", b"")
    assert "'later'" in process.ask("later", b"")["error"]
    process.close()


def test_the_process_of_foreign_parsers_sees_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    process = ForeignProcess()
    process.ask("nothing", b"")
    assert process._process is not None
    environment = Path(f"/proc/{process._process.pid}/environ").read_bytes()
    process.close()
    assert b"PATH=" in environment
    assert b"sk-secret" not in environment


@pytest.mark.parametrize("ending", PLAIN)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(max_size=400), st.text(max_size=400).map(str.encode)))
def test_no_bytes_raise_anything_but_a_sentence(ending: str, data: bytes, tmp_path: Path) -> None:
    file = tmp_path / f"a{ending}"
    file.write_bytes(data)
    begun = time.process_time()
    assert "\n" not in fault_of(file)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("name", [name for name in FILES if Path(name).suffix in PLAIN])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 400), put=st.binary(max_size=4))
def test_no_damage_to_a_good_file_raises_anything_but_a_sentence(
    name: str, cut: int, put: bytes, tmp_path: Path
) -> None:
    good = FILES[name][0]("The quay is closed.")
    file = tmp_path / name
    file.write_bytes(good[: cut % len(good)] + put + good[cut % len(good) + 2 :])
    assert "\n" not in fault_of(file)


@pytest.mark.parametrize(
    ("ending", "unit"),
    [
        (".rst", "=====\n"), (".rst", ":a: b\n"), (".rst", ".. x\n"), (".rst", ":a:`"), (".org", ":A:\n"), (".org", "[[a]"),
        (".org", "#+a: b\n"), (".org", "<2024-01-01 "), (".org", "* "), (".csv", '"'), (".csv", "a,"), (".csv", '"a\n'),
        (".xml", "<a>"), (".xml", "<?"), (".eml", "a: b\n"), (".eml", "Content-Type: multipart/mixed; boundary=a\n\n--a\n"),
        (".yaml", "- "), (".yaml", "a: ["), (".yaml", "? "), (".json", '{"a":'), (".ipynb", '{"cells":['), (".txt", "2019 1 "),
        (".txt", "1 2019\n"),
    ],
)  # fmt: skip
def test_hostile_repetitions_are_read_in_time(ending: str, unit: str, tmp_path: Path) -> None:
    file = tmp_path / f"a{ending}"
    file.write_text(unit * 20_000)
    begun = time.process_time()
    fault_of(file)
    assert time.process_time() - begun < 3
