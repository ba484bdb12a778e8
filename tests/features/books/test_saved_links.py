"""Links of a shown article do not say that a page of ours was left."""

from __future__ import annotations

from winnow.document.sanitise import sanitise
from winnow.features.books.saved_markup import with_images


def test_links_send_no_referer() -> None:
    content = sanitise(
        '<p><a href="https://a.example/?a=1>2" title="x">go</a> <a id="y">no</a></p>'
    )
    shown = with_images(content, {})
    assert shown.count('<a rel="noreferrer" ') == content.count("<a ") == 2
    assert shown.replace('<a rel="noreferrer" ', "<a ") == content


def test_what_only_looks_like_a_link_stays() -> None:
    text = '<p><b title="<a href=x>">&lt;a href="x"&gt;</b></p>'
    content = sanitise(f'{text}<img src="data:image/png;base64,x" alt="<a ">')
    assert "noreferrer" not in with_images(content, {})
