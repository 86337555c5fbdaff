"""Files of each format, written by the formats' own libraries."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import yaml
from docx import Document
from openpyxl import Workbook
from pptx import Presentation
from reportlab.pdfgen.canvas import Canvas

WHEN = datetime(2021, 5, 6, 9, 30, tzinfo=UTC)


def pdf(line: str, *, made: datetime = WHEN, title: str = "") -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    canvas.setTitle(title)
    canvas._doc.info.invariant = False
    canvas._doc._timeStamp.t = made.timestamp()
    canvas._doc._timeStamp.YMDhms = tuple(made.timetuple())[:6]
    canvas.drawString(72, 720, line)
    canvas.save()
    return out.getvalue()


def docx(line: str, *, modified: datetime | None = WHEN) -> bytes:
    document = Document()
    if modified is not None:
        document.core_properties.modified = modified.replace(tzinfo=None)
    document.add_heading("Ferry", level=1)
    document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def pptx(line: str, *, modified: datetime | None = WHEN) -> bytes:
    show = Presentation()
    if modified is not None:
        show.core_properties.modified = modified.replace(tzinfo=None)
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Plans"
    slide.placeholders[1].text = line
    slide.notes_slide.notes_text_frame.text = "Say thanks."
    out = io.BytesIO()
    show.save(out)
    return out.getvalue()


def xlsx(rows: list[list[object]]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return dated_at(out.getvalue(), WHEN)


def dated_at(data: bytes, modified: datetime) -> bytes:
    """Change the day of the last change, which openpyxl always writes as today."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            said = given.read(name)
            if name == "docProps/core.xml":
                said = re.sub(
                    rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + f"{modified:%Y-%m-%dT%H:%M:%SZ}".encode(), said
                )
            made.writestr(name, said)
    return out.getvalue()


def eml(line: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ana <ana@harbour.example>", "crew@harbour.example", "New berth"
    mail["Date"] = format_datetime(WHEN)
    mail.set_content(line)
    mail.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="berth.pdf")
    return mail.as_bytes()


def epub(line: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        book.writestr(
            "OEBPS/book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            "<dc:title>Harbour book</dc:title><dc:date>2021-05-06</dc:date></metadata><manifest>"
            '<item id="b" href="two.xhtml"/><item id="a" href="one.xhtml"/></manifest>'
            '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
        )
        book.writestr("OEBPS/one.xhtml", f"<html><body><h1>One</h1><p>{line}</p></body></html>")
        book.writestr("OEBPS/two.xhtml", "<html><body><h1>Two</h1><p>The end.</p></body></html>")
    return out.getvalue()


def ipynb(line: str) -> bytes:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Counting\n", "\n", line]},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": ["print(6 * 7)"],
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["42\n"]}],
        },
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def text(form: str) -> Callable[[str], bytes]:
    return lambda line: form.replace("LINE", line).encode()


FILES: dict[str, tuple[Callable[[str], bytes], str]] = {
    "a.md": (text("---\ndate: 2021-05-06\n---\n# Note\nLINE\n"), "front matter date"),
    "2021-05-06-b.txt": (text("LINE\n"), "file name"),
    "c.html": (text("<meta property='article:published_time' content='2021-05-06'><p>LINE</p>"), "HTML metadata article:published_time"),
    "d.jsonl": (lambda line: json.dumps({"text": line, "date": "2021-05-06"}).encode(), "field date"),
    "e.pdf": (pdf, "PDF CreationDate"),
    "f.docx": (docx, "docx modified"),
    "g.pptx": (pptx, "pptx modified"),
    "h.xlsx": (lambda line: xlsx([["Date", "Event"], [WHEN.replace(hour=0, minute=0, tzinfo=None), line]]), "field Date"),
    "i.csv": (text('Date;Event\n2021-05-06;"LINE"\n'), "field Date"),
    "j.eml": (eml, "mail date"),
    "k.json": (lambda line: json.dumps({"notes": [{"body": line, "createdAt": "2021-05-06"}]}).encode(), "field createdAt"),
    "l.rst": (text("Harbour\n=======\n\n:Date: 2021-05-06\n\n:ref:`Now <now>`. LINE\n"), "rst date"),
    "2021-05-06-m.ipynb": (ipynb, "file name"),
    "n.org": (text("#+TITLE: Log\n#+DATE: <2021-05-06 Thu>\n* Quay\n  LINE\n"), "org date"),
    "o.xml": (text("<log><info><published>2021-05-06</published></info><p>LINE</p></log>"), "XML published"),
    "p.epub": (epub, "EPUB date"),
    "q.yaml": (lambda line: yaml.safe_dump({"date": WHEN.date(), "what": line}).encode(), "field date"),
}  # fmt: skip
"""Name -> how it is written, and where its date stands."""


def write_all(folder: Path) -> dict[str, str]:
    """Write each file with a line of its own; return the lines."""
    lines = {name: f"Berth number {place} is closed for repairs." for place, name in enumerate(FILES, start=101)}
    for name, (make, _) in FILES.items():
        (folder / name).write_bytes(make(lines[name]))
    return lines
