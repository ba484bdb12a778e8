"""What a page shows of a document: pieces that have an area, and that nothing hides."""

from __future__ import annotations

from tests.extractors.vips.layouts import laid_out


def test_a_piece_without_an_area_or_hidden_is_not_shown() -> None:
    tree = laid_out(
        '<div box="0 0 90 90"><p box="0 0 90 0">Flat</p><p box="0 0 0 9">Narrow</p>'
        '<p box="0 0 9 9">Seen</p><p hidden box="0 0 9 9">Hidden</p></div>'
    )
    texts = [
        tree.document.text[start:end]
        for start, end in zip(tree.document.pieces.start, tree.document.pieces.end, strict=True)
    ]
    shown = dict(zip(texts, tree.shown.tolist(), strict=True))
    assert shown == {"Flat": False, "Narrow": False, "Seen": True, "Hidden": False}
