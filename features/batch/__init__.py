"""``winnow extract --batch``: a corpus to one file, by many processes or machines; resumable.

docs/batch.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="batch", optional=False, options="winnow.features.batch.batch_options:declare"
)
