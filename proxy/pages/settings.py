"""The settings page: choices for sites, hosts left alone, certificates, the pause.

Pure. Knows the page and its forms; refuses to know the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from markupsafe import Markup

from proxy.access.tokens import Tokens
from proxy.pages.bar import form
from proxy.pages.certificates import Certificates, certificates
from proxy.pages.choosing import ChoiceError
from proxy.pages.frame import Sheet, own_page, sentences
from proxy.pages.navigation import SETTINGS as PATH
from proxy.pages.navigation import navigation
from proxy.pages.slider import LEVELS, USUAL, slider
from proxy.stores.choices import UNTIL_RESTART
from proxy.stores.remembered import LAPSE, Choice, PassThrough, Remembered

_PURPOSE = "settings"
_PAUSES = (("10", "10 minutes"), ("60", "1 hour"), ("restart", "until Winnow is restarted"))
_REASONS = {
    "client-certificate": "the site asks for a certificate of yours",
    "closed-twice": "an app broke off twice",
}

_RULES = Markup(
    '\n<p class="quiet">Rules for single sites may stand in a file too: see '
    '<a href="/-/settings/rules">rules for sites</a>.</p>'
)


class Change(StrEnum):
    """What a form on the page does."""

    PAUSE = "pause"
    RESUME = "resume"
    FORGET = "forget"
    LEVEL = "level"
    REOPEN = "reopen"
    REOPEN_ALL = "reopen-all"
    FORGET_ALL = "forget-all"
    LEAVES = "leaves"


@dataclass(frozen=True, slots=True)
class Request:
    """One form sent: ``value`` is a pause's length, a site, a host, or a level for ``site``."""

    change: Change
    value: str = ""
    site: str = ""

    def pauses_until(self, now: datetime) -> datetime | None:
        """When the pause that is asked for ends. Raises ``ChoiceError`` for no such length."""
        if self.value not in dict(_PAUSES):
            raise ChoiceError("There is no such pause.")
        if self.value == "restart":
            return UNTIL_RESTART
        return now + timedelta(minutes=int(self.value))


def read_request(fields: Mapping[str, str], tokens: Tokens, now: datetime) -> Request:
    """What a form asks for; raises ``ChoiceError`` if it is stale, forged or senseless."""
    if not tokens.holds(fields.get("token", ""), _PURPOSE, now):
        raise ChoiceError("The form is stale or not ours.")
    try:
        change = Change(fields.get("change", ""))
        request = Request(change, fields.get("value", ""), fields.get("site", ""))
        if change is Change.LEVEL and (not request.site or request.value not in map(str, LEVELS)):
            raise ChoiceError("There is no such level.")
        return request
    except ValueError as error:
        raise ChoiceError("There is no such change.") from error


def settings_page(
    remembered: Remembered, held: Certificates, tokens: Tokens, now: datetime
) -> Sheet:
    """Everything remembered, each with the button that undoes it."""
    token = tokens.make(_PURPOSE, now)
    forget = _button(token, Change.LEAVES, "", "Forget these certificates")
    main = Markup("\n").join(
        [
            _pause(remembered, token, now),
            _choices(remembered, token),
            _passed(remembered, token),
            certificates(held, forget),
        ]
    )
    return own_page("Settings", main + navigation(PATH), kind="wide")


def _button(token: str, change: Change, value: str, text: str) -> Markup:
    return form(PATH, {"change": change.value, "value": value, "token": token}, text)


def _pause(remembered: Remembered, token: str, now: datetime) -> Markup:
    if remembered.is_paused(now):
        text = f"Winnow is paused {_until(remembered.paused_until)}: pages go through unchanged."
        return Markup("<h2>Pause</h2>\n{}\n<p>{}</p>").format(
            sentences(text), _button(token, Change.RESUME, "", "Go on now")
        )
    buttons = [_button(token, Change.PAUSE, value, text) for value, text in _PAUSES]
    return Markup(
        "<h2>Pause</h2>\n<p>Let every page through unchanged for a while:</p>\n<p>{}</p>"
    ).format(Markup(" ").join(buttons))


def _until(end: datetime | None) -> str:
    if end is None or end == UNTIL_RESTART:
        return "until it is restarted"
    return f"until {end.astimezone():%H:%M}"


def _choices(remembered: Remembered, token: str) -> Markup:
    if not remembered.choices:
        return Markup("<h2>Sites</h2>\n<p>You have chosen nothing for any site yet.</p>") + _RULES
    rows = [
        _row(
            site,
            _choice(choice),
            _button(token, Change.FORGET, site, "Forget") + _level(token, site, choice),
        )
        for site, choice in sorted(remembered.choices.items())
    ]
    every = _button(token, Change.FORGET_ALL, "", "Forget all choices")
    return _table("Sites", ("Site", "Your choice"), rows) + every + _RULES


def _level(token: str, site: str, choice: Choice) -> Markup:
    """The slider for a site, where it stands on the site's pages."""
    fields = {"change": Change.LEVEL.value, "site": site, "token": token}
    words = (f"Tidy {site}", "Tidy")
    return slider(PATH, fields, choice.level or USUAL, words, post=True)


def _choice(choice: Choice) -> str:
    parts = [
        {"always": "always the article", "never": "never changed", None: ""}[choice.mode],
        f"method {choice.extractor}" if choice.extractor else "",
        f"level {choice.level}" if choice.level else "",
    ]
    return ", ".join(part for part in parts if part)


def _passed(remembered: Remembered, token: str) -> Markup:
    title = "Hosts that Winnow leaves alone"
    if not remembered.passed:
        return Markup("<h2>{}</h2>\n<p>No app has refused Winnow's certificate yet.</p>").format(
            title
        )
    rows = [
        _row(
            entry.host,
            _learned(entry),
            _button(token, Change.REOPEN, entry.host, "Open it again"),
        )
        for _, entry in sorted(remembered.passed.items())
    ]
    every = _button(token, Change.REOPEN_ALL, "", "Open all hosts again")
    lapse = sentences(f"Each holds for the program that refused, for {LAPSE.days} days.")
    return _table(title, ("Host", "Since, and why"), rows) + lapse + every


def _learned(entry: PassThrough) -> str:
    why = _REASONS.get(entry.reason, f"an app refused Winnow's certificate ({entry.reason})")
    whose = f", at {entry.client}" if entry.client else ""
    return f"{entry.since.astimezone():%Y-%m-%d %H:%M}: {why}{whose}"


def _row(name: str, says: str, button: Markup) -> Markup:
    return Markup('<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>').format(
        name, says, button
    )


def _table(title: str, heads: tuple[str, str], rows: list[Markup]) -> Markup:
    cells = Markup("").join(Markup('<th scope="col">{}</th>').format(head) for head in heads)
    return Markup(
        "<h2>{}</h2>\n<table>\n<thead><tr>{}<td></td></tr></thead>\n<tbody>\n{}\n</tbody>\n</table>"
    ).format(title, cells, Markup("\n").join(rows))
