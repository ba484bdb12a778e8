"""News pages written for these tests: a layout a site, a story a seed."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.mss.mss_training import MssExample

_VERBS = "rose fell burned opened closed moved failed grew".split()
_NOUNS = "river road school market bridge council harbour mill".split()


def news(seed: int, site: str = "site0", behind: str = "") -> str:
    """A page: menus, a story of five paragraphs that says its seed, links, a footer."""
    menu = "".join(f"<li><a href=/{noun}>{noun.title()} {site}</a>" for noun in _NOUNS)
    story = "".join(f"<p>{_paragraph(seed + 7 * row)}</p>" for row in range(5))
    return (
        f"<!doctype html><title>Story {seed}</title><nav><ul>{menu}</ul></nav>"
        f"<div class={site}><h1>Headline {seed}</h1><p>Story {seed} begins here, in the town.</p>"
        f"{story}<p>Nobody was hurt, they said, and so it ended.</p>{behind}</div>"
        f"<div><a href=/s>Subscribe</a> <a href=/n>Newsletter</a></div><ul>{menu}</ul>"
        f"<footer><a href=/i>Imprint</a> <a href=/p>Privacy</a> Copyright 2009 {site}</footer>"
    )


def _paragraph(seed: int) -> str:
    said = (
        f"The {_NOUNS[(seed + row) % 8]} {_VERBS[(seed * 3 + row) % 8]} in the night, and "
        f"by the morning the {_NOUNS[(seed * 5 + row) % 8]} was not what it had been."
        for row in range(3)
    )
    return " ".join(said)


def example(html: str, source: str) -> MssExample:
    """The page, labelled from the first word of its story to the last."""
    document = Document.from_html(html)
    start = document.text.index("Story", document.text.index("Headline"))
    end = document.text.index("ended.") + len("ended.")
    inside = [
        index
        for index, kind in enumerate(document.tokens.kind)
        if kind != TAG and start <= document.tokens.start[index] < end
    ]
    return MssExample(document, inside[0], inside[-1] + 1, source)


def text_of(extractor: Extractor, html: str) -> str:
    """The text under the spans."""
    document = Document.from_html(html)
    return "\n".join(
        document.text[span.start : span.end] for span in extractor.extract(document).spans
    )
