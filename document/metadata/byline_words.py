"""The words that stand before and behind authors' names, in the languages of the web."""

from __future__ import annotations

import re
from typing import Final

_VERBS: Final = (
    r"(?:(?:article|story|words|text|post|guide|review|written|posted|published|submitted|"
    r"contributed|started|asked|recommended|authored|created|compiled|report|visualizations?)"
    r"\s+)?by|(?:geschrieben|veröffentlicht|verfasst|ein (?:beitrag|artikel))\s+von|"
    r"(?:écrit|publié|rédigé|proposé)\s+par|(?:escrito|publicado)\s+por|"
    r"(?:scritto|pubblicato)\s+da|(?:geschreven|geplaatst)\s+door|"
    r"(?:skrevet|skriven|publicerad)\s+(?:af|av)|بقلم|كتب[هت]?|מאת|โดย"
)
_NOUNS: Final = (
    r"authors?(?:\s*\(s\))?|writer|autor(?:in|en|ka|a|e|es|i)?|auteurs?|autore|"
    r"forfatter|författare|kirjoittaja|szerző|yazar|penulis|tác giả|автори?|συγγραφέας|نویسنده|"
    r"作者|撰文|文|記者|记者|编辑|著者|笔者|執筆者|글쓴이|작성자"
)
"""Nouns stand before a name with a colon, or alone on a line."""
AT_START: Final = re.compile(
    rf"(?:(?:{_VERBS})(?:\s*:\s*|\s+|(?=(?-i:[A-Z])))|(?:{_NOUNS})\s*[:/\uff1a]\s*|"
    r"thread starter\s+)",
    re.IGNORECASE,
)
ALONE: Final = re.compile(rf"(?:{_VERBS}|{_NOUNS})\s*:?", re.IGNORECASE)
STARTED: Final = re.compile(
    r"\bstarted by\s+|^(?=\S+ (?:discussion|thread) starter$)", re.IGNORECASE
)
ANY: Final = re.compile(rf"{_VERBS}|{_NOUNS}|starter", re.IGNORECASE)
"""What a line holds that one of the three finds something in."""
BEFORE_LABEL: Final = re.compile(
    r"(?:\W|\b\d+\s*min(?:ute)?s?(?:\s+read)?\b|\b(?:posted|published|last|updated|on|by)\b)*",
    re.IGNORECASE,
)
"""What may stand before the word for "by"."""
BY: Final = {
    "bg": "от", "ca": "per", "da": "af", "de": "von", "es": "por", "fr": "par", "id": "oleh",
    "it": "di", "nb": "av", "nl": "door", "no": "av", "pt": "por", "ro": "de", "ru": "от",
    "sv": "av", "vi": "bởi",
}  # fmt: skip
"""The word for "by" where it is too common a word to be read in other languages."""
ENDS: Final = re.compile(
    r"\s*(?:[|\u2022\u00b7\u22c5\u25cf\u2219\u2013\u2014\u00bb\u25aa]|\s-+\s|\s/\s|"
    r"\b(?:last\s+)?updated\b|\b(?:medically |fact )?(?:re)?viewed by\b|\bfact.checked\b|"
    r"\bfiled (?:under|in)\b|"
    r"\bedited by\b|\s(?:on|in|at)\s(?=(?-i:[A-Z0-9]))|\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|"
    r"(?:discussion|thread) starter\b|\bpublished\b|\bposted\b|\bcopy link\b|"
    r"\bfollow(?:ed|ing)?\b|\d+(?:[.,]\d+)?\s*(?:min|comment|view)|(?<=[a-z])Updated\b|"
    r"\bread time\b|\bSenior\b|\bContributing\b).*",
    re.IGNORECASE | re.DOTALL,
)
"""What a site writes behind a name, and all that follows."""
BADGES: Final = re.compile(r"\s+[\d.,]+k?\d*\s*(?:gold|silver|bronze)\s+badge.*", re.IGNORECASE)
CONTACT: Final = re.compile(r"[,;]?\s*[<(]?\S+@\S+\.\S+[>)]?.*|[,;]?\s*https?://.*")
ROLE: Final = re.compile(
    r",?\s+(?:writer|reporter|editor|founder|author|contributor|staff writer|columnist)$",
    re.IGNORECASE,
)
WEEKDAY: Final = re.compile(
    r"\s*\b(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?,?\s*$", re.IGNORECASE
)
NO_NAMES: Final = frozenset(
    "admin administrator author authors by webmaster editor user guest anonymous unknown default "
    "none null undefined share menu home news blog comments search subscribe category type name "
    "information".split()
)
"""What stands where a name should: roles, labels, values that nobody filled in."""
NO_PERSON: Final = frozenset(
    "navigation menu share article news items blog home sign out subscribe notifications "
    "data center finance "
    "personal update sector guide guides discussions forum general management top best set "
    "direction latest more read contents table posts category related download privacy policy "
    "contact about learning students medications review reviews tips products product services "
    "service health life business technology community press release free trial offer expires "
    "joined".split()
)
"""Words of titles and controls that are written like names."""
