"""What is UTF-8 and what is not; the compiled loop says what the definition says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.parsing.decoding import is_lossless_utf8, is_lossless_utf8_in_python
from winnow.document.parsing.tex_scripts import has_tex, holds_in_python

COMPILED = ("winnow.document.parsing._utf8", "a C compiler (gcc) and Python's headers")


@pytest.mark.parametrize("body", [b"", b"plain", "Grüße, 中文, 🙂".encode(), b"seven77\xc3\xa9"])
def test_utf8_is_known(body: bytes) -> None:
    assert is_lossless_utf8(body)


@pytest.mark.parametrize(
    "body",
    [
        b"\xe9", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\x80",
        b"cut off \xf0\x9f\x99", "lost before: \ufffd".encode(),
    ],
)  # fmt: skip
def test_other_bytes_are_distinguished(body: bytes) -> None:
    assert not is_lossless_utf8(body)


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=4),
            st.text(max_size=9).map(lambda text: text.encode("utf-8", "replace")),
            st.sampled_from([b"eight by", b"\xef\xbf\xbd", b"\xef\xbf", b"\xf4\x8f\xbf\xbf"]),
        ),
        max_size=8,
    ).map(b"".join)
)
def test_the_compiled_check_equals_its_definition(body: bytes) -> None:
    require_module(*COMPILED)
    assert is_lossless_utf8(body) == is_lossless_utf8_in_python(body)


@given(st.lists(st.sampled_from([b"math", b"/", b"te", b"x", b"/tex", b"\0"]), max_size=9))
def test_the_compiled_search_for_formulas_equals_its_definition(parts: list[bytes]) -> None:
    require_module(*COMPILED)
    body = b"".join(parts)
    assert has_tex(body) == holds_in_python(body, b"math/tex")
