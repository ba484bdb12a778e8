"""Which subjects learned from the pages they are measured on: their figures there flatter them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind, method_of
from winnow.extractors.registry import make


def remarks(specs: Sequence[Spec], packages: Collection[str]) -> Iterator[str]:
    """A sentence for each extractor that learned from some of the packages."""
    for spec in dict.fromkeys(specs):
        if spec.kind in (SubjectKind.EXTRACTOR, SubjectKind.ARTICLE):
            trained_on = training_packages(method_of(spec.name))
            seen = {name: trained_on[name] for name in trained_on if name in packages}
            if seen:
                yield _remark(spec.name, seen)


def training_packages(name: str) -> Mapping[str, float | None]:
    """The packages that an extractor learned from, with its cross-validated word F1 if there is
    one; a third party's extractor need not have the property."""
    packages: Mapping[str, float | None] = getattr(make(name), "training_packages", {})
    return packages


def _remark(name: str, seen: Mapping[str, float | None]) -> str:
    fair = ", ".join(
        f"{value:.3f} on {package}" for package, value in seen.items() if value is not None
    )
    fairly = f"; cross-validated by site its word F1 is {fair}" if fair else ""
    return f"{name} learned from {', '.join(seen)}: its figures there flatter it{fairly}."
