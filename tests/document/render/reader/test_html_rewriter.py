"""What is written anew is markup of ours: no value leaves its attribute."""

from __future__ import annotations

from winnow.document.render.reader.html_rewriter import start_tag


def test_a_value_ends_neither_its_attribute_nor_its_tag() -> None:
    pairs = [("title", 'A "quoted" <b> & more'), ("src", "#top")]
    values = 'title="A &quot;quoted&quot; &lt;b&gt; &amp; more" src="#top"'
    assert start_tag("img", pairs) == f"<img {values}>"
