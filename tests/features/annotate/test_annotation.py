"""What a person begins with who marks a page's blocks."""

import pytest

from winnow.document.values import Page, Recipe
from winnow.features.annotate.annotation import APART, markable, marked

STORY = "It barked at the moon all night long, and nobody in the valley slept."


@pytest.mark.parametrize(
    ("heading", "label"), [("The dog", "title"), ("The cat", ""), ("The dog of the valley", "")]
)
def test_the_headline_is_marked_though_the_extractor_leaves_it_out(
    heading: str, label: str
) -> None:
    page = Page(
        f"<title>The dog</title><h1>{heading}</h1><p>Home</p><h2>The dog</h2>"
        f"<div><p>{STORY}</p></div>".encode()
    )
    shown = markable(page, Recipe("largest-block")).blocks
    labels = {block.text: block.label for block in shown if block.tag != "h2"}
    assert labels == {heading: label, "Home": "", STORY: "body"}
    (second,) = [block.label for block in shown if block.tag == "h2"]
    assert second == ("" if label else "title")  # one headline is enough


def test_the_pages_own_break_stands_between_marks_but_where_something_is_left_out() -> None:
    page = Page(b"<p>The dog barked.</p><p>Home</p><p>Nobody slept.</p><br><p>They all rose.</p>")
    blocks = [block.text for block in markable(page, Recipe("plain")).blocks]
    at = {text: number for number, text in enumerate(blocks)}
    chosen = {at[text]: "body" for text in ("The dog barked.", "Nobody slept.", "They all rose.")}
    whole = marked(page, dict.fromkeys(range(len(blocks)), "body")).gold
    assert marked(page, chosen).gold == whole.replace(whole[15 : whole.index("Nobody")], APART)
    assert "Home" in whole
