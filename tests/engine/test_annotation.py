"""What a person begins with who marks a page's blocks."""

import pytest

from winnow.document.values import Page, Recipe
from winnow.engine.annotation import markable

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
