"""Frames, plug-ins and players: which are shown, and a name for each that tells it from others.

Nothing of a third party is fetched before a click: a frame is a link to what it would show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from winnow.document.addresses import host_of
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords

TRACKERS: Final = re.compile(
    r"(?:^|\.)(?:doubleclick\.net|googletagmanager\.com|googlesyndication\.com|adnxs\.com"
    r"|google-analytics\.com|amazon-adsystem\.com|criteo\.com|taboola\.com|outbrain\.com"
    r"|scorecardresearch\.com|2mdn\.net|adsrvr\.org|recaptcha\.net|quantserve\.com)$"
)
_WATCH: Final = (
    (
        re.compile(
            r"(?:https?:)?//(?:www\.)?youtube(?:-nocookie)?\.com/embed/([\w-]{6,})[^#]*", re.I
        ),
        r"https://www.youtube.com/watch?v=\1",
    ),
    (
        re.compile(r"(?:https?:)?//player\.vimeo\.com/video/(\d+)[^#]*", re.I),
        r"https://vimeo.com/\1",
    ),
    (
        re.compile(r"(?:https?:)?//(?:www\.)?dailymotion\.com/embed/video/(\w+)[^#]*", re.I),
        r"https://www.dailymotion.com/video/\1",
    ),
)
"""Pages that show what a frame shows, by the frame's address."""
_KINDS: Final = (
    (re.compile(r"\.pdf(?:$|[?#])", re.I), "PDF"),
    (re.compile(r"/maps?[/?.]|[/.]maps?\.|openstreetmap\.|mapbox\."), "Map"),
    (
        re.compile(
            r"\.(?:mp4|webm|mov|swf)\b|youtube|vimeo|dailymotion|twitch\.|wistia|brightcove|jwp|video|kaltura"
        ),
        "Video",
    ),
    (
        re.compile(
            r"\.(?:mp3|ogg|m4a|wav|mid)\b|spotify|soundcloud|podcast|audio|bandcamp|deezer|megaphone|libsyn"
        ),
        "Audio",
    ),
    (
        re.compile(r"datawrapper|dwcdn|flourish|infogram|tableau|plotly|chart|ourworldindata"),
        "Chart",
    ),
    (re.compile(r"//(?:\w+\.)?(?:twitter|x|instagram|facebook|tiktok|reddit)\.|bsky"), "Post"),
    (re.compile(r"codepen|jsfiddle|codesandbox|gist\.|stackblitz|replit"), "Code"),
    (re.compile(r"typeform|/forms?/|hsforms|jotform|surveymonkey"), "Form"),
    (re.compile(r"slideshare|speakerdeck|docs\.google\.com/presentation"), "Slides"),
)
_OTHER: Final = "Embedded content"
_SAYS_NOTHING: Final = re.compile(
    r"(?:\.(?:mp4|webm|mov|swf)\b|youtube|vimeo|embed(?:ded)?|video|audio|media|podcast|spotify|soundcloud|google|map|post|"
    r"twitter|player|frame|iframe|content|widget|from|by|an?|the|\W)*",
    re.IGNORECASE,
)
"""A title that says what any such frame is."""
_ADDRESSES: Final = ("src", "data", "data-src", "data-lazy-src", "data-litespeed-src")


def address_of(attributes: Mapping[str, str]) -> str:
    """Where a frame, an object or a plug-in leads: to a page for people rather than a player."""
    found = (attributes.get(name, "").strip() for name in _ADDRESSES)
    return watch_page(next((a for a in found if a and not a.startswith(("about:", "data:"))), ""))


def watch_page(address: str) -> str:
    """The page that shows what a frame shows, where it is known; else the frame's own address."""
    for frame, page in _WATCH:
        if frame.match(address):
            return frame.sub(page, address)
    return address


def is_silent(attributes: Mapping[str, str], host: str) -> bool:
    """Whether a frame shows nothing to a person: a counter's, an advertisement's."""
    sizes = {attributes.get(name, "").strip().removesuffix("px") for name in ("width", "height")}
    return not host or bool(sizes & {"0", "1"}) or TRACKERS.search(host) is not None


class EmbedNames:
    """Names of embedded parts; a name that another has already gets a number."""

    def __init__(self, words: PageWords = ENGLISH_WORDS) -> None:
        self._words, self._times = words, Counter[str]()

    def name(self, declared: str, address: str) -> str:
        """A declared title that says something, else what kind of thing it is."""
        title = " ".join(declared.split())
        if _SAYS_NOTHING.fullmatch(title):
            title = self._words.text(kind_of(address))
        key = f"{title.casefold()} {host_of(address)}"
        self._times[key] += 1
        return f"{title} {self._times[key]}".removesuffix(" 1")


def kind_of(address: str) -> str:
    """What an address most likely leads to, in a word."""
    return next((kind for pattern, kind in _KINDS if pattern.search(address)), _OTHER)
