"""The settings page: pause, kinds of pages, sites, hosts not intercepted, certificates. Pure.

A user sees and changes their own entries; an administrator also those for everybody, on a page of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from markupsafe import Markup

from winnow.config.site_rule_file import WORDS
from winnow.document.values import Purpose, Treatments
from winnow.features.site.settings_request import (
    APART,
    COMMON,
    GROUPS,
    PAUSES,
    SettingsChange,
    settings_purpose,
)
from winnow.features.site.site_form import WORD_LABELS, WORD_NAMES
from winnow.features.site.site_words import points_of
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import LOOPBACK
from winnow.proxy.own.languages import NAMES as LANGUAGES
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import LOOKS, HtmlPage, page_of
from winnow.proxy.own.templates.elements import form
from winnow.proxy.own.templates.in_page.looks_panel import NAMES
from winnow.proxy.own.templates.navigation import SETTINGS as PATH
from winnow.proxy.own.translation import LANGUAGE, N_, _, clock
from winnow.proxy.stores.choices import (
    ALL_SITES,
    EVERYBODY,
    LAPSE,
    UNTIL_RESTART,
    Choices,
    Owned,
    PassThrough,
    private_key,
    purpose_key,
)
from winnow.proxy.stores.site_choice import NO_CHOICE, SiteMode, told
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.tls_errors import AuthorityError


@dataclass(frozen=True, slots=True)
class Certificates:
    """An authority's name, SHA-256 fingerprint and end; ``name`` is "" if there is none yet.

    ``fault`` says why an existing one cannot be used. ``leaves``: how many sites' certificates are
    in memory.
    """

    name: str = ""
    fingerprint: str = ""
    until: datetime | None = None
    leaves: int = 0
    fault: str = ""


async def certificates_of(keys: LazyAuthority) -> Certificates:
    """What there is to say of an authority. Makes none."""
    try:
        authority = await keys.existing()
    except AuthorityError as error:
        return Certificates(fault=str(error))
    if authority is None:
        return Certificates()
    until = authority.certificate.not_valid_after_utc
    return Certificates(authority.name, authority.fingerprint, until, keys.leaves)


FOR_EVERYBODY: Final = f"{PATH}?for=everybody"
"""The page of what holds for everybody without a choice of their own."""
_TEMPLATE: Final = page_template(__package__, "settings.html")
_MODE_OF: Final = {
    "extract": SiteMode.ALWAYS,
    "tidy": SiteMode.TIDY,
    "original": SiteMode.NEVER,
}
KINDS: Final[Mapping[Purpose, str]] = MappingProxyType(
    {
        Purpose.ARTICLE: N_("Articles and other texts"),
        Purpose.PRODUCT: N_("Things for sale"),
        Purpose.INDEX: N_("Front pages, lists, search results"),
        Purpose.DOCUMENTATION: N_("Manuals and references"),
        Purpose.THREAD: N_("Discussions"),
        Purpose.QUESTION: N_("Questions with answers"),
        Purpose.RECIPE: N_("Recipes"),
        Purpose.FORM: N_("Log-in, payment and other forms"),
        Purpose.APPLICATION: N_("Maps, editors, mail, players"),
        Purpose.ERROR: N_("Errors and checks for robots"),
    }
)
GROUP_NAMES: Final = {
    "articles": N_("Articles"),
    "shops": N_("Shops and lists"),
    "rest": N_("Manuals, discussions, recipes"),
}


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


class Pause(NamedTuple):
    """``end``: the time of day, "" for the restart."""

    end: str


class Pauses(NamedTuple):
    """Those in force, and the lengths that may be chosen."""

    own: Pause | None
    everybody: Pause | None
    lengths: Sequence[tuple[str, str]] = PAUSES


class KindRow(NamedTuple):
    """What is done with pages of a kind: ``usual`` without a choice, and what was chosen."""

    key: str
    name: str
    usual: SiteMode
    chosen: str


class ListRow(NamedTuple):
    """A list of ``choices``, texts by value."""

    key: str
    name: str
    chosen: str
    choices: Mapping[str, str]


MODE_TEXTS: Final = {
    SiteMode.ALWAYS: N_("Extract"),
    SiteMode.TIDY: N_("Tidy"),
    SiteMode.NEVER: N_("Original"),
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose choices a page shows."""

    owned: Owned
    token: str
    common: bool = False

    @property
    def words(self) -> Mapping[str, str]:
        """What holds for all sites, by a field of Choice."""
        return told(self.owned.choices.get(ALL_SITES, NO_CHOICE))

    def fields(self, change: SettingsChange) -> dict[str, str]:
        """The hidden fields of a form, without its value."""
        scope = {"for": COMMON} if self.common else {}
        return {"change": change.value, **scope, "token": self.token}

    def button(self, change: SettingsChange, value: str, text: str) -> Markup:
        """A form of one button."""
        return form(PATH, {**self.fields(change), "value": value}, text)


def settings_page(
    view: SettingsView, authority: Certificates, tokens: FormTokens, now: datetime
) -> HtmlPage:
    """All stored choices, each with a button that undoes it."""
    token, remembered = tokens.make(settings_purpose(view.owner), now), view.remembered
    scope = Scope(remembered.of(view.owner), token)
    if common := view.common and view.administers:
        scope = Scope(remembered.of(EVERYBODY), token, common=True)
    everybody = remembered.of(EVERYBODY)
    kinds = list(_kinds(view, scope, {} if common else everybody.purposes))
    return page_of(
        _TEMPLATE,
        view=view,
        scope=scope,
        changes=SettingsChange,
        pauses=Pauses(_pause(scope.owned, now), _pause(everybody, now)),
        kinds=kinds,
        groups=list(_groups(kinds)),
        words=[
            ListRow(name, text, scope.words.get(name, ""), _word_names(name))
            for name, text in WORD_LABELS.items()
        ],
        person=view.owner.removeprefix("user:") if view.owner.startswith("user:") else "",
        at_home=view.owner == LOOPBACK,
        colours=NAMES[LOOKS.get()().theme],
        speaks=LANGUAGES[LANGUAGE.get()],
        sites=sorted(scope.owned.sites.items()),
        refused=_refused(view),
        authority=authority,
        lapse=LAPSE,
        private_key=private_key,
        points_of=points_of,
    )


def _pause(owned: Owned, now: datetime) -> Pause | None:
    if not owned.is_paused(now):
        return None
    end = owned.paused_until
    return Pause("" if end is None or end == UNTIL_RESTART else clock(end))


def _kinds(view: SettingsView, scope: Scope, chosen: Mapping[str, SiteMode]) -> Iterator[KindRow]:
    """``chosen``: what everybody's choice says, which goes before the settings."""
    usual = {kind.value: _MODE_OF[each.value] for kind, each in view.treatments}
    usual |= {kind: mode for kind, mode in chosen.items() if kind in usual}
    for kind, name in KINDS.items():
        default = usual.get(kind.value, SiteMode.ALWAYS)
        own = scope.owned.purposes.get(kind.value, "")
        yield KindRow(purpose_key(kind.value), name, default, own)


def _groups(kinds: Sequence[KindRow]) -> Iterator[ListRow]:
    """Kinds that are chosen for as one; what differs within a group stays unless it is chosen."""
    by_key = {each.key: each for each in kinds}
    for group, purposes in GROUPS.items():
        rows = [by_key[purpose_key(each.value)] for each in purposes]
        usual, chosen = {each.usual for each in rows}, {each.chosen for each in rows}
        default = _("Default")
        if len(usual) == 1:
            default = _("Default: {value}").format(value=_(MODE_TEXTS[rows[0].usual]))
        names: dict[str, str] = {"": default}
        names |= {mode: _(text) for mode, text in MODE_TEXTS.items()}
        if len(chosen) > 1:
            names = {APART: _("Each by itself"), **names}
        value = APART if len(chosen) > 1 else rows[0].chosen
        yield ListRow(group, GROUP_NAMES[group], value, names)


def _word_names(name: str) -> Mapping[str, str]:
    return {"": _("Default"), **{word: _(WORD_NAMES[word]) for word in WORDS[name]}}


def _refused(view: SettingsView) -> list[PassThrough]:
    """Hosts for which a client refused our certificate; administrators see those of all clients."""
    visible = view.remembered.refusals_of(None if view.administers else view.client)
    return [entry for key, entry in sorted(view.remembered.passed.items()) if key in visible]
