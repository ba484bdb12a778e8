"""Names and numbers of records as texts write them: "Originally posted by Jane", "#12"."""

from __future__ import annotations

import re
from typing import Final

from winnow.engine.record_dates import DATE

NUMBER: Final = re.compile(
    r"(?:(?:post|no|nr|message|reply|comment)\.?:?\s*)?#\s?(\d{1,6})", re.IGNORECASE
)
_BEFORE_NAME: Final = re.compile(
    r"^(?:(?:(?:original(?:ly)? )?(?:posted|written|asked|answered|reviewed|submitted|created) )?by"
    r"|author|von|par|por|user|from)\b:?\s+",
    re.IGNORECASE,
)
_BEHIND_NAME: Final = re.compile(
    r"(?:,?\s+(?:wrote|writes|said|says|sagt|schrieb|dice|dit|posted)\b)?[\s:,\u00b7|]*$",
    re.IGNORECASE,
)
_LONGEST_NAME: Final = 50


def name_in(text: str) -> str:
    """A name without what stands around it; "" where a text is none."""
    name = _BEHIND_NAME.sub("", _BEFORE_NAME.sub("", " ".join(text.split()))).strip()
    is_fact = DATE.fullmatch(name) or NUMBER.fullmatch(name)
    is_name = len(name) <= _LONGEST_NAME and any(map(str.isalnum, name)) and not is_fact
    return name if is_name else ""
