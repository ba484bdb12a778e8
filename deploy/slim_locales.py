"""``slim_locales.py FOLDER``: leave in Babel's locale data what writing dates and durations needs.

Names of languages, countries, currencies, time zones and units are 26 of their 30 MB; all languages
stay. ``make slim`` calls it.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

UNUSED: Final = frozenset(
    "languages territories scripts variants currency_names currency_names_plural currency_symbols "
    "currency_unit_patterns currency_formats unit_display_names compound_unit_patterns "
    "list_patterns time_zones meta_zones compact_decimal_formats compact_currency_formats "
    "interval_formats datetime_skeletons".split()
)
DURATIONS: Final = "duration-"
"""The unit patterns that are kept: "3 days"."""


def slimmed(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of one locale without what nothing here reads."""
    kept = {key: value for key, value in data.items() if key not in UNUSED}
    patterns = kept.get("unit_patterns")
    if isinstance(patterns, Mapping):
        kept["unit_patterns"] = {
            unit: text for unit, text in patterns.items() if unit.startswith(DURATIONS)
        }
    return kept


def main() -> int:
    """Rewrite all files of the folder; they are Babel's own pickles."""
    for file in sorted(Path(sys.argv[1]).glob("*.dat")):
        data = slimmed(pickle.loads(file.read_bytes()))  # noqa: S301 - files of an installed package
        file.write_bytes(pickle.dumps(data, 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
