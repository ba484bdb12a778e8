"""Names and numbers of records as texts write them: "Originally posted by Jane", "#12"."""

from __future__ import annotations

import re
from typing import Final

from winnow.engine.records.record_dates import DATE

NUMBER: Final = re.compile(
    r"(?:(?:post|no|nr|message|reply|comment)\.?:?\s*)?#\s?(\d{1,6})", re.IGNORECASE
)
_BEFORE_NAME: Final = re.compile(
    r"^(?:(?:(?:a |original(?:ly)? )?(?:post(?:ed)?|written|asked|answered|reviewed|submitted"
    r"|created) )?by"
    r"|author|von|par|por|user|from)\b:?\s+",
    re.IGNORECASE,
)
_BEHIND_NAME: Final = re.compile(
    r"(?:,?\s+(?:wrote|writes|said|says|sagt|schrieb|dice|dit|posted)\b)?[\s:,\u00b7|]*$",
    re.IGNORECASE,
)
_LONGEST_NAME: Final = 50
_NO_NAMES: Final = frozenset(
    "post posts quote reply re offline online member members moderator top edited save share "
    "report like link permalink more author registered user senior junior original poster op "
    "thread starter offer expires joined".split()
)
"""What stands beside names and dates as links, labels and ranks."""


def name_in(text: str) -> str:
    """A name without what stands around it; "" where a text is none."""
    said = " ".join(text.split()).partition(" \u00bb ")[0]  # phpBB writes the date behind it
    name = _BEHIND_NAME.sub("", _BEFORE_NAME.sub("", said)).strip()
    is_label = {*name.lower().split()} <= _NO_NAMES or ": " in name or name.endswith((" by", " By"))
    is_fact = is_label or DATE.search(name) or NUMBER.fullmatch(name)
    is_initial = len(name) == 1 and name.isascii()  # what stands for a picture of the person
    is_name = len(name) <= _LONGEST_NAME and any(map(str.isalnum, name))
    is_name &= not (is_fact or is_initial)
    return name if is_name else ""
