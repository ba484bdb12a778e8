"""Parts of a text end at blocks, fit a budget, and give the whole text together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.jobs.text_parts import PartError, part_of, tokens

BLOCK = st.sampled_from(
    [
        "A line.",
        "# Head",
        "- one\n- two",
        "```py\na = 1\n\nb = 2\n```",
        "~~~~\n~~~\n\n~~~~",
        "日本語。",
    ]
)
TEXTS = st.lists(BLOCK, min_size=1, max_size=12).map(
    lambda each: "\n\n".join(each).encode() + b"\n"
)


@given(TEXTS, st.integers(1, 40))
def test_the_parts_are_the_text(text: bytes, most: int) -> None:
    found, offset = list[bytes](), ""
    while True:
        part = part_of(text, offset, most)
        found.append(part.body)
        offset = part.following
        if not offset:
            break
        assert part.body.endswith(b"\n\n")
    assert b"".join(found) == text
    for body in found:
        fences = [line for line in body.splitlines() if line.startswith((b"```", b"~~~~"))]
        assert len(fences) % 2 == 0
        assert tokens(body) <= most or b"\n\n" not in _outside(body).rstrip()


def _outside(body: bytes) -> bytes:
    """The text without what stands between fences."""
    for fence in (b"```", b"~~~~"):
        body = b"".join(body.split(fence)[::2])
    return body


def test_no_budget_is_the_whole_text() -> None:
    assert part_of(b"a\n\nb\n").body == b"a\n\nb\n"
    assert part_of(b"").body == b""
    assert tokens(b"") == 0
    assert tokens(b"abcde") == 2


@pytest.mark.parametrize("offset", ["1", "x", "-1", "3-", "99999-abc", "³-x"])
def test_what_is_no_offset_is_an_error(offset: str) -> None:
    with pytest.raises(PartError):
        part_of(b"a\n\nb\n", offset, 1)


def test_an_offset_within_a_block_is_none() -> None:
    following = part_of(b"a\n\nb\n\nc\n", "", 1).following
    with pytest.raises(PartError) as caught:
        part_of(b"a\n\nb\n\nc\n", following.replace("3", "4", 1), 1)
    assert not caught.value.changed


def test_an_offset_of_another_text_says_that_it_changed() -> None:
    following = part_of(b"a\n\nb\n", "", 1).following
    with pytest.raises(PartError) as caught:
        part_of(b"a\n\nB\n", following, 1)
    assert caught.value.changed
