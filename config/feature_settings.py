"""The settings that name features."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class FeatureSettings:
    """Which features Winnow has beside its core."""

    disabled: tuple[str, ...] = setting(
        (),
        "Features that are switched off, such as annotate, compare or listen: their pages and the "
        "links to them are gone, their data and settings stay.",
    )
    enabled: tuple[str, ...] = setting(
        (),
        "Features of installed packages that are loaded. They run in the process that holds the "
        "key of the certificate authority: name only those that you trust.",
    )


@dataclass(frozen=True, slots=True)
class AnnotationSettings:
    """Annotation of pages for test packages at /-/annotate, by users and on this computer."""

    folder: Path | None = setting(
        None, "Folder for one package per annotator; empty turns annotation off."
    )
