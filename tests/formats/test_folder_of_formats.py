"""A folder of all formats is read in full, each file with the date it tells."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from made_files import FILES, WHEN, docx, eml, epub, pdf, pptx, write_all, xlsx

from dateline.documents import DateRules
from dateline.errors import BadInput
from dateline.formats import foreign, office
from dateline.formats.table import FORMATS
from dateline.search import FolderSearch, load_documents
from dateline.search.index import FolderIndex
from dateline.text.lexical import LexicalEmbeddings


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    write_all(folder)
    return folder


def one(folder: Path, name: str, data: bytes) -> tuple[str, str, str]:
    """Read one file: its date, where that stood, its text."""
    (folder / name).write_bytes(data)
    (piece,) = load_documents(folder / name).documents
    return str(piece.published)[:10], piece.dated_by, piece.text


def test_every_format_of_the_folder_is_read_in_full_with_its_date(library: Path) -> None:
    loaded = load_documents(library)
    lines = write_all(library)
    assert loaded.skipped == ()
    assert loaded.files == len(FILES) == 17
    for name, (_, place) in FILES.items():
        pieces = [piece for piece in loaded.documents if piece.source == name]
        assert any(lines[name] in piece.text for piece in pieces), name
        assert {(str(piece.published)[:10], piece.dated_by) for piece in pieces} == {("2021-05-06", place)}, name


def test_the_index_on_disk_holds_what_the_folder_in_memory_holds(library: Path, tmp_path: Path) -> None:
    index = FolderIndex(library, embeddings=LexicalEmbeddings(), output=tmp_path / "library.index")
    assert index.update().passages == len(load_documents(library).documents)
    assert index.update().read == 0
    asked = "Which berth number 105 is closed?"
    (found,) = index.search().search(asked, as_of=datetime(2024, 1, 1, tzinfo=UTC), k=1).evidence
    assert (found.source, found.dated_by) == ("e.pdf", "PDF CreationDate")
    before = FolderSearch.open(library, embeddings=LexicalEmbeddings()).search(
        asked, as_of=datetime(2021, 1, 1, tzinfo=UTC)
    )
    assert before.evidence == ()


@pytest.mark.parametrize(("name", "make"), [("a.docx", docx), ("a.pptx", pptx)])
def test_the_day_of_a_template_is_no_date_of_the_document(name: str, make: object, tmp_path: Path) -> None:
    assert one(tmp_path, name, make("The quay is closed.", modified=None))[:2] == ("None", "")  # type: ignore[operator]


def test_the_name_and_the_first_lines_of_a_pdf_are_believed_before_its_program(tmp_path: Path) -> None:
    named = one(tmp_path, "2019-03-04-quay.pdf", pdf("The quay is closed."))
    stated = one(tmp_path, "quay.pdf", pdf("Minutes of 3 March 2018: the quay is closed."))
    assert (named[:2], stated[:2]) == (("2019-03-04", "file name"), ("2018-03-03", "text"))


def test_a_title_that_a_program_wrote_is_none(tmp_path: Path) -> None:
    for title, expected in (("Microsoft Word - plan.docx", "quay"), ("Works at the quay", "Works at the quay")):
        (tmp_path / "quay.pdf").write_bytes(pdf("The quay is closed.", title=title))
        assert load_documents(tmp_path).documents[0].title == expected


def test_rows_of_a_table_are_documents_of_their_own_days(tmp_path: Path) -> None:
    rows = [["Day", "Price", "Date"], ["first", 9, datetime(2019, 1, 2)], ["second", 12, datetime(2023, 1, 2)]]
    (tmp_path / "prices.xlsx").write_bytes(xlsx(rows))
    (tmp_path / "other.csv").write_text("Date,Price\n03/04/2019,9\n13/04/2019,12\n")
    found = {(each.source, str(each.published), each.dated_by) for each in load_documents(tmp_path).documents}
    assert found == {
        ("prices.xlsx", "2019-01-02", "field Date"),
        ("prices.xlsx", "2023-01-02", "field Date"),
        ("other.csv", "2019-04-03", "field Date, day first"),
        ("other.csv", "2019-04-13", "field Date"),
    }


def test_a_table_without_dates_is_one_document_of_the_day_it_was_saved(tmp_path: Path) -> None:
    day, by, text = one(tmp_path, "crew.xlsx", xlsx([["Name", "Role"], ["Ana", "pilot"], ["Tom", "mate"]]))
    assert (day, by) == (WHEN.date().isoformat(), "xlsx modified")
    assert text == "Name: Ana; Role: pilot\nName: Tom; Role: mate"


def test_a_field_that_a_person_names_decides_in_every_format(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("start,date,text\n2018-01-01,2024-01-01,The quay opens.\n")
    (tmp_path / "a.json").write_text('{"start": "2018-01-01", "date": "2024-01-01", "text": "The quay is open."}')
    (tmp_path / "a.pdf").write_bytes(pdf("The quay is new."))
    loaded = load_documents(tmp_path, date_field=DateRules(date_field=("start",)))
    dates = {each.source: str(each.published) for each in loaded.documents}
    assert dates == {"a.csv": "2018-01-01", "a.json": "2018-01-01", "a.pdf": "None"}


def test_a_mail_shows_who_wrote_to_whom_and_names_what_is_attached(tmp_path: Path) -> None:
    _, _, text = one(tmp_path, "a.eml", eml("The berth is free."))
    assert text.splitlines()[:3] == [
        "From: Ana <ana@harbour.example>",
        "To: crew@harbour.example",
        "Attached: berth.pdf",
    ]


def test_the_heading_of_a_mail_in_markup_is_a_part_of_its_text(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["Subject"] = "Notice"
    mail.set_content("<h1>Anna Berg is the new mayor</h1><p>She took office today.</p>", subtype="html")
    assert one(tmp_path, "a.eml", mail.as_bytes())[2] == "Anna Berg is the new mayor\n\nShe took office today."


@pytest.mark.parametrize("plain", ["", " ", "\n\n"])
def test_a_mail_without_words_in_its_plain_part_is_read_from_its_markup(plain: str, tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["Subject"] = "Notice"
    mail.set_content(plain)
    mail.add_alternative("<p>Anna Berg is mayor.</p>", subtype="html")
    assert one(tmp_path, "a.eml", mail.as_bytes())[2] == "Anna Berg is mayor."


def test_a_mail_with_words_in_its_plain_part_is_read_from_it_alone(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["Subject"] = "Notice"
    mail.set_content("Anna Berg is mayor.")
    mail.add_alternative("<p>Anna Berg is mayor. <a>Unsubscribe</a></p>", subtype="html")
    assert one(tmp_path, "a.eml", mail.as_bytes())[2] == "Anna Berg is mayor."


def test_the_heading_of_a_feeds_entry_is_a_part_of_its_text(tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_text(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title><updated>2021-05-06T09:30:00Z</updated>'
        '<content type="html">&lt;h1&gt;Anna Berg is the new mayor&lt;/h1&gt;&lt;p&gt;Today.&lt;/p&gt;</content></entry></feed>'
    )
    assert [each.text for each in load_documents(tmp_path).documents] == ["Anna Berg is the new mayor\n\nToday."]


@pytest.mark.parametrize(
    "line", [".. [1] Carl Dahl took over.", ".. [CIT2021] The report.", ".. caution:: The old key is void."]
)
def test_what_readers_see_of_restructured_markup_is_text(line: str, tmp_path: Path) -> None:
    made = f"The quay is open.\n\n.. image:: quay.png\n   :alt: A quay\n\n{line}\n\n.. A comment.\n.. _quay: https://q.example"
    (tmp_path / "a.rst").write_text(made)
    (piece,) = load_documents(tmp_path).documents
    assert [said for said in piece.text.split("\n") if said] == ["The quay is open.", line.removeprefix(".. ")]


def test_a_feed_is_a_document_for_each_entry(tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_text(
        "<rss><channel><title>News</title>"
        "<item><title>One</title><pubDate>Thu, 06 May 2021 09:30:00 GMT</pubDate>"
        "<description>&lt;p&gt;The quay &lt;b&gt;opens&lt;/b&gt;.&lt;/p&gt;</description><link>https://n.example/1</link></item>"
        "<item><title>Two</title><pubDate>Fri, 07 May 2021 09:30:00 GMT</pubDate><description>It closes.</description></item>"
        "</channel></rss>"
    )
    read = [(each.title, each.text, str(each.published)[:10], each.url) for each in load_documents(tmp_path).documents]
    assert read == [
        ("One", "The quay opens.", "2021-05-06", "https://n.example/1"),
        ("Two", "It closes.", "2021-05-07", ""),
    ]


def test_an_org_diary_is_read_day_by_day(tmp_path: Path) -> None:
    (tmp_path / "diary.org").write_text(
        "#+TITLE: Diary\n* <2024-03-01 Fri>\n:PROPERTIES:\n:ID: x\n:END:\nThe pump moved to the cellar.\n"
        "* <2025-01-15 Wed>\nThe pump moved to the attic, see [[https://p.example][the plan]].\n"
    )
    dated = {str(each.published): each.text for each in load_documents(tmp_path).documents}
    assert dated["2025-01-15"].endswith("The pump moved to the attic, see the plan.")
    assert set(dated) == {"2024-03-01", "2025-01-15"}
    assert "PROPERTIES" not in "".join(dated.values())


def test_without_the_package_the_files_are_counted_with_what_would_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("dateline.formats.table.find_spec", lambda name: None)
    write_all(tmp_path)
    loaded = load_documents(tmp_path)
    fix = 'pip install "dateline[formats]"'
    assert loaded.files == 13
    assert loaded.skipped == tuple(f"1 file in .{ending} ({fix})" for ending in ("docx", "pdf", "pptx", "xlsx"))
    assert fix in caplog.text
    with pytest.raises(BadInput, match=r"e\.pdf' is not read without a package: pip install"):
        load_documents(tmp_path / "e.pdf")
    assert all(each.fix == fix for each in FORMATS.values() if each.modules)


def test_the_entries_of_a_feed_that_say_no_day_stand_undated_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_text(
        "<rss><channel><item><title>One</title><pubDate>Thu, 06 May 2021 09:30:00 GMT</pubDate>"
        "<description>It opens.</description><list><item>Not news.</item></list></item>"
        "<item><title>Two</title><description>It closes.</description></item></channel></rss>"
    )
    read = [(each.title, each.text, str(each.published)[:10]) for each in load_documents(tmp_path).documents]
    assert read == [("One", "It opens.", "2021-05-06"), ("Two", "It closes.", "None")]


def test_where_a_person_names_a_field_no_program_dates_a_workbook(tmp_path: Path) -> None:
    (tmp_path / "crew.xlsx").write_bytes(xlsx([["Name", "Role"], ["Ana", "pilot"], ["Tom", "mate"]]))
    (piece,) = load_documents(tmp_path, date_field=DateRules(date_field=("start",))).documents
    assert (piece.published, piece.dated_by) == (None, "")


@pytest.mark.parametrize("name", ["opf:event", "event"])
def test_the_day_of_a_books_last_change_is_none_of_its_dates(name: str, tmp_path: Path) -> None:
    changed = f'<dc:date xmlns:opf="http://www.idpf.org/2007/opf" {name}="modification">2024-01-01</dc:date>'
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(epub("The quay is closed."))) as given, zipfile.ZipFile(out, "w") as made:
        for each in given.namelist():
            made.writestr(each, given.read(each).replace(b"<dc:date>", changed.encode() + b"<dc:date>"))
    assert one(tmp_path, "a.epub", out.getvalue())[:2] == ("2021-05-06", "EPUB date")


def test_a_field_list_far_behind_the_head_is_text(tmp_path: Path) -> None:
    body = "The quay is being built.\n" * 200
    (tmp_path / "a.rst").write_text(f":Date: 2021-05-06\n\n{body}\n:Deadline: 3 May 2024\n")
    text = "\n".join(each.text for each in load_documents(tmp_path).documents)
    assert ":Deadline: 3 May 2024" in text
    assert "2021-05-06" not in text


def test_an_entry_of_a_feed_may_hold_its_text_as_markup(tmp_path: Path) -> None:
    (tmp_path / "news.xml").write_text(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title><updated>2021-05-06T09:30:00Z</updated>'
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>The <b>quay</b> opens.</p>'
        "<p><i>At noon.</i></p></div></content><summary>Quay.</summary></entry></feed>"
    )
    read = [(each.title, each.text, str(each.published)[:10]) for each in load_documents(tmp_path).documents]
    assert read == [("One", "The quay opens.\n\nAt noon.", "2021-05-06")]


def stated_size(data: bytes, size: str) -> bytes:
    """Change the size that a workbook states of its sheet."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            said = given.read(name)
            if name.endswith("sheet1.xml"):
                said = re.sub(rb'<dimension ref="[^"]*"', f'<dimension ref="{size}"'.encode(), said)
            made.writestr(name, said)
    return out.getvalue()


@pytest.mark.parametrize("size", ["A1", "A1:B2", "A1:XFD1048576"])
def test_all_of_a_sheet_is_read_whatever_size_it_states(size: str, tmp_path: Path) -> None:
    crew = [["Name", "Role"], ["Ana", "pilot"], ["Tom", "mate"]]
    _, _, text = one(tmp_path, "crew.xlsx", stated_size(xlsx(crew), size))
    assert text == "Name: Ana; Role: pilot\nName: Tom; Role: mate"


def test_rows_beyond_the_most_of_a_workbook_are_told_and_empty_ones_count_for_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(foreign, "MOST_ROWS", 3)
    rows: list[list[object]] = [["Name"], *([[None]] * 50), ["Ana"], [""], ["Tom"]]
    read = foreign.xlsx(xlsx(rows))
    assert (read["sheets"][0]["rows"], read["cut"]) == ([["Name"], ["Ana"], ["Tom"]], 0)
    read = foreign.xlsx(xlsx([*rows, ["Eva"]]))
    assert (read["sheets"][0]["rows"], read["cut"]) == ([["Name"], ["Ana"], ["Tom"]], 3)


def test_of_a_workbook_that_is_too_long_for_a_reply_the_first_rows_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[list[object]] = [["Name", "Söl"], *([f"Ana {number}", "é" * 100] for number in range(1000))]
    whole = len(json.dumps(foreign.xlsx(xlsx(rows))))
    monkeypatch.setattr(foreign, "REPLY", 100_000 + whole // 2)
    read = foreign.xlsx(xlsx(rows))
    assert read["sheets"][0]["rows"] == rows[: read["cut"]]
    assert 400 < read["cut"] < 600
    assert len(json.dumps(read)) < foreign.REPLY


def rewritten(data: bytes) -> bytes:
    """A PDF whose day of the last change stands before that of its making, and says another."""
    made = data.replace(b"/CreationDate", b"/Former").replace(b"/ModDate", b"/CreationDate")
    made = made.replace(b"/Former", b"/ModDate")
    return re.sub(rb"/ModDate \(D:2021", b"/ModDate (D:2024", made)


def test_a_pdf_is_dated_by_its_making_in_whatever_order_it_says_its_dates(tmp_path: Path) -> None:
    again = rewritten(pdf("The berth is closed."))
    assert again.index(b"/ModDate (D:2024") < again.index(b"/CreationDate (D:2021")
    assert one(tmp_path, "berth.pdf", again)[:2] == ("2021-05-06", "PDF CreationDate")


def test_what_a_pdf_said_last_of_itself_goes_before_what_it_said_earlier() -> None:
    first = pdf("The berth is closed.", title="Berth")
    number, before = re.findall(rb"(?:/Info|startxref)\s+(\d+)", first)
    (root,) = re.findall(rb"/Root \d+ 0 R", first)
    place = len(first) + 1
    info = b"%s 0 obj\n<< /Title (Berths of the harbour) >>\nendobj\n" % number
    table = b"xref\n%s 1\n%010d 00000 n \ntrailer\n" % (number, place)
    table += b"<< %s /Info %s 0 R /Size 99 /Prev %s >>\n" % (root, number, before)
    table += b"startxref\n%d\n%%%%EOF\n" % (place + len(info))
    assert foreign.pdf(first + b"\n" + info + table)["title"] == "Berths of the harbour"


def test_a_workbook_that_is_read_in_part_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MOST_ROWS", 2)
    monkeypatch.setattr(office.FOREIGN, "ask", foreign.answer)
    (tmp_path / "crew.xlsx").write_bytes(xlsx([["Name"], ["Ana"], ["Tom"]]))
    loaded = load_documents(tmp_path)
    assert [each.text for each in loaded.documents] == ["Name: Ana"]
    assert loaded.skipped == ("crew.xlsx is read to row 2 alone; give it in several files",)
