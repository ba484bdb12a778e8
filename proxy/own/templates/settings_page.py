"""The settings page: pause, site choices, hosts not intercepted, certificates. Pure.

A user sees and changes their own entries; an administrator also those for everybody, on a page of
their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from markupsafe import Markup

from winnow.document.values import Treatments
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.certificates import Certificates, certificates
from winnow.proxy.own.templates.elements import USUAL, form, row, slider, table
from winnow.proxy.own.templates.navigation import SAVED, navigation
from winnow.proxy.own.templates.navigation import SETTINGS as PATH
from winnow.proxy.own.templates.part_rules import part_in_short
from winnow.proxy.own.templates.settings_request import (
    COMMON,
    PAUSES,
    SettingsChange,
    settings_purpose,
)
from winnow.proxy.own.templates.treatment_forms import (
    KINDS_ABOUT,
    TREATMENT_OF,
    purpose_rows,
    site_form,
    site_treatment,
)
from winnow.proxy.own.translation import N_, _, clock, filled, moment
from winnow.proxy.stores.choices import (
    EVERYBODY,
    LAPSE,
    NO_CHOICE,
    UNTIL_RESTART,
    Choice,
    Choices,
    Owned,
    PassThrough,
    SiteChoiceMode,
)
from winnow.proxy.stores.library import PartsBySite

FOR_EVERYBODY = f"{PATH}?for=everybody"
"""The page of what holds for everybody without a choice of their own."""
_MODES = {
    SiteChoiceMode.ALWAYS: N_("always extract"),
    SiteChoiceMode.TIDY: N_("always tidy"),
    SiteChoiceMode.NEVER: N_("never change"),
}
_REASONS = {
    "client-certificate": N_("the site asks for a client certificate"),
    "closed-twice": N_("an app closed the connection twice"),
}


def _rules() -> Markup:
    link = Markup('<a href="/-/settings/rules">{}</a>').format(_("Site rules"))
    text = filled(_("Rules can also be read from a file: see {link}."), link=link)
    return Markup('\n<p class="quiet">{}</p>').format(text)


def _common_head() -> Markup:
    text = _(
        "What applies to everybody without a choice of their own. You see it because you are an "
        "administrator ({setting})."
    )
    return Markup("\n<p>{}</p>").format(filled(text, setting=Markup("<code>access.admins</code>")))


def _common_link() -> Markup:
    link = Markup('<a href="{}">{}</a>').format(FOR_EVERYBODY, _("Settings for everybody"))
    return Markup("<p>{}</p>").format(
        filled(_("These are yours. You are an administrator: see also {link}."), link=link)
    )


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The choices, and who looks at them: ``owner`` at the address ``client``."""

    remembered: Choices
    owner: str
    client: str = ""
    administers: bool = False
    common: bool = False
    """What holds for everybody is shown, to an administrator."""
    treatments: Treatments = ()
    """What is done with pages by their purpose where nobody chose otherwise."""
    parts: PartsBySite = field(default_factory=lambda: MappingProxyType({}))
    """The owner's rules for parts of sites."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """Whose choices a section shows; ``shares``: they can be applied to everybody."""

    owned: Owned
    token: str
    common: bool = False
    shares: bool = False
    parts: PartsBySite = field(default_factory=lambda: MappingProxyType({}))

    def fields(
        self, change: SettingsChange, value: str = "", *, common: bool = False
    ) -> dict[str, str]:
        scope = {"for": COMMON} if common or self.common else {}
        return {"change": change.value, "value": value, **scope, "token": self.token}

    def button(
        self, change: SettingsChange, value: str, text: str, *, common: bool = False
    ) -> Markup:
        """A form of one button."""
        return form(PATH, self.fields(change, value, common=common), text)


def settings_page(
    view: SettingsView, authority: Certificates, tokens: FormTokens, now: datetime
) -> HtmlPage:
    """All stored choices, each with a button that undoes it."""
    token, remembered = tokens.make(settings_purpose(view.owner), now), view.remembered
    own = _Scope(remembered.of(view.owner), token, shares=view.administers, parts=view.parts)
    common = _Scope(remembered.of(EVERYBODY), token, common=True)
    if view.common and view.administers:
        parts = [_common_head(), _pause(common, now), *_treated(common, view)]
        body = Markup("\n").join(parts) + navigation(FOR_EVERYBODY)
        return own_page(_("Settings for everybody"), body, kind="wide")
    forget = Markup("")
    if view.administers:
        forget = own.button(SettingsChange.LEAVES, "", _("Clear certificates"))
    parts = [_pause(own, now), *_treated(own, view), _rules()]
    if view.remembered.is_paused(EVERYBODY, now):
        parts.insert(0, sentences(_paused(common, everybody=True)))
    if view.administers:
        parts.insert(0, _common_link())
    parts += [_refused(view, own), certificates(authority, forget)]
    return own_page(_("Settings"), Markup("\n").join(parts) + navigation(PATH), kind="wide")


def _pause(scope: _Scope, now: datetime) -> Markup:
    head = _("Pause")
    if scope.owned.is_paused(now):
        text = _paused(scope, everybody=False)
        return Markup("<h2>{}</h2>\n{}\n<p>{}</p>").format(
            head, sentences(text), scope.button(SettingsChange.RESUME, "", _("Resume now"))
        )
    buttons = [scope.button(SettingsChange.PAUSE, value, _(text)) for value, text in PAUSES]
    return Markup("<h2>{}</h2>\n<p>{}</p>\n<p>{}</p>").format(
        head, _("Show every page unchanged for:"), Markup(" ").join(buttons)
    )


def _paused(scope: _Scope, *, everybody: bool) -> str:
    end = scope.owned.paused_until
    if end is None or end == UNTIL_RESTART:
        if everybody:
            return _("Winnow is paused for everybody until it is restarted.")
        return _("Winnow is paused until it is restarted: pages are not changed.")
    if everybody:
        return _("Winnow is paused for everybody until {time}.").format(time=clock(end))
    return _("Winnow is paused until {time}: pages are not changed.").format(time=clock(end))


def _treated(scope: _Scope, view: SettingsView) -> tuple[Markup, Markup]:
    """What is done with pages by their kind, and on single sites."""
    defaults = {kind.value: usual.value for kind, usual in view.treatments}
    if not scope.common:
        chosen = view.remembered.of(EVERYBODY).purposes
        defaults |= {kind: TREATMENT_OF[mode] for kind, mode in chosen.items() if kind in defaults}
    fields = scope.fields(SettingsChange.TREATMENT)
    rows = purpose_rows(PATH, fields, defaults, scope.owned.purposes)
    about = sentences(*map(_, KINDS_ABOUT))
    listed = table((_("Kind"), _("What Winnow does")), rows, stacks=True)
    kinds = _titled(_("Kinds of pages"), about + listed)
    return kinds, _choices(scope) + site_form(PATH, fields)


def _choices(scope: _Scope) -> Markup:
    title = _("Sites")
    anchor = "" if scope.common else "sites"
    found = sorted({*scope.owned.sites, *scope.parts})
    if not found:
        common, own = _("No choices for any site."), _("You have made no choices for any site.")
        return _titled(title, sentences(common if scope.common else own), anchor)
    rows = [_site(scope, site, scope.owned.sites.get(site, NO_CHOICE)) for site in found]
    every = scope.button(SettingsChange.FORGET_ALL, "", _("Remove all choices"))
    shown = table((_("Site"), ""), rows, stacks=True)
    if scope.owned.sites:
        shown += Markup("\n<p>{}</p>\n").format(every)
    return _titled(title, shown, anchor)


def _site(scope: _Scope, site: str, choice: Choice) -> Markup:
    """A row: what was chosen for a site and parts of it stands below it; changing it is folded."""
    parts = scope.parts.get(site, ())
    chosen = Markup("<br>").join(filter(None, (_choice(choice), *map(part_in_short, parts))))
    head = Markup('{} <span class="chosen">{}</span>').format(site, chosen)
    ways = [
        site_treatment(PATH, scope.fields(SettingsChange.TREATMENT), site, choice.mode),
        _level(scope, site, choice),
    ]
    forget = Markup("")
    if choice != NO_CHOICE:
        forget = scope.button(SettingsChange.FORGET, site, _("Remove choice"))
        ways += [_share(scope, site)] if scope.shares else []
    if parts:
        ways.append(Markup('<a href="{}">{}</a>').format(SAVED, _("Change the kept parts")))
    label = _("Change the choice for {site}").format(site=site)
    fold = Markup('<details><summary aria-label="{}">{}</summary>\n{}</details>').format(
        label, _("Change"), Markup("\n").join(Markup("<p>{}</p>").format(way) for way in ways)
    )
    return row(head, forget + fold)


def _share(scope: _Scope, site: str) -> Markup:
    return scope.button(SettingsChange.SHARE, site, _("Apply to everybody"), common=True)


def _level(scope: _Scope, site: str, choice: Choice) -> Markup:
    """The slider for a site, at its current level."""
    fields = {**scope.fields(SettingsChange.LEVEL), "site": site}
    del fields["value"]
    words = (_("Level for {site}").format(site=site), _("Apply"))
    return slider(PATH, fields, choice.level or USUAL, words, post=True)


def _choice(choice: Choice) -> str:
    parts = [
        _(_MODES[choice.mode]) if choice.mode else "",
        _("method {name}").format(name=choice.extractor) if choice.extractor else "",
        _("level {number}").format(number=choice.level) if choice.level else "",
    ]
    return " · ".join(part for part in parts if part)


def _refused(view: SettingsView, scope: _Scope) -> Markup:
    """Hosts for which a client refused our certificate; administrators see the clients."""
    title = _("Hosts not intercepted")
    visible = view.remembered.refusals_of(None if view.administers else view.client)
    entries = [entry for key, entry in sorted(view.remembered.passed.items()) if key in visible]
    if not entries:
        every = _("No app has refused Winnow’s certificate yet.")
        own = _("No app of this device has refused Winnow’s certificate yet.")
        text = every if view.administers else own
        return Markup("<h2>{}</h2>\n<p>{}</p>").format(title, text)
    rows = [
        row(
            entry.host,
            _reason(entry, entry.client if view.administers else ""),
            scope.button(SettingsChange.REOPEN, entry.host, _("Intercept again")),
        )
        for entry in entries
    ]
    again = scope.button(SettingsChange.REOPEN_ALL, "", _("Intercept all again"))
    text = _("Each entry applies to the program that refused, for {days} days.")
    heads = (_("Host"), _("Since, reason"), "")
    return _titled(title, table(heads, rows)) + sentences(text.format(days=LAPSE.days)) + again


def _reason(entry: PassThrough, client: str) -> str:
    if entry.reason in _REASONS:
        why = _(_REASONS[entry.reason])
    else:
        refused = _("an app refused Winnow’s certificate ({alert})")
        why = refused.format(alert=entry.reason)
    return " · ".join(part for part in (moment(entry.since), why, client) if part)


def _titled(title: str, body: Markup, anchor: str = "") -> Markup:
    named = Markup(' id="{}"').format(anchor) if anchor else Markup("")
    return Markup("<h2{}>{}</h2>\n{}").format(named, title, body)
