"""Parts are whole markup, small enough, and together say what the page said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from winnow.engine.small.splitter import parts_of


def body(markup: str) -> etree._Element:
    return etree.fromstring(f"<body>{markup}</body>")


def text(markup: str) -> str:
    return "".join(html.fragment_fromstring(markup, create_parent=True).itertext())


BLOCKS = st.recursive(
    st.text("abc déf ghi ", max_size=300).map(lambda words: f"<p>{words}</p>"),
    lambda inner: st.lists(inner, max_size=6).flatmap(
        lambda found: st.sampled_from(
            [
                f"<blockquote>{''.join(found)}</blockquote>",
                f"<ol>{''.join(f'<li>{item}</li>' for item in found)}</ol>",
                f"<div>loose {''.join(found)} end</div>",
            ]
        )
    ),
    max_leaves=20,
)


@given(BLOCKS, st.integers(100, 2000))
def test_nothing_is_lost_and_parts_are_small(markup: str, size: int) -> None:
    parts = parts_of(body(markup), size)
    before = "".join(text(markup).split())
    assert "".join("".join(text(part or "<p></p>").split()) for part in parts) == before
    assert all(len(part.encode()) <= size * 2 + 200 for part in parts)


def test_what_fits_is_one_part_and_an_empty_page_too() -> None:
    assert parts_of(body("<p>One</p><p>Two</p>"), 1000) == ["<p>One</p>\n<p>Two</p>\n"]
    assert parts_of(body(""), 1000) == [""]


def test_a_heading_stands_before_its_section() -> None:
    section = f"<h2>Day</h2><h3>Morning</h3><p>{'word ' * 60}</p>"
    parts = parts_of(body(section * 9), 700)
    assert len(parts) > 3
    assert all(part.rstrip().endswith("</p>") for part in parts)
    only = parts_of(body("<h2>Day</h2>" * 99), 700)
    assert sum(part.count("<h2>") for part in only) == 99


def test_a_list_goes_on_counting_and_ids_are_not_repeated() -> None:
    items = "".join(f"<li>{number} {'word ' * 30}</li>" for number in range(1, 9))
    parts = parts_of(body(f'<ol id="x">{items}</ol>'), 600)
    assert len(parts) > 2
    starts = [html.fragment_fromstring(part).get("start") for part in parts]
    firsts = [text(part).split()[0] for part in parts]
    assert [start or "1" for start in starts] == firsts
    assert sum('id="x"' in part for part in parts) <= 1


def test_a_long_text_is_cut_at_blanks() -> None:
    parts = parts_of(body(f"<p>{'word ' * 1000}</p>"), 1000)
    assert {word for part in parts for word in text(part).split()} == {"word"}


def test_markup_in_texts_stays_escaped() -> None:
    assert parts_of(body("a &lt;b&gt; &amp;<p>c &lt;d</p>e"), 9)[0].startswith("a ")
    assert "<b>" not in "".join(parts_of(body("a &lt;b&gt; &amp;"), 1000))
