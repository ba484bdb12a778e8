"""The settings of traces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class TracingSettings:
    """OpenTelemetry traces, where ``features.enabled`` names tracing."""

    SECTION: ClassVar[str] = "tracing"

    endpoint: str = setting(
        "http://127.0.0.1:4318/v1/traces",
        "The collector's address for traces by OTLP over HTTP.",
        protected=True,
    )
    share: float = setting(
        1.0,
        "Share of the requests that are traced; those that a trusted proxy traces are, or are not, "
        "as it says.",
        minimum=0,
        maximum=1,
    )
