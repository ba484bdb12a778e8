"""Stems, trigrams and the most recent unclosed tag (Pasternack & Roth 2009, sections 5.2, 6.2)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.tokens import TAG
from winnow.extractors.mss.stems import string_hash, tag_hashes, token_hash
from winnow.extractors.mss.token_features import features, trigrams, unclosed, unclosed_in_python

HASH_OF_RIVER = 0x9F647F3CE8039A96
ALL = np.arange(len(tags.NAMES)) > 0


def test_words_of_a_stem_and_all_numbers_are_one_token() -> None:
    assert token_hash("Running") == token_hash("runs") == string_hash("run")
    assert token_hash("2009") == token_hash("7") == string_hash("1")
    assert token_hash("A4") != token_hash("A5")
    assert token_hash("!") != token_hash("?")


def test_hashes_are_the_same_in_every_process() -> None:
    assert token_hash("rivers") == HASH_OF_RIVER


def test_a_tag_that_is_not_common_is_unknown() -> None:
    common = ALL.copy()
    common[tags.CODES["marquee"]] = False
    hashes = tag_hashes(common)
    unknown = string_hash("<UNKNOWN>")
    assert hashes[tags.CODES["marquee"]].tolist() == [unknown, unknown]
    assert hashes[tags.CODES["p"]].tolist() == [string_hash("<p>"), string_hash("</p>")]


def test_a_trigram_is_a_token_and_the_two_behind_it() -> None:
    one, two = (
        trigrams(np.array([1, 2, 3, 4], np.uint64)),
        trigrams(np.array([9, 1, 2, 3], np.uint64)),
    )
    assert one[0] == two[1]
    assert len({*one.tolist(), *two.tolist()}) == 7


def test_equal_words_in_another_order_are_another_trigram() -> None:
    assert (
        trigrams(np.array([1, 2, 3], np.uint64))[0] != trigrams(np.array([3, 2, 1], np.uint64))[0]
    )


def open_tags(html: str) -> list[tuple[str, str]]:
    document = Document.from_html(html)
    found = features(document, ALL).open
    tokens = document.tokens
    return [
        (document.text[start:end], tags.NAMES[code])
        for kind, start, end, code in zip(
            tokens.kind, tokens.start, tokens.end, found.tolist(), strict=True
        )
        if kind != TAG
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<b>c</b>d</p>", "p b p"),
        ("<p>a<br>b<i>c</i>d</p>e", "p br i br body"),
        ("<p>a<img>b<br>c</p><div>d</div>", "p img br div"),
        ("a<hr>b", "body hr"),
        ("<x-y>a</x-y>", ""),
    ],
)
def test_a_void_element_stays_unclosed_until_its_parent_closes(html: str, expected: str) -> None:
    assert " ".join(tag for _, tag in open_tags(html)).strip() == expected


HTML = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>", "</b>", "a ", "b, ", "<br>", "<img>", "<td>", "<table>"]
    ),
    max_size=30,
).map("".join)


@given(HTML)
def test_unclosed_is_what_a_stack_finds(html: str) -> None:
    document = Document.from_html(html)
    tokens, stack, expected = document.tokens, [-1], []
    for kind, element, closing in zip(tokens.kind, tokens.element, tokens.closing, strict=True):
        expected.append(stack[-1])
        if kind == TAG and not closing:
            stack.append(int(element))
        elif kind == TAG:
            del stack[stack.index(int(element)) :]
    assert unclosed(tokens, document.elements).tolist() == expected
    assert unclosed_in_python(tokens, document.elements).tolist() == expected
