"""A page for small screens: plain, in parts, with its forms, never blank."""

from __future__ import annotations

from tests.winnow.conftest import ARTICLE, PAGE
from winnow.document.values import Page, Recipe
from winnow.features.small.jobs import Field, PageForm, SmallPart
from winnow.features.small.split_page import small_part
from winnow.jobs.codec import pack_result, unpack_result
from winnow.jobs.small_gateway import Measure

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
        "<select name=s><option value=a>Aa</option><option selected>b</option></select>"
        "<input type=checkbox name=c checked><input type=radio name=d value=2>"
        "<textarea name=t></textarea><input type=date name=e><input type=file name=f>"
        "<input type=submit name=go value=Find></form>"
    )
    login = "<form method=post><input name=user><input type=password name=p></form>"
    found = small(LONG.replace("<body>", f"<body>{search}{search}{login}"))
    fields = (
        Field("q", "text", "Search", ""),
        Field("h", "hidden", "", "1"),
        Field("s", "select", "", "b", (("a", "Aa"), ("b", "b"))),
        Field("c", "checkbox", "", "on", chosen=True),
        Field("d", "radio", "", "2"),
        Field("t", "area", "", ""),
        Field("e", "text", "", ""),
        Field("go", "hidden", "", "Find"),
    )
    assert found.forms == (PageForm("https://farm.example/find?x=1", "get", fields, "Find"),)
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


def test_a_form_that_asks_nothing_is_left_out() -> None:
    consent = "<form><input type=checkbox name=all><button>Agree</button></form>"
    assert small(LONG.replace("<body>", f"<body>{consent}")).forms == ()


def test_what_a_list_has_chosen_is_in_it_however_long_it_is() -> None:
    options = "".join(f"<option value={n}>{n}" for n in range(200)) + "<option selected>Peru"
    html = LONG.replace("<body>", f"<body><form><select name=s>{options}</select></form>")
    (field,) = small(html).forms[0].fields
    assert (field.value, field.choices[-1]) == ("Peru", ("Peru", "Peru"))
    assert len(field.choices) == 61


def test_headings_say_in_which_part_they_stand() -> None:
    more = "".join(f"<h3>Day {n}</h3><p>{ARTICLE[0]}</p><p>{ARTICLE[1]}</p>" for n in range(40))
    html = PAGE.replace("<div>", f"<div>{more}")
    found = small(html, Measure(1, 4000))
    assert [heading.text for heading in found.headings] == [f"Day {n}" for n in range(40)]
    assert found.headings[0].part == 1
    assert found.headings[-1].part == found.parts > 2
    for number in range(1, found.parts + 1):
        markup = small(html, Measure(number, 4000)).markup
        here = [heading for heading in found.headings if heading.part == number]
        assert all(f'id="{each.anchor}">{each.text}<' in markup for each in here)
        assert markup.count("<h2 id=") == len(here)


def test_author_day_and_reading_time_are_words() -> None:
    head = "<html lang=de><meta name=author content='A. B'><meta property=article:published_time "
    html = LONG.replace("<html>", "").replace("<head>", "<head>", 1)
    found = small(f"{head} content=2026-03-05T10:00:00Z>{html}")
    assert found.facts.startswith("A. B · 5. März 2026 · ")
    assert found.facts.endswith("\u00a0Minuten")


def test_drawings_and_formulas_become_text() -> None:
    math = "<p>Formula but <math alttext='x = 1'><mi>x</mi></math> is here to stay</p>"
    found = small(LONG.replace("<div>", f"<div>{math}"), Measure(size=99_000))
    assert "<code>x = 1</code>" in found.markup


def test_a_part_crosses_as_json() -> None:
    found = small(LONG)
    assert unpack_result(pack_result(found), SmallPart) == found


def test_an_empty_page_is_an_empty_part() -> None:
    assert (small("").markup, small("").parts) == ("", 1)
