"""Addresses that need no resolving, each as its definition writes it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.compiled import optional_module
from winnow.document.render.addresses import Addresses, clean, ready_set
from winnow.features.why.marked_sheets import MarkedAddresses

WRITER = "winnow.document.render.article._writer"
PARTS = (
    "http://", "https://", "a.example", ":80", ":", "/", "/.", "x", "é", "?", "?q=1", "#", ";", "&",
    ",", ", ", " ", "  ", "\t", "\x1c", "1x", "2.5x", "640w", "4h", "w", "..", "data:image/png;,",
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=14), st.sampled_from(("", "http://s.example")))
def test_a_compiled_srcset_equals_its_definition(parts: list[str], below: str) -> None:
    require_module(WRITER, "a C compiler (gcc) and Python's headers")
    srcset = "".join(parts)
    found = optional_module(WRITER).ready_set(srcset, "/-/", below)
    assert found == ready_set(srcset, "/-/", below)


@given(st.lists(st.sampled_from(PARTS), max_size=14))
def test_a_srcset_has_each_address_resolved(parts: list[str]) -> None:
    addresses = Addresses("http://s.example/a/b", "/-/")
    srcset = "".join(parts)
    plain = ready_set(clean(srcset), *addresses.roots or ())
    object.__setattr__(addresses, "roots", None)
    assert not plain or plain == addresses.resources(srcset)


def test_what_more_is_done_to_addresses_is_done_to_plain_ones() -> None:
    addresses = MarkedAddresses("http://s.example/", links="/l?", images="/i/")
    assert addresses.resources("/a.png 2x") == "/i/aHR0cDovL3MuZXhhbXBsZS9hLnBuZw== 2x"
    assert addresses.link("http://s.example/a") == "/l?http%3A%2F%2Fs.example%2Fa"
