"""Filters that pass over a page one by one give the page that Crunch's one walk gives."""

from dataclasses import replace

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from tests.crunch.reference import Walk, tree
from winnow.document.document import Document
from winnow.document.edits import Operation
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.relax_levels import LEVELS

FRAGMENTS = st.sampled_from(
    [
        *("<table><tr><td>", "<td>", "</td>", "</table>", "<tr>", "<div>", "</div>", "<p>"),
        *('<a href="/x">', '<a name="y">', "</a>", '<img src="a" alt="b">', "<img usemap='#m'>"),
        *("<img>", "<form>", "</form>", "<input>", "<button>go</button>", "<noscript>"),
        *("</noscript>", "<script>s</script>", "<iframe></iframe>", "<embed src=e>", "<b>", "</b>"),
        *("<select><option>o</select>", "word ", "four words stand here ", "x", " & ", "<nav>"),
    ]
)
PAGES = st.lists(FRAGMENTS, max_size=30).map("".join)
METHODS = st.builds(
    Crunch,
    level=st.sampled_from(LEVELS),
    modern=st.booleans(),
    check=st.just(False),
    only_links=st.booleans(),
    lists=st.sampled_from(["both", "text", "images"]),
    letters=st.sampled_from([1, 5]),
    substance=st.sampled_from([1, 12]),
    keep=st.sampled_from(["", "noscript", "text-links", "forms+images"]),
    alts=st.sampled_from(["", "none", "both"]),
    take=st.sampled_from(["", "text-links", "empty-tables+forms", "image-links+images"]),
)


@given(html=PAGES, method=METHODS)
@example(
    html='<table><tr><td><noscript><img src="a" alt="b">word ',
    method=Crunch(level=1, check=False, alts="both"),
)
def test_what_is_left_is_what_the_walk_leaves(html: str, method: Crunch) -> None:
    document = Document.from_html(html)
    root, walk = tree(document), Walk(method.options_at(method.level))
    walk.filter_node(root)
    left = {node.at for node in root.all() if node.name not in ("", "option") and node.at > 0}
    assert elements_of(document, method) == left
    texts = {node.at for node in root.all() if node.text.strip() and node.at >= 0}
    assert pieces_of(document, method) == texts


@given(html=PAGES, method=METHODS)
@example(html='<table><tr><td><noscript><a href="/x">', method=Crunch(level=1, check=False))
@example(
    html='<a href="/x"><img src="a" alt="b"><table><tr><td><a href="/x">',
    method=Crunch(level=1, check=False),
)
def test_the_links_removed_are_those_of_the_walk(html: str, method: Crunch) -> None:
    document = Document.from_html(html)
    walk = Walk(method.options_at(method.level))
    walk.filter_node(tree(document))
    assert len(state_of(document, method).links) == len(walk.removed_links)


def state_of(document: Document, method: Crunch) -> Filtered:
    chosen = replace(method.options_at(method.level), hollow=False, retain=True)
    return method.filtered(document, chosen)[0]


def elements_of(document: Document, method: Crunch) -> set[int]:
    """Where the elements begin that are left; unwrapped ones are not."""
    state = state_of(document, method)
    wrapped = ~state.removed_elements
    for edit in state.edits:
        if edit.operation is Operation.UNWRAP:
            wrapped[edit.element] = False
    recorded = document.elements.open_start[wrapped]
    return {*recorded.tolist()} - {0}


def pieces_of(document: Document, method: Crunch) -> set[int]:
    """Where the texts begin that are left."""
    kept = ~state_of(document, method).removed_pieces & ~document.media
    return set(document.pieces.source_start[np.flatnonzero(kept)].tolist())
