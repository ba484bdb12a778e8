"""Winnow's answers are those of the plain definitions, on pages and instances written for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.definitions import baselines
from tests.definitions.comparing import Compared, layouts, memory, token_methods
from tests.definitions.token_stream import Token, token_stream
from tests.extractors.layout.pages import markup
from tests.programs import require_program
from winnow.document.document import BareDocument
from winnow.document.values import Page

ODD = (
    "<title>no text</title><p>one <b>two</b> three! <img src=x alt=no> four<br>five</p>"
    "<ul><li>a<li>b</ul><p hidden>hidden words</p><script>var no</script>"
    "<table><tr><td>cell<td>other</table>日本語 e\u0301te"
)


def pages() -> list[BareDocument]:
    bodies = [*map(markup, range(6)), ODD, "", "words alone", "<p>" * 50]
    return [
        BareDocument.parse(Page(body.encode(), f"http://paper.example/{number}", "utf-8"))
        for number, body in enumerate(bodies)
    ]


def assert_equal(found: list[Compared]) -> None:
    assert found
    assert [each for each in found if each.equal != each.cases] == []


def test_methods_over_tokens_are_those_of_the_papers() -> None:
    assert_equal(list(token_methods(pages())))


def test_memory_is_the_theses_and_timbls(tmp_path: Path) -> None:
    require_program("timbl")
    found = list(memory(tmp_path))
    assert len(found) == 40
    assert_equal(found)


def test_layouts_are_webstemmers() -> None:
    site = [
        BareDocument.parse(Page(markup(each, story="story").encode(), f"http://a.example/{each}"))
        for each in range(8)
    ]
    assert_equal(list(layouts("made", [site])))


def test_the_token_stream_is_of_all_text() -> None:
    kinds = [token for token in token_stream("<p hidden>a-b<!-- no --><br></p>") if token.text]
    assert kinds[-7:-2] == [
        Token("word", "a"),
        Token("symbol", "-"),
        Token("word", "b"),
        Token("tag", "br"),
        Token("tag", "/p"),
    ]


@pytest.mark.parametrize(
    ("scores", "run"),
    [([1, -1, 1], (0, 1)), ([-1, 2, -1, 3, -9], (1, 4)), ([-1], (0, 0)), ([], (0, 0))],
)
def test_figure_1(scores: list[float], run: tuple[int, int]) -> None:
    assert baselines.figure_1(scores) == run


def test_a_wrong_answer_is_counted() -> None:
    (page,) = [each for each in pages() if each.page.body == ODD.encode()]
    assert all(each.equal == each.cases == 1 for each in token_methods([page]))
    other = replace(page, page=Page(markup(1).encode()))
    assert [each.equal for each in token_methods([other])] == [0, 0, 0, 0]
