"""A folder of documents becomes dated evidence, whatever else lies in it."""

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.documents.text_head import split_head
from dateline.errors import BadInput
from dateline.formats.encoding import decode
from dateline.formats.html_page import read_html
from dateline.formats.json_lines import read_row
from dateline.formats.markdown import read_markdown
from dateline.limits import FILE_BYTES
from dateline.search import FolderLimits, load_documents
from dateline.search.passages import MAX_CHARACTERS, passages


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def dates(folder: Path) -> dict[str, tuple[str, str]]:
    """title -> (date, where it stood)"""
    loaded = load_documents(folder)
    return {each.title: (str(each.published), loaded.dates.get(each.id, "")) for each in loaded.documents}


def test_front_matter_gives_title_source_and_date(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\ntitle: A bridge opens\npublished: 2022-10-25\nsource: The Note\n---\nIt opened.\n")
    (evidence,) = load_documents(tmp_path).documents
    assert (evidence.title, evidence.source, str(evidence.published)) == ("A bridge opens", "The Note", "2022-10-25")
    assert evidence.text == "It opened."


@pytest.mark.parametrize(
    "block",
    ["The bridge opened on 3 May 2019.", "- one\n- two", "[see the map", "2019", '"quoted"', "Long ago\nit was."],
)
def test_a_text_between_two_rules_stays_in_the_text(block: str) -> None:
    text = f"---\n{block}\n---\nIt closed later."
    assert split_head(text) == ({}, text)


@pytest.mark.parametrize("block", ["", "# only a remark", "~"])
def test_an_empty_block_is_front_matter(block: str) -> None:
    assert split_head(f"---\n{block}\n---\nIt closed later.") == ({}, "It closed later.")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# Learning C#", "Learning C#"),
        ("# Learning C# #", "Learning C#"),
        ("## The bridge ##  ", "The bridge"),
        ("# The bridge", "The bridge"),
        ("# #1 in the charts", "#1 in the charts"),
    ],
)
def test_only_marks_behind_a_space_close_a_heading(line: str, title: str) -> None:
    page = read_markdown(f"{line}\nIt opened.")
    assert (page.title, page.text) == (title, "It opened.")
    told = read_markdown(f"---\ntitle: '{title}'\n---\n{line}\nIt opened.")
    assert (told.title, told.text) == (title, "It opened.")


def test_the_file_name_dates_a_document_without_front_matter(tmp_path: Path) -> None:
    write(tmp_path, "2021-05-06-ferry-timetable.md", "The ferry runs hourly.")
    assert dates(tmp_path) == {"ferry timetable": ("2021-05-06", "file name")}


def test_front_matter_wins_over_the_file_name(tmp_path: Path) -> None:
    write(tmp_path, "2021-05-06-x.md", "---\ndate: 2020-01-02\n---\nText.")
    assert dates(tmp_path)["x"] == ("2020-01-02", "front matter date")


def test_json_lines_are_one_document_each(tmp_path: Path) -> None:
    rows = [
        {"text": "One.", "title": "First", "publish_date": "2020"},
        {"page_content": "Two.", "metadata": {"title": "Second", "date": "2021-03"}},
        {"content": "Three.", "headline": "Third"},
    ]
    path = write(tmp_path, "notes.jsonl", "\n".join(json.dumps(row) for row in rows))
    assert {title: date for title, (date, _) in dates(path).items()} == {
        "First": "2020",
        "Second": "2021-03",
        "Third": "None",
    }


def test_html_is_dated_by_its_metadata_and_read_without_its_scripts(tmp_path: Path) -> None:
    write(
        tmp_path,
        "page.html",
        "<html><head><title>T</title><meta property='article:published_time' content='2019-04-01T08:00:00Z'>"
        "<script>var hidden = 1</script></head><body><h1>The hall</h1><p>It is open &amp; warm.</p></body></html>",
    )
    (evidence,) = load_documents(tmp_path).documents
    assert evidence.title == "The hall"
    assert evidence.text == "It is open & warm."
    assert str(evidence.published).startswith("2019-04-01")


def test_a_time_element_dates_a_page() -> None:
    assert read_html("<p>x <time datetime='2018-02-03'>then</time></p>").dates == (("<time>", "2018-02-03"),)


def test_damaged_files_are_skipped_and_named(tmp_path: Path) -> None:
    write(tmp_path, "good.md", "Fine.")
    write(tmp_path, "binary.txt", b"\x00\x01\x02" * 100)
    write(tmp_path, "empty.md", "")
    write(tmp_path, "rows.jsonl", '{"text": "ok"}\n{"text": \n[1]\n{"number": 1}\n')
    loaded = load_documents(tmp_path)
    assert {each.text for each in loaded.documents} == {"Fine.", "ok"}
    assert len(loaded.skipped) == 5
    assert any("binary.txt is binary" in line for line in loaded.skipped)
    assert any("rows.jsonl line 2 is not JSON" in line for line in loaded.skipped)


def test_files_of_other_kinds_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path, "good.md", "Fine.")
    for name in (
        "a.pages",
        "sub/b.PAGES",
        "c.doc",
        "Makefile",
        ".hidden.doc",
        *(f"{each}.k{each}" for each in range(9)),
    ):
        write(tmp_path, name, "x")
    skipped = load_documents(tmp_path).skipped
    assert skipped[:2] == ("1 file without an ending", "1 file in .doc")
    assert skipped[-1] == "2 files in .pages"
    assert [record.getMessage() for record in caplog.records] == [f"Not read: {'; '.join(skipped)}."]


def test_odd_encodings_are_read(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "café".encode("cp1252"))
    write(tmp_path, "b.txt", "naïve".encode("utf-16"))
    write(tmp_path, "c.txt", b"\xef\xbb\xbfpl\xc3\xa0")
    assert {each.text for each in load_documents(tmp_path).documents} == {"café", "naïve", "plà"}


def test_a_link_to_a_folder_above_is_entered_once(tmp_path: Path) -> None:
    write(tmp_path, "sub/a.md", "Once.")
    os.symlink(tmp_path, tmp_path / "sub" / "loop")
    os.symlink(tmp_path / "nowhere", tmp_path / "dangling.md")
    loaded = load_documents(tmp_path)
    assert [each.text for each in loaded.documents] == ["Once."]
    assert any("dangling.md" in line for line in loaded.skipped)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "Text.")
    os.mkfifo(tmp_path / "pipe.txt")
    assert any("pipe.txt cannot be read (it is not a regular file" in line for line in load_documents(tmp_path).skipped)


@pytest.mark.parametrize(
    ("text", "day", "by"),
    [
        (
            "Oslo, 03/04/2019. The bridge opens.",
            "2019",
            "text, only the year: 03/04/2019 may have the day or the month first",
        ),
        ("Oslo, 03/04/2019. The bridge opens on 13/05/2019.", "2019-04-03", "text, day first"),
        ("Die Brücke\n2. November 2021\n\nSie ist offen.", "2021-11-02", "text"),
        ("El puente\njueves 2 de abril de 2020", "2020-04-02", "text"),
        ("Budget 2019. It was agreed in May 2018, on 3 June 2018 at last.", "2018-06-03", "text"),
        ("Budget 2019, of which nobody knows a day.", "None", ""),
    ],
)
def test_a_text_is_dated_by_a_day_that_it_says_in_any_language_and_never_by_a_guess(
    tmp_path: Path, text: str, day: str, by: str
) -> None:
    write(tmp_path, "note.txt", text)
    (evidence,) = load_documents(tmp_path).documents
    assert (str(evidence.published), evidence.dated_by) == (day, by)


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no folder or file .*nowhere"):
        load_documents(tmp_path / "nowhere")


def test_a_folder_without_documents_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no readable document"):
        load_documents(tmp_path)


def test_long_documents_become_passages_with_the_same_title_and_date(tmp_path: Path) -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "Words and words. " * 30 for number in range(8))
    write(tmp_path, "2020-01-01-long.md", f"# Long\n\n{text}")
    documents = load_documents(tmp_path).documents
    assert len(documents) > 3
    assert {(each.title, str(each.published)) for each in documents} == {("Long", "2020-01-01")}
    assert all(len(each.text) <= MAX_CHARACTERS for each in documents)


def test_html_is_read_as_people_see_it() -> None:
    page = read_html(
        "<!doctype html><html><head><title>Site - Page</title><style>p { color: red }</style>"
        '<script type="application/ld+json">{"datePublished": "2020-02-03", "x": "<b>"}</script></head><body>'
        "<nav><a href='/'>Home</a></nav><!-- not <b>seen</b> --><p title='a > b'>One &lt;two&gt;,<br>three</p>"
        "<ul><li>4 < 5<li>six</ul><noscript>enable scripts</noscript><footer>Imprint</footer></body></html>"
    )
    assert page.title == "Site - Page"
    assert page.dates == (("HTML metadata datePublished", "2020-02-03"),)
    assert page.text.splitlines() == ["One <two>,", "three", "", "4 < 5", "six"]


@pytest.mark.parametrize(
    "part",
    ["<!--", "<a ", "<", "&", "<![CDATA[", "<!x ", "<?", "<script>", "<a b='", "</", "<title>", "<div>", "<svg>"],
)
@pytest.mark.parametrize("end", ["", ">", "-->"])
def test_broken_html_is_read_in_one_pass(part: str, end: str) -> None:
    started = time.process_time()
    read_html(part * 100_000 + end)
    assert time.process_time() - started < 2


@given(st.text(max_size=4_000), st.integers(min_value=20, max_value=400))
@settings(max_examples=200)
def test_passages_keep_every_word_in_order(text: str, limit: int) -> None:
    cut = passages(text, limit=limit)
    assert "".join("".join(cut).split()) == "".join(text.split())
    assert all(0 < len(each) <= limit for each in cut)


@pytest.mark.parametrize("sentence", ["Dr. Berg leads the mill of St. Ives.", "彼は市長です。", "- the bridge is open"])
def test_passages_begin_with_a_whole_sentence(sentence: str) -> None:
    gap = "" if sentence.endswith("。") else "\n"
    text = gap.join([sentence] * 60)
    cut = passages(text, limit=3 * len(sentence))
    assert len(cut) > 10
    assert all(each.startswith(sentence) and each.endswith(sentence) for each in cut)


@given(st.text(max_size=600))
@settings(max_examples=200)
def test_no_markdown_or_html_is_an_exception(text: str) -> None:
    read_markdown(f"---\n{text}\n---\n{text}")
    read_html(f"<{text}><time {text}>{text}")
    with pytest.raises(BadInput):
        read_row(text + "{")


def test_cells_of_a_page_stand_apart_and_rows_and_items_end_their_lines() -> None:
    page = read_html(
        "<table><tr><th>Year</th><th>Name</th></tr><tr><td>2019</td><td>Ana Berg</td></tr></table>It was so."
        "<ul><li>one</li><li>two</li></ul>and on"
    )
    assert page.text.splitlines() == ["Year Name", "2019 Ana Berg", "It was so.", "", "one", "two", "and on"]


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "json"])
def test_the_file_name_dates_rows_that_say_no_day(ending: str, tmp_path: Path) -> None:
    write(tmp_path, f"2021-05-06 log.{ending}", '{"text": "The ferry ran."}')
    (piece,) = load_documents(tmp_path).documents
    assert (str(piece.published), piece.dated_by) == ("2021-05-06", "file name")
    (piece,) = load_documents(tmp_path, date_field="start").documents
    assert piece.published is None


STATED = {
    "a.html": ('<meta charset="windows-1251"><p>LINE</p>', "windows-1251", "Паром ходит"),
    "b.html": ("<meta http-equiv=x content='text/html; charset=Shift_JIS'><p>LINE</p>", "cp932", "①渡し船"),
    "c.html": ('<meta charset="iso-8859-1"><p>LINE</p>', "cp1252", "“Café”"),
    "d.xml": ('<?xml version="1.0" encoding="ISO-8859-2"?><text>LINE</text>', "iso-8859-2", "Łódź"),
    "e.html": ('<meta charset="unheard-of"><p>LINE</p>', "cp1252", "“Café”"),
    "f.html": ('<meta charset="utf-8"><p>LINE</p>', "cp1252", "“Café”"),
    "g.html": ('<meta charset="unicode_escape"><p>LINE</p>', "cp1252", "\\x41 é"),
    "h.html": ('<meta charset="utf-16"><p>LINE</p>', "cp1252", "“Café”"),
}


@pytest.mark.parametrize("name", STATED)
def test_a_page_is_read_in_the_encoding_that_it_states_and_never_in_one_that_cannot_be(
    name: str, tmp_path: Path
) -> None:
    form, encoding, line = STATED[name]
    write(tmp_path, name, form.replace("LINE", line).encode(encoding))
    (piece,) = load_documents(tmp_path).documents
    assert piece.text == line


def test_names_and_escapes_are_no_encodings_of_a_page() -> None:
    for name in ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "utf-16", "cp037", "rot13"):
        assert decode(f'<meta charset="{name}">é'.encode("cp1252")).endswith("é"), name


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig", "utf-8"])
def test_json_lines_are_read_in_every_unicode_encoding(encoding: str, tmp_path: Path) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    rows = '{"text": "naïve ਊ ship"}\n{"text": "No\u2028 ferry"}\n'  # U+0A0A holds the byte of a line break twice
    write(tmp_path, "a.jsonl", f"{mark}{rows}".encode(encoding))
    loaded = load_documents(tmp_path)
    assert [each.text for each in loaded.documents] == ["naïve ਊ ship", "No\u2028 ferry"]
    assert loaded.skipped == ()


def test_a_file_too_large_for_its_format_or_for_all_shuts_out_no_other(tmp_path: Path) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(FILE_BYTES + 1)
    write(tmp_path, "b.jsonl", '{"text": "long"}\n' * 100)
    write(tmp_path, "c.md", "The ferry runs.")
    loaded = load_documents(tmp_path, limits=FolderLimits(bytes=1000))
    assert [each.text for each in loaded.documents] == ["The ferry runs."]
    assert loaded.skipped == (
        "'b.jsonl' alone has more than the 1,000 bytes of a folder that are read (FolderLimits(bytes=…) sets that)",
        "a.md cannot be read (it is larger than 32 MiB)",
    )
