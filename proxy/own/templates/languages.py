"""The language of the bar and of messages, chosen by Accept-Language."""

from __future__ import annotations

from enum import StrEnum

from winnow.proxy.http.headers import cached_by_text


class Language(StrEnum):
    """The languages of the message catalogue; the value is the ``lang`` attribute."""

    ENGLISH = "en"
    GERMAN = "de"


def choose_language(accept_language: str | None) -> Language:
    """The reader's preferred one (RFC 9110, section 12.5.4); English if none fits."""
    return _best(accept_language or "")


@cached_by_text
def _best(accept_language: str) -> Language:
    ranges = [_range(part) for part in accept_language.split(",")]
    best = sorted((one for one in ranges if one[1] > 0), key=lambda one: -one[1])
    for tag, _ in best:
        primary = tag.partition("-")[0]
        if primary in set(Language):
            return Language(primary)
    return Language.ENGLISH


def _range(part: str) -> tuple[str, float]:
    tag, _, parameter = part.strip().partition(";")
    name, _, value = parameter.strip().partition("=")
    if name.strip().lower() != "q":
        return tag.strip().lower(), 1.0 if tag.strip() else 0.0
    try:
        return tag.strip().lower(), float(value)
    except ValueError:
        return tag.strip().lower(), 0.0
