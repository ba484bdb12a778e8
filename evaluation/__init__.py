"""Test packages, measures, reports and other projects' extractors, and commands for them."""

from __future__ import annotations

from typing import Final

from winnow.feature import CommandGroup, Feature, FeatureCommand

FEATURE: Final = Feature(
    name="evaluation",
    optional=False,
    commands=tuple(
        FeatureCommand(name, summary, f"winnow.evaluation.commands.{name}", CommandGroup.MEASURE)
        for name, summary in (
            ("evaluate", "measure extractors on test packages"),
            ("label", "make a test package with hand-written selectors"),
            ("train", "train a model on test packages"),
        )
    ),
)
