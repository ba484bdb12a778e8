"""SizeModifier: text and fixed sizes are scaled, in what other filters left."""

import pytest

from winnow.document.document import Document
from winnow.document.edits import Operation
from winnow.document.render.original.live_page import LiveRenderer
from winnow.document.render.original.pruned import PrunedRenderer
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.registry import make

PAGE = (
    '<body style="color: red;"><table width="600"><tr height=30><td width="50%">some words stand '
    'here<img src=x width=" 301px" height=1></table><form width="9">a form</form>'
)


def sizes(html: str, method: Crunch) -> dict[tuple[str, str], str]:
    document = Document.from_html(html)
    edits = method.extract(document).edits
    pairs = [edit for edit in edits if edit.operation is Operation.SET_ATTRIBUTE]
    found = {}
    for edit in pairs:
        name, _, value = edit.value.partition("=")
        found[document.name_of(edit.element), name] = value
    return found


def test_fixed_sizes_are_scaled_and_shares_stay() -> None:
    assert sizes(PAGE, Crunch(12, fixed=50)) == {
        ("table", "width"): "300",
        ("tr", "height"): "15",
        ("img", "width"): "150",
        ("img", "height"): "1",
    }


def test_the_text_is_scaled_at_the_body_whose_styles_stay() -> None:
    found = sizes(PAGE, Crunch(12, font=130))
    assert found == {("body", "style"): "color: red; font-size: 130%"}


def test_what_other_filters_drop_stays_dropped() -> None:
    found = sizes(PAGE, Crunch(1, font=130, fixed=50))
    assert found[("body", "style")] == "font-size: 130%"
    assert ("table", "width") not in found


def test_pages_of_the_usual_size_are_left_alone() -> None:
    assert sizes(PAGE, Crunch(5)) == {}


@pytest.mark.parametrize("renderer", [PrunedRenderer(), LiveRenderer()])
def test_pages_show_the_new_sizes_once(renderer: PrunedRenderer | LiveRenderer) -> None:
    document = Document.from_html(PAGE)
    extraction = make("crunch:level=12,font=130,fixed=50").extract(document)
    shown = Document.from_html(renderer.render(document, extraction).body.decode())
    (body,), (image,) = shown.elements_named("body"), shown.elements_named("img")
    assert shown.attributes_of(body)["style"] == "color: red; font-size: 130%"
    assert shown.attributes_of(image)["width"] == "150"
    assert renderer.render(document, extraction).body.count(b"width") == 4  # as in the page
