"""The contract of every extractor, and what this one is for."""

import pytest

import winnow
from winnow.extractors.contract import ContractCheck, checks

PAGE = "<p>Home <p>The river rose in the night and the lower road is under water. <p>Imprint"


@pytest.mark.parametrize("check", checks("longest-paragraph", "longest-paragraph:0.9"), ids=str)
def test_it_keeps_the_contract(check: ContractCheck) -> None:
    check()


def test_it_keeps_the_longest_paragraph() -> None:
    article = winnow.extract(PAGE, extractor="longest-paragraph")
    assert article.text == "The river rose in the night and the lower road is under water."
