"""A page for small screens: plain, in parts, with its forms, never blank."""

from __future__ import annotations

from tests.winnow.conftest import ARTICLE, PAGE
from winnow.document.values import Page, Recipe
from winnow.engine.html32 import Measure
from winnow.engine.split_page import small_part
from winnow.jobs.codec import pack_result, unpack_result
from winnow.jobs.results import Field, PageForm, SmallPart

PREFIX = "http://winnow.example/-/small/w300/"
URL = "https://farm.example/deep/page"


def small(html: str, measure: Measure | None = None) -> SmallPart:
    recipe = Recipe("bte", link_prefix=PREFIX)
    return small_part(Page(html.encode(), URL), recipe, measure or Measure(), PREFIX)


LONG = PAGE.replace("<div>", "<div>" + f"<p>{ARTICLE[0]} <a href=/x>more</a></p>" * 60)


def test_an_article_is_cut_into_parts() -> None:
    first = small(LONG, Measure(1, 4000))
    last = small(LONG, Measure(99, 4000))
    assert (first.part, last.part) == (1, last.parts)
    assert first.parts == last.parts > 2
    assert len(first.markup.encode()) <= 4000
    assert "Imprint" not in first.markup + last.markup
    assert ARTICLE[1] in last.markup


def test_links_stay_inside_without_our_own_name() -> None:
    assert '<a href="/-/small/w300/https://farm.example/x">more</a>' in small(LONG).markup


def test_images_are_linked_or_in_the_text_as_many_as_may_be() -> None:
    images = "more</a> <img src=a.png alt=A><img src=b.png alt=B></p>"
    html = LONG.replace("more</a></p>", images, 1)
    none, one = small(html, Measure(size=99_000)), small(html, Measure(1, 99_000, 1))
    place = "/-/small/w300/https://farm.example/deep/"
    assert f'<a href="{place}a.png">[Image: A]</a>' in none.markup
    assert f'<img src="{place}a.png" alt="A">' in one.markup
    assert f'<a href="{place}b.png">[Image: B]</a>' in one.markup


def test_a_page_without_an_article_is_shown_whole() -> None:
    found = small("<title>Links</title><ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul>")
    assert found.extractor == "plain"
    assert "One" in found.markup
    assert "/-/small/w300/https://farm.example/b" in found.markup


def test_forms_are_passed_on_but_log_ins_are_not() -> None:
    search = (
        "<form action='/find?x=1'><input name=q aria-label=Search>"
        "<input type=hidden name=h value=1>"
        "<select name=s><option value=a>Aa</option><option>b</option></select><input type=submit>"
        "<input type=checkbox name=c checked><input type=checkbox name=d></form>"
    )
    login = "<form method=post><input name=user><input type=password name=p></form>"
    found = small(LONG.replace("<body>", f"<body>{search}{search}{login}"))
    fields = (
        Field("q", "text", "Search", ""),
        Field("h", "hidden", "", "1"),
        Field("s", "select", "", "", (("a", "Aa"), ("b", "b"))),
        Field("c", "hidden", "", "on"),
    )
    assert found.forms == (PageForm("https://farm.example/find?x=1", "get", fields),)
    assert found.has_password


def test_a_form_says_what_its_labels_and_its_button_say() -> None:
    form = (
        "<form action=/find><label>Words <b>to find</b> <input name=q placeholder=cow></label>"
        "<label for=w>Where</label><input name=where id=w title=Field><input name=when "
        "placeholder=Day><textarea name=why></textarea>"
        "<button type=button>Help</button><button> Look it <i>up</i></button></form>"
    )
    (found,) = small(LONG.replace("<body>", f"<body>{form}")).forms
    labels = [field.label for field in found.fields]
    assert labels == ["Words to find", "Where", "Day", ""]
    assert found.submit == "Look it up"


def test_drawings_and_formulas_become_text() -> None:
    math = "<p>Formula but <math alttext='x = 1'><mi>x</mi></math> is here to stay</p>"
    found = small(LONG.replace("<div>", f"<div>{math}"), Measure(size=99_000))
    assert "<code>x = 1</code>" in found.markup


def test_a_part_crosses_as_json() -> None:
    found = small(LONG)
    assert unpack_result(pack_result(found), SmallPart) == found


def test_an_empty_page_is_an_empty_part() -> None:
    assert (small("").markup, small("").parts) == ("", 1)
