"""The settings of saved pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting
from winnow.config.sources.units import Size

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SavedSettings:
    """Pages that readers save at /-/save, on this computer; each user has their own."""

    SECTION: ClassVar[str] = "saved"

    pages: int = setting(20_000, "Maximum number of saved pages of one user.", minimum=1)
    space: Size = setting(
        512 * _MIB, "Maximum size of one user’s saved pages, images included.", minimum=_MIB
    )
    images: Size = setting(
        4 * _MIB, "Maximum size of the images saved with one page; 0 saves none."
    )
