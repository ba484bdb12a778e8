"""Whether a browser reads through Winnow already, and what its reader does next. Pure.

The start page asks by frames at addresses that lead to Winnow through the proxy alone, nested so
that the first that answers is shown, and otherwise what was not done yet. No script is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.features.setup.setup_check import CHECK_PATH, framed_anywhere
from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.own.checked_values import Address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, bare_page
from winnow.proxy.own.templates.navigation import ACTIVITY, link_to
from winnow.proxy.own.translation import _, filled

_TEMPLATE: Final = page_template(__package__, "next_step.html")
NEXT: Final = "next"
"""The parameter of ``CHECK_PATH`` with which it says what is next."""
_SCHEMES: Final = ("https", "http")
"""As the start page asks: who reads HTTPS pages through Winnow reads all."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """``done``: what is set already; ``step``: what its reader does next."""

    done: str
    step: Markup

    @classmethod
    def of(cls, scheme: str, *, opened: bool, target: str = "") -> NextStep:
        """For a request that came through the proxy by ``scheme``; ``opened``: HTTPS is on.

        ``target``: in which window its links open, "" for its own.
        """
        if scheme == "https" and opened:
            text = _("Open any page: {activity} says what was done with each.")
            link = _link(ACTIVITY, _("Activity"), target)
            done = _("✓ This browser reads HTTP and HTTPS pages through Winnow.")
            return cls(done, filled(text, activity=link) if link else link)
        text = _("Most sites use HTTPS. Next step: {link}")
        link = _link("/-/setup#https", _("Read HTTPS pages too"), target)
        if opened:
            link = _link("/-/setup#trust", _("Trust Winnow’s certificate"), target)
        return cls(_("✓ This browser uses Winnow as its proxy."), filled(text, link=link))

    @property
    def words(self) -> str:
        """Its text, a line each."""
        return f"{self.done}\n{self.step.striptags()}"


def next_step(scheme: str, otherwise: Markup, *, opened: bool) -> Markup:
    """What is next, asked by frames where ``scheme`` does not say so.

    ``scheme``: by which the start page itself came through the proxy, "" if it came directly.
    ``otherwise``: what is said where nothing is set.
    """
    if scheme == "https" or (scheme and not opened):
        return _shown(NextStep.of(scheme, opened=opened))
    steps = [NextStep.of(each, opened=opened) for each in _SCHEMES]
    asked = _SCHEMES[:1] if scheme else _SCHEMES
    return _TEMPLATE(
        heights=[*(each.words for each in steps), otherwise.striptags()],
        frames=[Address(f"{each}://{OWN_NAME}{CHECK_PATH}?{NEXT}=1") for each in asked],
        inside=_shown(steps[-1]) if scheme else otherwise,
    )


def step_page(scheme: str, *, opened: bool) -> HtmlPage:
    """What a frame of the start page shows."""
    found = NextStep.of(scheme, opened=opened, target="_top")
    step = Markup("<p>{}</p>").format(found.step)
    return framed_anywhere(bare_page(found.done, step, kind="framed next"))


def _shown(found: NextStep) -> Markup:
    return Markup('<p><span class="good">{}</span><br>\n{}</p>').format(found.done, found.step)


def _link(path: str, text: str, target: str) -> Markup:
    return link_to(path, text, Markup(' target="{}"').format(target) if target else "")
