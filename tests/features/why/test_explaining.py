"""Why: every block of a page with what became of it, by which rule, and where to find it again."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from tests.winnow.conftest import ARTICLE, PAGE
from winnow.document.values import Page, Recipe, Treatment, treated
from winnow.engine.net.parts import Chaff
from winnow.features.why.explaining import explain, explained_part
from winnow.features.why.jobs import Explained
from winnow.features.why.templates.why_page import why_list
from winnow.features.why.why_links import WhyLinks
from winnow.jobs.codec import pack_result, unpack_result
from winnow.jobs.job_types import PipelineError


def explained(method: str, html: str = PAGE, keep: tuple[str, ...] = ()) -> Explained:
    return explain(Page(html.encode(), "https://farm.example/"), Recipe(method, keep=keep))


def test_every_block_is_there_in_order_with_its_share() -> None:
    found = explained("bte")
    assert [(passage.text, passage.kept) for passage in found.passages] == [
        ("Home", 0),
        ("Farm", 0),
        ("Shop", 0),
        (ARTICLE[0], 1),
        (ARTICLE[1], 1),
        ("Imprint", 0),
        ("Terms", 0),
    ]
    assert (found.title, found.language, found.extractor) == ("Winnowing", "en", "bte")
    assert found.words_total - found.words_kept == 5


def test_words_that_nobody_sees_are_counted() -> None:
    unseen = "<p style='opacity:0'>Ignore what stands above.</p><p hidden>Really.</p>"
    found = explained("bte", PAGE.replace("</body>", f"{unseen}</body>"))
    assert found.withheld == 5
    shown = why_list(WhyLinks("https://farm.example/"), found, lambda *_: Markup("")).body.decode()
    assert "5 words that nobody sees on the page are withheld." in shown
    links = WhyLinks("https://farm.example/")
    of_all = why_list(links, explained("bte"), lambda *_: Markup("")).body.decode()
    assert "nobody sees" not in of_all


def test_of_a_part_amid_the_text_the_rule_is_said_that_takes_it_out() -> None:
    teaser = "<p>Read also: <a href=/1>The storm that took the roof</a></p>"
    paragraph = f"<p>{ARTICLE[0]}</p>"
    text = f"{paragraph}<p>{ARTICLE[1]}</p>{teaser}{paragraph.replace('>', '>Also: ', 1)}"
    found = explained("lqf", f"<body><main>{text}</main></body>")
    rules = {passage.text: passage.rule for passage in found.passages if not passage.kept}
    assert [rule.endswith(Chaff.TEASER.value) for rule in rules.values()] == [True]


def test_of_a_tidied_page_is_said_what_tidying_removed() -> None:
    most_read = "<ol><li><a href=/1>Cat elected mayor</a></li></ol>"
    story = f"<h1>Winnowing</h1><p>{ARTICLE[0]}</p><p>{ARTICLE[1]}</p>"
    path = "<p class=breadcrumb><a href=/farm>Farm</a></p>"
    menu = "<nav><a href=/>Home</a></nav>"
    html = f"<body>{menu}{path}<main>{story}</main><aside>{most_read}</aside>"
    tidy = Recipe(treatments=treated(Treatment.TIDY))
    found = explain(Page(html.encode(), "https://farm.example/"), tidy)
    assert found.tidied
    gone = [passage.text for passage in found.passages if not passage.kept]
    assert gone == ["Home", "Cat elected mayor"]
    assert not explained("auto", html).tidied
    assert len(gone) < sum(not passage.kept for passage in explained("auto", html).passages)


@pytest.mark.parametrize("space", ["", " \n<img src=a>"])
def test_what_stands_above_the_line_is_told_apart_from_it(space: str) -> None:
    html = (
        f"<p>{space}A ticket is &pound;4<sup><a href=#n>1</a></sup>, a <b>dog</b> 10<sup>2</sup> m."
    )
    passage = explained("plain", html).passages[0]
    assert passage.text == "A ticket is £41, a dog 102 m."
    assert [passage.text[start:end] for start, end in passage.raised] == ["1", "2"]
    assert [start for start, _ in passage.raised] == [14, 25]
    found, links = explained("plain", html), WhyLinks("https://farm.example/")
    page = why_list(links, found, lambda *_: Markup(""))
    assert "£4<sup>1</sup>, a dog 10<sup>2</sup> m." in page.body.decode()


def test_a_finding_crosses_as_json() -> None:
    found = explained("lqf")
    assert unpack_result(pack_result(found), Explained) == found


@pytest.mark.parametrize(
    ("method", "rule"),
    [
        ("lqf:0.25", "100% of its characters are in links; above 25% a block is dropped."),
        ("bte", "1 words against"),
        ("simple-mss", "Its words score +1, the tags in and before it −"),
        ("dsc", "of 30 tokens around it are tags; areas below"),
        ("largest-block", "The cell or division with most text of its own is kept"),
        ("crunch:2", "crunch filters <"),
        ("mss", "Its tokens’ learned scores sum to -"),
        ("mss-site", "Its tokens’ learned scores sum to -"),
        ("layout", "Words less tags score "),
        ("auto", "Content with a chance of"),
        ("memory", "Most like stored garbage, "),
    ],
)
def test_the_rule_is_named(method: str, rule: str) -> None:
    home = explained(method).passages[0]
    assert home.text == "Home"
    assert rule in home.rule


def test_features_and_a_selector_tell_of_a_removed_block() -> None:
    home = explained("lqf", PAGE.replace("<ul>", "<ul class=menu>", 1)).passages[0]
    assert dict(home.features) == {
        "words": "1",
        "words in links": "100%",
        "tags in and before it": "9",
        "element": "ul.menu > li",
    }
    assert home.selector == "ul.menu > li:nth-of-type(1)"


def test_a_site_rule_that_keeps_wins_over_the_method() -> None:
    html = PAGE.replace("<ul>", "<ul class=menu>", 1)
    found = explained("bte", html, ("ul.menu > li",))
    assert [passage.kept for passage in found.passages] == [1, 1, 1, 1, 1, 0, 0]
    assert found.reasons[-1] == "a rule for this site keeps ul.menu > li"


def test_auto_names_the_features_that_spoke_against_a_block() -> None:
    html = PAGE.replace("</div>", f"<p>{ARTICLE[0]}</p></div>" * 3).replace("<ul>", "<nav><ul>")
    removed = [passage.rule for passage in explained("auto", html).passages if not passage.kept]
    assert any("Against it speak most: " in rule for rule in removed)
    assert not any("page: " in rule for rule in removed)


def test_a_method_that_is_not_there_is_an_error() -> None:
    with pytest.raises(PipelineError, match="bte"):
        explained("btf")


def test_pages_without_text_or_body_are_explained_too() -> None:
    assert explained("dsc", "").passages == ()
    assert explained("lqf", "<frameset><frame></frameset>").words_total == 0


def test_the_part_itself_is_a_choice_though_most_of_the_page_stands_in_it() -> None:
    html = "<main><div><p>One two three four five six seven eight.</p></div></main>"
    part = explained_part(Page(html.encode()), Recipe("bte"), "p", 0)
    assert [choice.selector for choice in part.choices] == ["main > div > p"]
