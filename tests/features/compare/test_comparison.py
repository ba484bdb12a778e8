"""The compare page offers the parameters that the compared methods declare."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.features.compare.jobs import Compared, Curve, MethodRow, MethodTrial, PageOutline
from winnow.features.compare.templates.comparison import Comparison, summary
from winnow.features.site.parameter_fields import with_parameters
from winnow.jobs.results import MethodParameter
from winnow.proxy.own.translation import Language, speaking

THRESHOLD = MethodParameter("lqf", "threshold", "0.5", (), 0.0, 1.0, whole=False)
ALGORITHM = MethodParameter("memory", "algorithm", "ib1", ("ib1", "igtree"), 0.0, 0.0, whole=False)


def form_of(*methods: str) -> LexborHTMLParser:
    trials = tuple(
        MethodTrial(method, words=1, overlaps=(1.0,) * len(methods), strip="9")
        for method in methods
    )
    found = Compared("A page", 1, trials, (), 0, (), (), (THRESHOLD, ALGORITHM))
    about = Comparison("http://a.example/", PageOutline("A page", 1), ("lqf", "memory"))
    return LexborHTMLParser(summary(found, about))


def test_a_range_is_a_number_with_its_bounds() -> None:
    (field,) = form_of("lqf", "memory").css('input[name="lqf.threshold"]')
    assert (field.attributes["min"], field.attributes["max"]) == ("0", "1")
    assert (field.attributes["placeholder"], field.attributes["value"]) == ("0.5", "")
    assert (field.parent.text() if field.parent else "").strip() == "Most text in links, as a share"


def test_names_are_a_list_with_the_default_as_nothing() -> None:
    (field,) = form_of("lqf", "memory").css('select[name="memory.algorithm"]')
    options = [(each.attributes["value"], each.text()) for each in field.css("option")]
    assert options == [("", "By the nearest neighbours"), ("igtree", "By a decision tree")]


def test_what_was_compared_stands_in_the_form() -> None:
    form = form_of("lqf:threshold=0.25", "memory:algorithm=igtree")
    (field,) = form.css('input[name="lqf.threshold"]')
    assert field.attributes["value"] == "0.25"
    (chosen,) = form.css('select[name="memory.algorithm"] option[selected]')
    assert chosen.attributes["value"] == "igtree"
    boxes = form.css('input[type="checkbox"][checked]')
    assert [each.attributes["value"] for each in boxes] == ["lqf", "memory"]


def test_what_methods_say_is_in_the_readers_language() -> None:
    trials = tuple(MethodTrial(each, 1, overlaps=(1.0, 0.0), strip="9") for each in ("lqf", "dsc"))
    rule = "90% of its characters are in links; above 50% a block is dropped."
    tags = "0.57 of 30 tokens around it are tags; areas below 0.29 are kept."
    row = MethodRow("Menu", 1, 2, "90", (rule, tags))
    curve = Curve("Token scores, summed", "", ((0.0, 0.0), (1.0, 1.0)), ())
    found = Compared("A page", 2, trials, (row,), 0, (curve,), (), ())
    with speaking(Language.GERMAN):
        about = Comparison("http://a.example/", PageOutline("A page", 2), ("lqf", "dsc"))
        tree = LexborHTMLParser(summary(found, about))
    titles = [each.attributes["title"] or "" for each in tree.css("td.mark")]
    assert titles[0] == "90% seiner Zeichen stehen in Links; über 50% wird ein Block weggelassen."
    assert titles[1].startswith("Von den 30 Token um ihn sind 0.57 Tags")
    drawn = tree.css_first("svg[role=img]")
    assert drawn is not None
    assert drawn.attributes["aria-label"] == "Werte der Token, summiert. "
    assert [each.text() for each in tree.css("figure h3")] == [
        "Werte der Token, summiert",
        "Blöcke",
    ]
    assert not tree.css("[lang=en]")


@pytest.mark.parametrize(
    ("query", "methods"),
    [
        ({}, ["lqf:0.75", "bte"]),
        ({"lqf.threshold": "0.25"}, ["lqf:threshold=0.25", "bte"]),
        ({"lqf.threshold": " ", "memory.k": "3"}, ["lqf:0.75", "bte"]),
        ({"bte.article": "true", "bte.x": "y"}, ["lqf:0.75", "bte:article=true,x=y"]),
    ],
)
def test_the_forms_fields_make_specifications(query: dict[str, str], methods: list[str]) -> None:
    assert with_parameters(["lqf:0.75", "bte"], query) == methods
