"""OpenTelemetry traces of requests, sent to a collector where ``features.enabled`` names it.

docs/operations.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="tracing",
    is_extra=True,
    settings="winnow.features.tracing.settings:TracingSettings",
    observers="winnow.features.tracing.spans:observers",
    task="winnow.features.tracing.spans:until_ended",
)
