"""Made-up pages: the size asked for, the same every time."""

import pytest

from benchmarks.generated_pages import page


@pytest.mark.parametrize("size", [1_000, 10_000, 300_000])
def test_a_page_has_about_the_given_size(size: int) -> None:
    assert size <= len(page(size)) < size + 2_000


def test_pages_are_repeatable_and_differ_by_seed() -> None:
    assert page(5_000, 1) == page(5_000, 1)
    assert page(5_000, 1) != page(5_000, 2)


def test_a_page_has_what_pages_have() -> None:
    made = page(100_000)
    assert all(
        f"<{tag}".encode() in made for tag in ("nav", "p", "a", "b", "table", "script", "!--")
    )
