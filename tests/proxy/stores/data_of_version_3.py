"""What Winnow wrote at 385adee9, before all that is decided of a site was one value.

Made by its stores: the choices as SQL and as fields of Redis, the library as shelf.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from winnow.proxy.stores.site_choice import Choice, PartRule, SiteMode

_FOLDER: Final = Path(__file__).with_name("version_3")
CHOICES: Final = (_FOLDER / "choices.sql").read_text("utf-8")
FIELDS: Final[dict[str, str]] = json.loads((_FOLDER / "fields.json").read_text("utf-8"))
SHELF: Final = (_FOLDER / "shelf.json").read_text("utf-8")
LEAD: Final = PartRule(".lead")
AD: Final = PartRule(".ad", drops=True, url="https://news.example/story", words="Buy now")
MEANT: Final = {
    "": {"news.example": Choice(SiteMode.ALWAYS)},
    "user:anna": {
        "news.example": Choice(SiteMode.NEVER, "bte"),
        "shop.example:8080": Choice(None, "crunch:take=forms,keep=ads,ratio=0.4", 5),
        "purpose:index": Choice(SiteMode.TIDY),
        "private:router.lan": Choice(SiteMode.ALWAYS),
    },
    "127.0.0.1": {"blog.example": Choice(level=7)},
}
"""By owner and site: what the choices say."""
