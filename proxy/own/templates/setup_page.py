"""The setup page: guides for each system, and a live check without scripts. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.own.templates.apple_profile import PROFILE
from winnow.proxy.own.templates.base_page import (
    HtmlPage,
    bare_page,
    listed,
    own_page,
    page_headers,
    sentences,
)
from winnow.proxy.own.templates.https_form import HttpsState, https_part, meaning, undo_part
from winnow.proxy.own.templates.network_form import NetworkState, network_part
from winnow.proxy.own.templates.pac_file import ListeningAddress
from winnow.proxy.own.templates.setup_guides import GUIDES, Guide
from winnow.proxy.own.translation import N_, _, filled
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy

CHECK_PATH = "/-/check"
CHECKS_PATH = "/-/setup/checks"
CHECK_SECONDS = 4
"""Seconds after which the live check looks again."""
_YES = N_("✓ Yes, {scheme} goes through Winnow.")
_CHECK = N_("Is this browser using Winnow?")
_FRAMES = (f"http://{OWN_NAME}", f"https://{OWN_NAME}")


@dataclass(frozen=True, slots=True)
class SetupView:
    """``through`` is the scheme by which the request came through the proxy, "" if directly.

    ``replaced``: files of damaged authorities that were set aside. ``https``, ``network``: the
    switches, None for who may not use them.
    """

    listener: ListeningAddress
    policy: InterceptionPolicy
    authority_name: str
    fingerprint: str
    through: str = ""
    replaced: Sequence[str] = ()
    https: HttpsState | None = None
    network: NetworkState | None = None

    @staticmethod
    def base_of(listener: ListeningAddress) -> str:
        """The address of our own pages there."""
        return f"{'https' if listener.tls else 'http'}://{listener.authority}"

    @property
    def names(self) -> dict[str, str]:
        """The values for the names in braces of the guides."""
        return self._names(self.listener)

    @property
    def names_elsewhere(self) -> dict[str, str]:
        """The same for devices of the network, where this machine's address there is known."""
        if self.network is None or not self.network.address:
            return self.names
        host, port = self.network.address, self.network.port
        return self._names(replace(self.listener, host=host, port=port))

    def _names(self, listener: ListeningAddress) -> dict[str, str]:
        base = self.base_of(listener)
        return {
            "host": listener.host,
            "port": str(listener.port),
            "pac": f"{base}/-/proxy.pac",
            "certificate": f"{base}/-/ca.crt",
            "profile": f"{base}{PROFILE}",
            "name": self.authority_name,
        }


def setup_page(view: SetupView) -> HtmlPage:
    """The whole page, in the order in which a new user needs it."""
    main = Markup("\n").join(
        [
            _check(view),
            _step_proxy(view),
            _step_https(view),
            _step_trust(view),
            network_part(view.network) if view.network else Markup(""),
            _meaning(view),
        ]
    )
    headers = page_headers((*_FRAMES, "'self'"))
    return own_page(_("Set up Winnow"), main).with_headers(headers)


def checks_page(through: str = "") -> HtmlPage:
    """The live check, which loads itself again; ``through`` as in ``SetupView``."""
    page = bare_page(_(_CHECK), _answers(through), kind="framed checks")
    policy = page_headers(_FRAMES)["Content-Security-Policy"]
    framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    return page.with_headers(
        {**page.headers, "Content-Security-Policy": framed, "Refresh": str(CHECK_SECONDS)}
    )


def check_page(scheme: str) -> HtmlPage:
    """Shown only through the proxy. It may be framed, since it reveals nothing else."""
    page = bare_page(_(_YES).format(scheme=scheme.upper()), Markup(""), kind="framed")
    policy = page.headers["Content-Security-Policy"]
    return page.with_headers(
        {"Content-Security-Policy": policy.replace("frame-ancestors 'none'", "frame-ancestors *")}
    )


def _check(view: SetupView) -> Markup:
    if view.through == "https":
        inside = _answers(view.through)
    else:
        inside = Markup(
            '<object class="checks" type="text/html" data="{}" aria-label="{}">'
            '<a href="{}">{}</a></object>\n<p class="quiet">{}</p>'
        ).format(
            CHECKS_PATH,
            _("Live check"),
            CHECKS_PATH,
            _("Check now"),
            _("It checks again every {seconds} seconds.").format(seconds=CHECK_SECONDS),
        )
    return Markup(
        '<section aria-labelledby="check">\n<h2 id="check">{}</h2>\n{}\n</section>'
    ).format(_(_CHECK), inside)


def _answers(through: str) -> Markup:
    return Markup(
        "<table>\n<tr><th scope=row>HTTP</th><td>{}</td></tr>\n"
        "<tr><th scope=row>HTTPS</th><td>{}</td></tr>\n</table>"
    ).format(
        _answer("http", bool(through), _("No: this browser does not use Winnow as its proxy.")),
        _answer(
            "https",
            through == "https",
            _("No: the proxy is not set, or its certificate authority is not trusted yet."),
        ),
    )


def _answer(scheme: str, passed: bool, otherwise: str) -> Markup:
    if passed:
        return Markup('<span class="good">{}</span>').format(_(_YES).format(scheme=scheme.upper()))
    return Markup('<object type="text/html" data="{}" aria-label="{}">{}</object>').format(
        f"{scheme}://{OWN_NAME}{CHECK_PATH}",
        _("Answer for {scheme}").format(scheme=scheme.upper()),
        otherwise,
    )


def _step_proxy(view: SetupView) -> Markup:
    text = _(
        "For automatic proxy configuration use {pac}: only pages that Winnow can read go through "
        "it. Otherwise use {host}, port {port}, for HTTP and HTTPS."
    )
    named = {name: Markup("<code>{}</code>").format(text) for name, text in view.names.items()}
    return Markup("<h2>{}</h2>\n<p>{}</p>\n{}").format(
        _("1. Use Winnow as the proxy"), filled(text, **named), _guides(view, "proxy")
    )


def _step_https(view: SetupView) -> Markup:
    return Markup('<h2 id="https">{}</h2>\n{}').format(
        _("2. Read HTTPS pages too"),
        https_part(view.https) if view.https else _https_as_it_is(view.policy.opened),
    )


def _https_as_it_is(opened: Hosts) -> Markup:
    """For who cannot change it here."""
    state = _("HTTPS interception is off: HTTPS pages pass through encrypted.")
    if opened.every:
        state = _("HTTPS interception is on for all hosts but the exceptions.")
    elif opened.exact or opened.below:
        state = _("HTTPS interception is on for the hosts that you listed.")
    who = _("Whoever runs Winnow changes it on this page, or in {file}:")
    return meaning() + Markup(
        "\n<p>{}</p>\n<p>{}</p>\n"
        '<pre>[interception]\nhosts = ["*"]            # or ["example.com", "*.example.com"]\n'
        'never = ["my-clinic.example"]</pre>'
    ).format(state, filled(who, file=Markup("<code>winnow.toml</code>")))


def _step_trust(view: SetupView) -> Markup:
    command = _(
        "On Linux, {command} in a terminal does this and sets the proxy, for Chromium, Firefox, "
        "GNOME and KDE."
    )
    compare = _(
        "{link} of “{name}”. It was created on this computer, and its key never leaves it. Before "
        "you trust it, compare the SHA-256 fingerprint:"
    )
    link = Markup('<a href="/-/ca.crt" download="winnow-ca.crt">{}</a>').format(
        _("Download the certificate")
    )
    return Markup('<h2 id="trust">{}</h2>\n<p>{}</p>\n<p>{}</p>\n<pre>{}</pre>\n{}{}').format(
        _("3. Trust Winnow's certificate authority"),
        filled(command, command=Markup("<code>winnow setup</code>")),
        filled(compare, link=link, name=view.authority_name),
        view.fingerprint,
        _guides(view, "trust") + _apple(),
        _replaced(view),
    )


def _apple() -> Markup:
    """Apple's profile, for a Wi-Fi network too."""
    text = _(
        "For iPhone, iPad and Mac there is a profile with the certificate. With the name of your "
        "Wi-Fi network it sets that network's proxy too."
    )
    return Markup(
        '\n<form method="get" action="{}"><p>{}</p>\n<p><label for="network-name">{}</label> '
        '<input id="network-name" name="network" maxlength="32" autocomplete="off"> '
        "<button>{}</button></p></form>\n"
    ).format(PROFILE, text, _("Wi-Fi network (optional)"), _("Download the profile"))


def _replaced(view: SetupView) -> Markup:
    if not view.replaced:
        return Markup("")
    text = _(
        "An earlier authority of this computer was damaged and set aside, and this one is new: "
        "every device that trusted the earlier one must trust this one instead. In Winnow's data "
        "folder: {files}."
    )
    return sentences(text.format(files=", ".join(view.replaced)))


def _guides(view: SetupView, part: str) -> Markup:
    here, elsewhere = view.names, view.names_elsewhere
    return Markup("\n").join(
        Markup("<details><summary>{}</summary>\n{}\n</details>").format(
            _(guide.system),
            listed(_steps(guide, part, elsewhere if guide.is_elsewhere else here), ordered=True),
        )
        for guide in GUIDES
    )


def _steps(guide: Guide, part: str, names: dict[str, str]) -> tuple[Markup, ...]:
    steps = [_(step) for step in (guide.proxy if part == "proxy" else guide.trust)]
    if part != "proxy":
        steps.append(_("To remove it: {steps}").replace("{steps}", _(guide.undo)))
    return tuple(escape(step.format(**names)) for step in steps)


def _meaning(view: SetupView) -> Markup:
    undo = undo_part(view.https) if view.https else Markup("")
    outside = _(
        "Remove the proxy from your system's settings, and remove the certificate authority:"
    )
    key = _(
        "The file authority.pem in Winnow's data folder contains its key: without it no "
        "certificate can be signed any more."
    )
    return Markup("<h2>{}</h2>\n{}\n{}\n{}").format(
        _("How to remove Winnow"),
        undo,
        sentences(outside),
        listed((_("Each guide above ends with the steps to remove it."), key)),
    )
