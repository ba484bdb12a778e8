"""A figure that is shown has its caption; one that went takes it along."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.article.figures import figures_of_captions
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Span

PAGE = """<p>{before}</p><figure>{inside}<figcaption>{caption}</figcaption></figure>
<p>Text behind it.</p>"""
IMAGE = '<img src="/a.png" alt="A boat">'


def shown(page: str, *kept: str) -> str:
    """The article of the page where these stretches of its text are kept; ``*`` is an image."""
    document = Document.from_html(page, "http://example.org/")
    spans = []
    for words in kept:
        start = document.text.index(words.replace("*", "\ufffc"))
        spans.append(Span(start, start + len(words)))
    return RenderContext.of(document, Extraction("test", tuple(spans))).article()


def page(caption: str = "The boat at dawn.", inside: str = IMAGE) -> str:
    return PAGE.format(before="Text before it.", caption=caption, inside=inside)


def test_a_picture_that_is_kept_brings_its_caption() -> None:
    article = shown(page(), "Text before it.", "*", "Text behind it.")
    assert "<figcaption>The boat at dawn.</figcaption>" in article
    order = [article.index(words) for words in ("before", "a.png", "at dawn", "behind")]
    assert order == sorted(order)


def test_a_picture_that_went_takes_its_caption_along() -> None:
    article = shown(page(), "Text before it.", "Text behind it.")
    assert "dawn" not in article


@pytest.mark.parametrize("inside", ["<pre>print(1)</pre>", "<blockquote>print(1)</blockquote>"])
def test_so_does_what_else_a_figure_holds(inside: str) -> None:
    assert "The boat at dawn." in shown(page(inside=inside), "print(1)")


def test_a_caption_alone_brings_nothing() -> None:
    article = shown(page(), "The boat")
    assert "dawn" not in article
    assert "a.png" not in article


def test_what_is_kept_already_is_not_shown_twice() -> None:
    article = shown(page(), "*", "The boat at dawn.")
    assert article.count("at dawn") == 1


def test_what_is_hidden_in_a_caption_stays_hidden() -> None:
    caption = f"At dawn. <span hidden>Share it</span>{IMAGE.replace('a.png', 'icon.png')}"
    article = shown(page(caption), "*")
    assert "At dawn." in article
    assert "Share it" not in article
    assert "icon.png" not in article


def test_a_caption_without_a_figure_is_text_like_any_other() -> None:
    assert "lonely" not in shown("<p>Text.</p><figcaption>lonely</figcaption>", "Text.")


def test_of_captions_within_one_another_the_outer_one_counts() -> None:
    said = "<div class=caption><p class=caption-text>The boat at dawn.</p></div>"
    article = shown(BARE.format(figure=f"<div>{IMAGE}{said}</div>"), *KEPT)
    assert article.count("<figcaption>") == article.count("at dawn") == 1


LEAD = """<head><meta property="og:image" content="https://cdn.example/2024/harbour-dawn.jpg?w=1">
</head><body><figure><img src="/small/harbour-dawn.jpg" alt="Dawn"><figcaption>At dawn.
</figcaption></figure><h1>Harbour</h1><p>The text.</p>{behind}</body>"""


def test_the_picture_that_leads_up_to_the_text_is_shown_with_its_caption() -> None:
    article = shown(LEAD.format(behind=""), "The text.")
    assert article.index("harbour-dawn.jpg") < article.index("At dawn.") < article.index("The text")


OTHER = "<p><b>Look:</b> <img src=/other.png alt=O> here.</p>"


def test_it_is_shown_above_a_text_that_has_other_pictures() -> None:
    article = shown(LEAD.format(behind=OTHER), "The text.", "Look: * here.")
    assert article.index("harbour-dawn.jpg") < article.index("other.png")


def test_but_not_amid_such_a_text_nor_twice() -> None:
    image = '<img src="/small/harbour-dawn.jpg" alt="Dawn">'
    text = "The boats came in one by one. " * 4
    amid = LEAD.replace(image, "").replace("The text.", text).format(behind=f"{image}{OTHER}")
    assert "harbour-dawn" not in shown(amid, text.strip(), "Look: * here.")
    twice = LEAD.format(behind=f"<p>Look: {image} here.</p>")
    assert shown(twice, "The text.", "Look: * here.").count("harbour-dawn.jpg") == 1


def test_a_picture_for_sharing_alone_is_no_lead() -> None:
    page = LEAD.replace('src="/small/harbour-dawn.jpg"', 'src="/logo.png"')
    assert "<img" not in shown(page.format(behind=""), "The text.")


def test_nor_is_one_behind_the_text_or_hidden() -> None:
    image = '<img src="/small/harbour-dawn.jpg" alt="Dawn">'
    behind = LEAD.replace(image, "").format(behind=f"<p>{image}</p>")
    hidden = LEAD.replace("<figure>", "<figure hidden>").format(behind="")
    for page in (behind, hidden):
        assert "<img" not in shown(page, "The text.")


BARE = "<p>Text before it.</p>{figure}<p>Text behind it.</p>"
KEPT = ("Text before it.", "*", "Text behind it.")


@pytest.mark.parametrize(
    "figure",
    [
        f"<div><div>{IMAGE}</div><figcaption>The boat at dawn.</figcaption></div>",
        f"<button>{IMAGE}<span>View</span><figcaption>The boat at dawn.</figcaption></button>",
        f"<div class=thinCenter>{IMAGE}<p class=imageCaption>The boat at dawn.<br></p></div>",
        f"<div class=wp-caption>{IMAGE}<p class=wp-caption-text>The boat at dawn.</p></div>",
        f"<figure>{IMAGE}<div class='meta caption'>The boat at dawn.</div></figure>",
        f"<div>{IMAGE}<small class=photo-caption>The boat at dawn.</small></div>",
    ],
)
def test_a_caption_outside_of_a_figure_belongs_to_the_picture_beside_it(figure: str) -> None:
    article = shown(BARE.format(figure=figure), *KEPT)
    assert article.count("<figure>") == 1
    assert "<figcaption>The boat at dawn.</figcaption></figure>" in article


@pytest.mark.parametrize(
    "figure",
    [
        f"<div>{IMAGE}<p>{'word ' * 30}</p><figcaption>The boat at dawn.</figcaption></div>",
        f"<article>{IMAGE}<div><figcaption>The boat at dawn.</figcaption></div></article>",
        f"<div>{IMAGE}<figcaption>One.</figcaption><figcaption>Two at dawn.</figcaption></div>",
        "<div><figcaption>The boat at dawn.</figcaption></div>",
        f"<div>{IMAGE}<p class=has-caption>The boat at dawn.</p></div>",
        f"<div>{IMAGE}<div class=caption><h3>The boat</h3>It leaves at dawn.</div></div>",
        f"<div>{IMAGE}<div class=caption>{'word ' * 130}</div></div>",
        f"<div class=caption>{IMAGE} The boat at dawn.</div>",
        f"<div>{IMAGE}<p class=caption></p></div>",
        f"<div>{IMAGE}<p class=caption>Advertisement &gt;&gt;</p></div>",
    ],
)
def test_a_caption_with_a_text_another_caption_or_no_picture_makes_no_figure(figure: str) -> None:
    document = Document.from_html(BARE.format(figure=figure))
    assert figures_of_captions(document) == ()
