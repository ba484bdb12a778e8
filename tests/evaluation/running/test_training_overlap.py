"""Who learned from the pages it is measured on is named."""

import pytest

from winnow.evaluation.running.training_overlap import remarks, training_packages
from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind


def told(name: str, *packages: str, kind: SubjectKind = SubjectKind.EXTRACTOR) -> list[str]:
    return list(remarks([Spec(kind, name)] * 2, packages))


def test_auto_is_reported_with_its_cross_validated_f1() -> None:
    (said,) = told("auto", "wcxb-dev", "canola")
    assert said.startswith("auto learned from wcxb-dev: its figures there flatter it; cross-")
    fair = training_packages("auto")["wcxb-dev"]
    assert fair is not None
    assert said.endswith(f"its word F1 is {fair:.3f} on wcxb-dev.")


@pytest.mark.parametrize("name", ["mss", "mss-hr", "mss-cleaneval", "mss-site", "memory", "vips"])
def test_other_learned_methods_are_reported(name: str) -> None:
    (said,) = told(name, "canola", *training_packages(name))
    assert said.startswith(f"{name} learned from ")
    assert "canola" not in said
    assert said.endswith(": its figures there flatter it.")


def test_other_packages_and_methods_get_no_remark() -> None:
    assert not told("auto", "canola")
    assert not told("vips:score=words", "wcxb-dev")
    assert not told("dsc", "wcxb-dev")


def test_of_those_outside_nothing_is_known() -> None:
    assert not told("trafilatura", "wcxb-dev", kind=SubjectKind.PEER)
