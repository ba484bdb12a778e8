"""The longest cell or division, in both readings of the paper."""

from winnow.document.document import Document
from winnow.extractors.baselines.largest_block import LargestBlock


def kept(html: str, nested: bool = False) -> str:
    document = Document.from_html(html)
    spans = LargestBlock(nested).extract(document).spans
    return "|".join(document.text[span.start : span.end] for span in spans)


def test_the_longest_of_cells_and_divisions_is_kept() -> None:
    html = "<div>short</div><table><tr><td>the longest of all<td>mid size</table>"
    assert kept(html) == "the longest of all"


def test_nested_text_counts_for_the_outer_one_only_where_nested_is_set() -> None:
    html = "<div>a<div>bb bb bb</div><div>ccc</div></div>"
    assert kept(html) == "bb bb bb"
    assert kept(html, nested=True) == "a\n\nbb bb bb\n\nccc"


def test_without_any_container_everything_is_kept() -> None:
    assert kept("<p>a</p><p>b</p>") == "a\n\nb"
