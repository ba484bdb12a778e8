"""The compare page offers the parameters that the compared methods declare."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.jobs.results import Compared, MethodParameter, MethodTrial, PageOutline
from winnow.proxy.own.templates.compare_page import Comparison, summary
from winnow.proxy.own.templates.parameter_fields import with_parameters

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
