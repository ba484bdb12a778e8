"""Webstemmer's files: read as its description prints one, written so that it reads them."""

from __future__ import annotations

import re
from ast import literal_eval
from pathlib import Path

import pytest

from tests.extractors.layout.pages import document, markup, prose
from winnow.cli import main
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.extractors.errors import ParameterError
from winnow.extractors.layout.layout_files import load
from winnow.extractors.layout.pattern_files import from_pattern_file, page_lines, pattern_file
from winnow.extractors.layout.pattern_learning import learn, learned_pages, links_of
from winnow.extractors.layout.pattern_matching import ALL, MatchingLimits
from winnow.extractors.layout.patterns import Patterns

SAMPLE = (
    """### version=0.6.0
### fname='cnn.200511210103.zip'

# 3759.96885103 <200511210103/www.cnn.com/principal.html> (pattern 1)
#       200511210103/www.cnn.com/principal.html
#\t200511210103/www.cnn.com/iran.html
(3759.9688510285455, '200511210103/www.cnn.com/principal.html', 2, [
""".removesuffix("\n")
    + (
        "(0.54130434782608694, 24.899999999999999, 'title'), "
        "(0.0, 0.0, 'table:id=cnnceil/tr/td:class=cnnceilw'), "
        "(0.76451612903225807, 23.699999999999999, 'tr:valign=top/td:id=cnnarticlecontent/h1'), "
        "(0.99176016830294533, 2262.8000000000002, 'tr:valign=top/td:id=cnnarticlecontent/p')])\n"
    )
)
EVERY = MatchingLimits(sub=ALL)


def learned(count: int = 8) -> Patterns:
    pages = [
        Document.parse(Page(markup(each, story="story").encode(), f"http://paper.example/{each}"))
        for each in range(count)
    ]
    return learn(learned_pages(pages, links_of(pages)))


def test_the_descriptions_sample_is_read() -> None:
    (pattern,) = from_pattern_file(SAMPLE).patterns
    assert (pattern.pages, pattern.title, len(pattern.blocks)) == (2, 2, 4)
    assert pattern.name == "200511210103/www.cnn.com/principal.html"
    assert pattern.members[1] == "200511210103/www.cnn.com/iran.html"
    assert pattern.blocks[3].feature == "tr:valign=top/td:id=cnnarticlecontent/p"
    assert pattern.blocks[3].main == pytest.approx(2262.8)


def test_without_its_pages_their_number_is_in_the_score() -> None:
    (line,) = [each for each in SAMPLE.splitlines() if each.startswith("(")]
    total = 24.9 + 23.7 + 2262.8
    (pattern,) = from_pattern_file(line).patterns
    assert pattern.pages == 5  # log(5) * total is about the score that is printed
    assert pattern.score == pytest.approx(3759.97, rel=0.02)
    assert total > 2000


def test_what_is_written_is_read_again_and_by_python_alone() -> None:
    found = learned()
    text = pattern_file(found)
    again = from_pattern_file(text)
    assert [each.name for each in again.patterns] == [each.name for each in found.patterns]
    assert [each.pages for each in again.patterns] == [each.pages for each in found.patterns]
    assert [each.features for each in again.patterns] == [each.features for each in found.patterns]
    rows = [literal_eval(line) for line in text.splitlines() if line.startswith("(")]
    assert [row[0] for row in rows] == pytest.approx([each.score for each in found.patterns])
    assert text.isascii()


def test_layouts_of_another_form_are_to_be_learned_again(tmp_path: Path) -> None:
    file = tmp_path / "before.json"
    file.write_text('{"version": 2, "key": "", "memory": "", "patterns": [{"blocks": []}]}')
    with pytest.raises(ParameterError, match="learn them again"):
        load(str(file))


@pytest.mark.parametrize("text", ["[]", "# x\n(1, 2)", "# x\n(1.0, 'a', 0, [(1, 2)])", "#\n(" * 3])
def test_what_is_no_pattern_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.pat"
    file.write_text(text)
    with pytest.raises(ParameterError, match="holds no layouts"):
        load(str(file))


def test_a_page_has_its_lines() -> None:
    found = learned()
    lines = list(page_lines(Document.parse(Page(markup(3, story="story").encode())), found, EVERY))
    assert lines[:2] == ["!MATCHED: -", "PATTERN: http://paper.example/0"]
    assert all(re.match(r"(TITLE|(MAIN|SUB)-\d+): ", line) for line in lines[2:])
    mains = [line for line in lines if line.startswith("MAIN-")]
    assert prose(300, 3) in " ".join(mains)
    strange = Document.from_html("<p>quite another page</p>", "http://a.example/")
    assert list(page_lines(strange, found, EVERY)) == ["!UNMATCHED: http://a.example/"]


def test_commands_write_and_apply_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl, out = tmp_path / "crawl", tmp_path / "paper.pat"
    crawl.mkdir()
    for number in range(6):
        (crawl / f"{number}.html").write_text(markup(number, story="story"), "utf-8")
    assert main(["learn", str(crawl), "--webstemmer", "--out", str(out), "-t", ".9"]) == 0
    assert out.read_text().startswith("### version=")
    capsys.readouterr()
    assert main(["labelled", str(out), str(crawl)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("!MATCHED: http://") == 6
    assert main(["labelled", str(out), str(crawl), "-M", "99999"]) == 0
    assert "MAIN-" not in capsys.readouterr().out
    assert main(["labelled", str(out), str(crawl), "-T", "1.1"]) == 0
    assert "SUB-" not in capsys.readouterr().out
    assert main(["labelled", str(out), str(crawl), "-t", "1"]) == 0
    assert "!MATCHED" not in capsys.readouterr().out
    page = str(crawl / "3.html")
    assert main(["extract", page, "--extractor", f"layout:site={out},mode=webstemmer"]) == 0
    assert prose(300, 3) in " ".join(capsys.readouterr().out.split())
    assert main(["labelled", str(crawl / "1.html"), str(crawl)]) == 2
    assert main(["labelled", str(out), str(tmp_path / "none")]) == 2


def test_a_document_of_the_site_is_labelled_alike_by_either_file() -> None:
    found = learned()
    again = from_pattern_file(pattern_file(found))
    page = document(3)
    assert list(page_lines(page, found, EVERY)) == list(page_lines(page, again, EVERY))
