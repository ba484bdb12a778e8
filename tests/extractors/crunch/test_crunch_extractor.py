"""Crunch's filters, each at the rung where it stops."""

from pathlib import Path

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.document.edits import Operation
from winnow.document.parsing import tags
from winnow.extractors.crunch import relax_levels
from winnow.extractors.crunch.ad_matching import ad_list, host_of
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.crunch.relax_levels import OFF_FROM, Filter
from winnow.extractors.errors import ParameterError
from winnow.extractors.registry import make

WORDS = "some words that are no link at all "


def kept(html: str, level: int = 2, **parameters: bool | str | int) -> str:
    """What is left without the result check, which a page of three words would not pass."""
    document = Document.from_html(html)
    given = {"check": False, **parameters}
    spans = Crunch(level, **given).extract(document).spans  # type: ignore[arg-type]  # by name
    return "|".join(document.text[span.start : span.end] for span in spans)


def edits(html: str, level: int = 2) -> list[tuple[str, Operation, str]]:
    document = Document.from_html(html)
    found = Crunch(level).extract(document).edits
    return [(document.name_of(edit.element), edit.operation, edit.value) for edit in found]


@pytest.mark.parametrize("kind", OFF_FROM)
def test_a_filter_works_up_to_the_rung_that_keeps_its_matter(kind: Filter) -> None:
    first = OFF_FROM[kind]
    assert kind in relax_levels.level(first - 1).filters
    assert kind not in relax_levels.level(first).filters


@pytest.mark.parametrize(
    ("number", "ratio"), [(1, 0.25), (5, 0.25), (6, 0.5), (7, 0.75), (12, 0.75)]
)
def test_the_ratio_of_link_lists_rises(number: int, ratio: float) -> None:
    assert relax_levels.level(number).ratio == ratio


@pytest.mark.parametrize(
    ("html", "goes_until"),
    [
        ("<p>a <a href=x>link</a></p>", Filter.TEXT_LINKS),
        ("<p>a <a href=x><img src=y>link</a></p>", Filter.IMAGE_LINKS),
        ("<p>a <form>link</form></p>", Filter.FORMS),
        ("<p>a <button>link</button></p>", Filter.BUTTONS),
        ("<p>a</p><table><tr><td>some link</table>", Filter.EMPTY_TABLES),
        ("<p>a <object classid=clsid:D27CDB6E-AE6D-11cf-96B8-444553540000></object>", Filter.FLASH),
        ("<p>a <img src=x></p>", Filter.IMAGES),
        ("<p>a <iframe src=x></iframe></p>", Filter.FRAMES),
        ("<p>a <embed src=x></p>", Filter.EMBEDS),
    ],
)
def test_what_a_filter_takes_until_its_rung(html: str, goes_until: Filter) -> None:
    first = OFF_FROM[goes_until]
    assert kept(html, first - 1).strip("\ufffc ") == "a"
    assert kept(html, first).strip() != "a"


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<link rel='alternate stylesheet' href=x>", Filter.STYLES),
        ("<style>p{}</style>", Filter.STYLES),
        ("<p style='color:red'>", Filter.STYLES),
        ("<meta name=x>", Filter.META),
        ("<script>x</script>", Filter.SCRIPTS),
        ("<input>", Filter.INPUTS),
        ("<select></select>", Filter.SELECTS),
        ("<table width=9><td>long enough to be substance</table>", Filter.CELL_WIDTHS),
    ],
)
def test_markup_that_goes_until_its_rung(html: str, kind: Filter) -> None:
    first = OFF_FROM[kind]
    assert edits(html, first - 1)
    assert not edits(html, first)


def test_a_link_that_is_an_anchor_stays() -> None:
    assert kept("<p>a <a name=x>anchor</a></p>") == "a anchor"


@pytest.mark.parametrize(("words", "stays"), [(3, False), (4, True), (5, True)])
def test_a_cell_goes_when_links_per_word_are_above_the_ratio(words: int, stays: bool) -> None:
    html = "<table><tr><td><a name=x>x</a>" + "wwwww" * words + "<a href=x>link</a></table>"
    assert ("wwwww" in kept(html, 5, substance=0)) is stays


def test_a_cell_without_words_outside_links_always_goes() -> None:
    assert kept("<table><tr><td><a href=x>link</a></table>", 5, substance=0) == ""


def test_a_link_list_loses_texts_and_links_and_keeps_images() -> None:
    html = "<table><tr><td><a href=x>link</a> or <img src=y></table>"
    assert kept(html, 5, substance=0) == "\ufffc"


def test_cells_of_today_are_cells_in_modern_mode() -> None:
    html = "<nav><a href=x>one</a> <a href=y>two</a></nav><p>" + WORDS
    assert "one" in kept(html, 5)
    assert "one" not in kept(html, 5, modern=True)


def test_nested_empty_tables_go_bottom_up() -> None:
    assert kept("<table><td><table><td>x</table></table><p>a") == "a"
    assert kept("<table><td><table><td>long enough text</table></table>") == "long enough text"
    assert kept("<table><td><input></table>x", 10) == "x"


@pytest.mark.parametrize("level", [1, 2])
def test_alt_texts_stand_for_images_from_level_2_on(level: int) -> None:
    found = edits("<img src=a.png alt='A tree'>", level)
    replaced = ("img", Operation.REPLACE, '<a href="a.png"><b>[A tree]</b></a>')
    assert (replaced in found) is (level == 2)


def test_a_removed_image_link_leaves_two_links() -> None:
    link = '<b>[<a href="a.png">Image</a> | <i><a href="/go?a&amp;b">-Link-</a></i>]</b>'
    assert ("a", Operation.REPLACE, link) in edits("<a href='/go?a&amp;b'><img src=a.png></a>")


def test_an_alt_text_is_no_way_in_for_markup() -> None:
    [*_, replaced] = edits("<img src='\"><script>' alt='<script>'>")
    assert "<script>" not in replaced[2]


def test_ads_go_by_the_exact_host_of_a_list(tmp_path: Path) -> None:
    path = str(tmp_path / "hosts.txt")
    Path(path).write_text(
        "# list\n0.0.0.0 ads.example.com\n||track.example.net^\nplain.example.org\n"
    )
    html = "<a src=http://{}/x>ad text</a><p>a"
    hosts = ["ads.example.com", "track.example.net", "plain.example.org"]
    assert all(kept(html.format(host), ads=path) == "a" for host in hosts)
    assert "ad text" in kept(html.format("sub.ads.example.com"), ads=path)
    assert "ad text" in kept(html.format(hosts[0]), 12, ads=path)
    assert "ad text" in kept("<a src=/ads.example.com/x>ad text</a>", ads=path)


def test_a_list_of_hosts_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(ParameterError, match="no-such-file"):
        make("crunch:ads=no-such-file")


def test_hosts_of_odd_addresses() -> None:
    assert host_of("http://[broken") == ""
    assert host_of(" HTTP://Ads.Example/x") == "ads.example"
    assert not ad_list("! comment\n@@||good.example^\nexample.org##.banner\n")


@pytest.mark.parametrize("level", [0, 13])
def test_the_ladder_has_twelve_rungs(level: int) -> None:
    with pytest.raises(ParameterError, match="1 to 12"):
        make(f"crunch:{level}")


@pytest.mark.parametrize(("keep", "done"), [("", Operation.REMOVE), ("noscript", Operation.UNWRAP)])
def test_what_stands_in_for_scripts_loses_its_tags_where_it_stays(
    keep: str, done: Operation
) -> None:
    html = "<script>s()</script><noscript><p>Read this</p></noscript><p>more</p>"
    document = Document.from_html(html)
    found = Crunch(level=1, check=False, keep=keep).extract(document).edits
    (stand_in,) = np.flatnonzero(document.elements.tag == tags.CODES["noscript"])
    assert [edit.operation for edit in found if edit.element == stand_in] == [done]
