"""Which profile a browser gets that names none, and how large its images are.

``basic`` is for those without style sheets or CSS 3.

By User-Agent (RFC 9110, section 10.1.5) and Accept, which WAP browsers fill with media types of
their own (WAP-237, section 6). Pure. A browser in no row gets the settings' profile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from winnow.document.values import Format, ImageSize, Profile, Recipe
from winnow.proxy.http.headers import Headers, cached_by_text

BASIC_BROWSERS: Final = (
    # text browsers, by the strings that their sources send
    (r"w3m/", "w3m/0.5.3+git20230121"),
    (r"lynx/", "Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8"),
    (r"e?links \(", "Links (2.28; Linux 6.1.0 x86_64; GNU C 12.2; text)"),
    (r"url/emacs", "URL/Emacs Emacs/28.2 (X11; x86_64-pc-linux-gnu)"),
    (r"edbrowse/", "edbrowse/3.8.0"),
    # graphical ones without CSS 3 or scripts
    (r"dillo/", "Dillo/3.0.5"),
    (r"netsurf/", "NetSurf/3.10 (Linux)"),
    # before CSS 3: Microsoft, "Understanding user-agent strings"; Opera's Presto; Netscape 4
    (r"msie [1-8]\.", "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)"),
    (r"opera[/ ][1-9]\.", "Opera/9.80 (J2ME/MIDP; Opera Mini/4.2; U; en) Presto/2.5.25"),
    (r"\Amozilla/[1-4]\.\d+ (?!\(compatible)", "Mozilla/4.08 [en] (WinNT; U)"),
    # feature phones and readers: W3C, "Default Delivery Context" and their makers' lists
    (r"\Anokia|symbianos|series60", "Nokia6230i/2.0 (03.40) Profile/MIDP-2.0"),
    (r"up\.browser|midp|\Asonyericsson|\Asamsung-|\Alg[-/]", "SonyEricssonK750i/R1AA"),
    (r"\Ablackberry\d", "BlackBerry8310/4.2.2 Profile/MIDP-2.0"),
    (r"kindle/[1-3]\.", "Mozilla/5.0 (Linux; U; en-US) AppleWebKit/531.2+ Kindle/3.0+"),
    (r"nintendo ds|psp \(", "Mozilla/4.0 (PSP (PlayStation Portable); 2.00)"),
)
"""Patterns of User-Agent in lower case, each with one that it stands for."""
OLD_MACHINES: Final = (
    ("MSIE 2", r"msie [12]\.", "w600.k30.i2.t1.b30.o1"),
    ("Netscape 1", r"\Amozilla/[01]\.[^(]*\((?!compatible)", "w600.k30.i2.t1.b30.o1"),
    ("MacWeb", r"macweb", "w480.k20.i2.t1.b20.o1"),
    ("Lynx", r"lynx/", "w640.k60.i1.b60"),
    ("Kindle 3", r"kindle/3\.", "w560.k40.i2.b40"),
    ("Nokia", r"\Anokia|series40", "w220.k12.i2.b11"),
    ("Wii", r"nintendo wii", "w760.k60.i2.b60"),
)
"""Names, patterns of User-Agent in lower case, and the options of small pages (devices.py)."""
_BASIC: Final = re.compile("|".join(pattern for pattern, _ in BASIC_BROWSERS))
_WAP: Final = ("application/vnd.wap.xhtml+xml", "text/vnd.wap.wml")


def machine_options(headers: Headers, named: Sequence[str]) -> str:
    """The options of small pages for an old machine, if it is one of those named; else ""."""
    agent = headers.get("user-agent").lower() if named else ""
    fitting = (word for name, at, word in OLD_MACHINES if name in named and re.search(at, agent))
    return next(fitting, "")


@cached_by_text
def is_basic_browser(user_agent: str) -> bool:
    """Whether a browser of this name gets the profile ``basic``."""
    return _BASIC.search(user_agent.lower()) is not None


def saves_data(headers: Headers) -> bool:
    """Whether a browser asks for less (Save Data API, section 2)."""
    return headers.get("save-data").strip().lower() == "on"


def image_size(headers: Headers) -> ImageSize:
    """By Save-Data (Save Data API, section 2), and by what phones say of themselves.

    No client hint is asked for: Chromium sends Sec-CH-UA-Mobile by itself (User-Agent Client
    Hints, section 3.3), the other browsers of phones have "Mobi" in their names.
    """
    if saves_data(headers):
        return ImageSize.SAVING
    mobile = headers.get("sec-ch-ua-mobile").strip()
    is_phone = mobile == "?1" or (not mobile and "Mobi" in headers.get("user-agent"))
    return ImageSize.PHONE if is_phone else ImageSize.AS_SENT


def for_device(headers: Headers, recipe: Recipe) -> Recipe:
    """The recipe with profile and images of who asks, where the settings' is the reader's."""
    if recipe.profile is not Profile.READER or recipe.format is not Format.HTML:
        return recipe
    accept = headers.joined("accept").lower()
    if is_basic_browser(headers.get("user-agent")) or any(kind in accept for kind in _WAP):
        return replace(recipe, profile=Profile.BASIC)
    size = image_size(headers)
    return replace(recipe, images=size) if size is not recipe.images else recipe
