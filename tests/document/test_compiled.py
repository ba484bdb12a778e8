"""Compiled loops trust no index: what does not fit is refused, and the definition does the work."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
import pytest

from tests.programs import require_module
from winnow.document import compiled, tokens, words
from winnow.document.arrays import Ints
from winnow.document.blocks import blocks_of
from winnow.document.compiled import loop
from winnow.document.document import Document, once
from winnow.document.parsing.signature import bits_of, needs
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.features import attribute_tokens, feature_matrix, lookup_tables
from winnow.extractors.registry import make

GCC = "a C compiler (gcc) and Python's headers"
CRASH = b"<svg ><style><!--</style></svg></body></html>"
"""It crashed the process that extracted it: text without an element, whose owner was -1."""


@pytest.mark.parametrize("method", ["auto", "bte", "dsc", "lqf", "crunch", "mss", "memory"])
def test_a_page_of_45_bytes_is_survived(method: str) -> None:
    make(method).extract(Document.from_html(CRASH))


def test_a_loop_that_raises_gives_way_to_its_definition(caplog: pytest.LogCaptureFixture) -> None:
    def raises(text: str, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
        del text, starts, ends
        raise IndexError("odd input")

    bounds = np.array([0], dtype=np.int32), np.array([9], dtype=np.int32)
    with caplog.at_level(logging.WARNING, "winnow.compiled"):
        found, _ = loop(raises, words.piece_counts_in_python)("two words", *bounds)

    assert found.tolist() == [2]
    assert "piece_counts_in_python takes its place: IndexError('odd input')" in caplog.text


def test_what_the_definition_raises_is_raised() -> None:
    def raises() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        loop(raises, raises)()


def test_a_loop_without_memory_does_not_give_way_to_what_needs_more() -> None:
    def exhausted() -> None:
        raise MemoryError

    def unwanted() -> None:
        raise AssertionError

    with pytest.raises(MemoryError):
        loop(exhausted, unwanted)()


@pytest.mark.parametrize("owner", [-1, 99])
def test_an_owner_that_there_is_not_is_refused(owner: int) -> None:
    require_module("winnow.document._words", GCC)
    document = Document.from_html("<p>One.</p><p>Two.</p>")
    pieces = replace(document.pieces, owner=np.full(2, owner, dtype=np.int32))

    with pytest.raises(ValueError, match="do not fit"):
        tokens._tokenise_compiled(document.text, document.elements, pieces, document.hidden)


@pytest.mark.parametrize("column", ["owner", "first_piece", "element", "start"])
@pytest.mark.parametrize("value", [-2, 1 << 20])
def test_features_of_blocks_that_point_nowhere_are_refused(column: str, value: int) -> None:
    require_module("winnow.extractors.auto.features._features", GCC)
    document = Document.from_html("<p>One.</p><p>Two.</p>")
    blocks = blocks_of(document)
    wrong = np.full(2, value, dtype=np.int32)
    changed = {
        "first_piece": replace(blocks, first_piece=wrong),
        "element": replace(blocks, element=wrong),
        "start": replace(blocks, start=wrong),
    }
    if column == "owner":
        document = replace(document, pieces=replace(document.pieces, owner=wrong))
    else:
        blocks = changed[column]
    found, lexicon = attribute_tokens.element_tokens(document), shipped().lexicon
    worth = lexicon.score(found, len(document.elements))

    with pytest.raises((ValueError, IndexError)):
        feature_matrix._matrix_compiled(
            document, blocks, found, worth, np.zeros(2, dtype=np.float32)
        )


def test_stretches_outside_of_the_text_are_refused() -> None:
    require_module("winnow.document._words", GCC)
    require_module("winnow.extractors.auto._fast", GCC)
    outside = np.array([0], dtype=np.int32), np.array([9], dtype=np.int32)

    with pytest.raises(ValueError, match="stretches"):
        words._piece_counts_compiled("four", *outside)
    with pytest.raises(ValueError, match="of each block"):
        lookup_tables._counts_compiled("four", np.array([5], dtype=np.int32))


@pytest.fixture(params=["compiled", "in Python"])
def around(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands around a step, compiled and by its definition."""
    if request.param == "compiled":
        require_module("winnow.document._calls", GCC)
    else:
        monkeypatch.setattr(compiled, "calls", None)


@pytest.mark.usefixtures("around")
class TestAroundAStep:
    """A loop with its definition, a step that needs something, one that is entered once."""

    def test_it_has_the_name_and_words_of_the_step(self) -> None:
        def step(document: Document) -> int:
            """What it does."""
            return len(document.text)

        for made in (loop(step, step), needs("a")(step), once(step)):
            assert (made.__name__, made.__doc__) == ("step", "What it does.")
            assert made.__qualname__ == step.__qualname__

    def test_a_method_is_bound(self) -> None:
        class Marked:
            signature = bits_of("a")

            @needs("a")
            def step(self, number: int) -> tuple[Marked, int]:
                return self, number

            def both(self, number: int) -> tuple[Marked, int]:
                return self, number

            whole = loop(both, both)

        page = Marked()
        assert page.step(3) == (page, 3)
        assert page.whole(number=4) == (page, 4)
        assert Marked.step(page, 5) == (page, 5)

    def test_a_step_is_not_entered_where_nothing_is(self) -> None:
        @needs("a", absent="none")
        def named(_page: Document) -> str:
            raise AssertionError

        @needs("a")
        def changed(_page: Document, given: str) -> str:
            raise AssertionError

        @needs("p")
        def entered(_page: Document, given: int, more: int = 0) -> int:
            return given + more

        page = Document.from_html("<p>No link.</p>")
        assert named(page) == "none"
        assert changed(page, "as it is") == "as it is"
        assert entered(page, 1, more=2) == 3

    def test_what_a_step_raises_is_raised(self) -> None:
        page = Document.from_html("<p>One.</p>")
        with pytest.raises(IndexError):
            needs("p")(lambda page: page.text[99])(page)
        with pytest.raises(IndexError):
            once(lambda page: page.text[99])(page)
        with pytest.raises(AttributeError):
            needs("p")(lambda page: page)(object())

    def test_a_step_is_entered_once_for_each_document(self) -> None:
        pages = [Document.from_html("<p>One.</p>") for _ in range(2)]
        entered: list[Document] = []

        @once
        def step(page: Document) -> int:
            entered.append(page)
            return len(entered)

        assert [step(page) for page in (*pages, *pages)] == [1, 2, 1, 2]
        assert entered == pages

    def test_a_key_stroke_is_no_fault_of_a_loop(self) -> None:
        def interrupted() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            loop(interrupted, interrupted)()
