"""Pages that cost the parser more than their size are known by their bytes, before it starts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import mutated
from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.parsing import parse, parser_limits
from winnow.document.parsing.parser_limits import ParserLimit, exceeded_limit_in_python
from winnow.document.values import Page, Recipe
from winnow.engine.pipeline import transform
from winnow.jobs.job_types import PipelineError

DEAR = {
    "div": "<div>" * 100_000,
    "list": "<ul><li>" * 20_000,
    "table": "<table><tr><td>" * 3_000,
    "closed again": "<div>" * 30_000 + "</div>" * 30_000,
    "closed by name alone": "<div></span>" * 30_000,
    "behind a comment": "<!-- --!><div></x>" * 20_000,
    "in SVG": "<svg>" + "<g><![CDATA[></g>]]>" * 20_000,
    "attributes": f"<p {' '.join(f'a{n}' for n in range(50_000))}>",
    "formatting": "".join(f"<p><b id={n}>" for n in range(20_000)),
    "formatting of few": "<p>" + "".join(f"<b id={n}>" for n in range(400)) + "<p>" * 50_000,
    "choices": "<select>" + "<option>x" * 20_000,
}
CHEAP = {
    "paragraphs": "<p>a" * 20_000,
    "items": "<ul>" + "<li><a name=x>a" * 20_000,
    "definitions": "<dl>" + "<dt>a<dd>b" * 20_000,
    "cells": "<table>" + ("<tr>" + "<td><p>a" * 9) * 3_000,
    "anchors": "<a name=x>a<br>" * 20_000,
    "a script": f"<script>var a = '{'<div>' * 20_000}'</script>",
    "a comment": f"<!-- {'<div>' * 20_000} -->",
    "an attribute": f'<p title="{"<div>" * 20_000}">',
    "drawings": "<svg><path d=a /><g><path/></g></svg>" * 5_000,
    "choices": ("<select>" + "<option>x" * 100 + "</select>") * 200,
}


@pytest.mark.parametrize("name", DEAR)
def test_a_page_that_costs_more_than_its_size_is_refused_before_it_is_parsed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = list[bytes]()
    monkeypatch.setattr(parse, "LexborHTMLParser", parsed.append)
    with pytest.raises(TooComplexError):
        Document.from_html(DEAR[name])
    assert not parsed


@pytest.mark.parametrize("name", CHEAP)
def test_a_page_that_leaves_out_closing_tags_is_read(name: str) -> None:
    Document.from_html(CHEAP[name])


def test_the_reader_gets_the_original_with_a_reason() -> None:
    with pytest.raises(PipelineError) as caught:
        transform(Page(DEAR["list"].encode()), Recipe())

    assert caught.value.failure.reason == "too-complex"


LIMITS = st.tuples(
    st.integers(0, 40), st.integers(0, 4), st.integers(0, 30), st.integers(0, 9), st.integers(1, 9)
)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 30), LIMITS)
def test_the_compiled_estimate_is_that_of_the_definition(
    seed: int, times: int, limits: tuple[int, ...]
) -> None:
    require_module(
        "winnow.document.parsing._parser_limits", "a C compiler (gcc) and Python's headers"
    )
    assert parse._compiled is not None
    utf8 = mutated.page(seed)[:300] * times

    found = parse._compiled.excess(utf8, *parser_limits.TABLES, *limits)

    assert found == exceeded_limit_in_python(utf8, *parser_limits.TABLES, *limits)


def test_the_exceeded_limit_is_named() -> None:
    def found(html: str) -> int:
        return exceeded_limit_in_python(html.encode(), *parser_limits.TABLES, *parser_limits.LIMITS)

    assert found(DEAR["attributes"]) == ParserLimit.ATTRIBUTES
    assert found(DEAR["choices"]) == ParserLimit.OPTIONS
    assert found("<div>" * 510) == ParserLimit.NONE
    assert found("<div>" * 513) == ParserLimit.DEPTH
