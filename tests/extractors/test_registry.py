"""Specifications make extractors; what is wrong with one is said."""

import pytest

from winnow.extractors import registry
from winnow.extractors.baselines.lqf import LinkQuotaFilter
from winnow.extractors.errors import ParameterError, UnknownExtractorError


@pytest.mark.parametrize(
    ("specification", "name"),
    [
        ("lqf", "lqf"),
        ("lqf:0.5", "lqf"),
        ("lqf:0.25", "lqf:0.25"),
        ("lqf:threshold=0.25", "lqf:0.25"),
        ("dsc:window=50,patience=2", "dsc:window=50,patience=2"),
        (" dsc:50 ", "dsc:50"),
        ("largest-block:true", "largest-block:True"),
    ],
)
def test_a_specification_makes_an_extractor_of_that_name(specification: str, name: str) -> None:
    assert registry.make(specification).name == name


def test_parameters_are_fields() -> None:
    assert registry.make("lqf:0.75") == LinkQuotaFilter(threshold=0.75)


@pytest.mark.parametrize(
    ("specification", "hint"),
    [("btr", "did you mean 'bte'"), ("zzzzzz", "there are auto, bte"), ("", "there are")],
)
def test_an_unknown_name_is_reported_with_the_nearest(specification: str, hint: str) -> None:
    with pytest.raises(UnknownExtractorError, match=hint):
        registry.make(specification)


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("bte:5", "'bte' has no parameter '5'; it has: article"),
        ("lqf:treshold=1", "no parameter 'treshold'; it has: threshold, article"),
        ("lqf:much", "lqf:threshold takes a number, not 'much'"),
        ("dsc:0", "window is a number from 2 to 100000, not 0"),
        ("dsc:1.5", "dsc:window takes a whole number, not '1.5'"),
        ("lqf:0.3,threshold=0.4", "lqf:threshold has two values"),
        ("memory:algorithm=svm", "algorithm is one of ib1, igtree, not svm"),
        ("largest-block:maybe", "takes true or false"),
    ],
)
def test_wrong_parameters_are_reported(specification: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        registry.make(specification)


def test_fingerprints_differ_with_every_parameter() -> None:
    specifications = ["lqf", "lqf:0.25", "dsc", "dsc:20", "dsc:patience=2", "bte", "crunch:3"]
    assert len({registry.make(each).fingerprint for each in specifications}) == len(specifications)
