"""Links that say nothing by themselves are named from what stands around them."""

from __future__ import annotations

import pytest

from winnow.document.render.reader.link_names import name_links

LINK = '<a href="/x">Read more</a>'


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (f"<h2>The <b>boats</b></h2><p>{LINK}</p><h2>Fish</h2>", "Read more: The boats"),
        (f'<h2>Boats</h2><p><a href="/x">A &amp; B</a> {LINK}</p>', "Read more: A &amp; B"),
        (f'<p>{LINK}</p><h2><a href="/x">Later <i>told</i></a></h2>', "Read more: Later told"),
        ('<h2>B</h2><a title="The &quot;x&quot;" href="/">Here</a>', "Here: The &quot;x&quot;"),
    ],
)
def test_a_title_then_other_links_to_the_target_then_the_heading_above(
    content: str, name: str
) -> None:
    shown = name_links(content)
    assert shown.count(f'aria-label="{name}"') == 1
    assert shown.replace(f' aria-label="{name}"', "") == content


@pytest.mark.parametrize(
    "content",
    [
        f"<p>{LINK}</p>",
        f"<p>{LINK}</p><h2>Too late</h2>",
        '<h2>Boats</h2><p><a href="/x">Read more about boats</a></p>',
        '<h2>Boats</h2><p><a href="/x" aria-label="Boats">Read more</a></p>',
        "",
    ],
)
def test_what_means_something_or_cannot_be_named_stays(content: str) -> None:
    assert name_links(content) == content


def test_many_links_are_each_named_in_their_place() -> None:
    content = "".join(f"<h3>Part {n}</h3><p><a href='/{n}'>.</a>{LINK}</p>" for n in range(50))
    shown = name_links(content)
    assert [shown.count(f'aria-label="Read more: Part {n}"') for n in range(50)] == [1] * 50
