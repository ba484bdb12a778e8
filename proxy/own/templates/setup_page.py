"""The setup page: guides for each system, switches, and the live check. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from winnow.proxy.own.templates.apple_profile import PROFILE
from winnow.proxy.own.templates.base_page import (
    STYLE,
    HtmlPage,
    listed,
    page_headers,
    sentences,
    styled_page,
)
from winnow.proxy.own.templates.certificates import compared, fingerprint_text
from winnow.proxy.own.templates.command_copy import COPY_SCRIPT, COPY_STYLE, command_part
from winnow.proxy.own.templates.https_form import (
    REMOVAL,
    HttpsState,
    https_part,
    meaning,
    outcome,
    undo_part,
)
from winnow.proxy.own.templates.network_form import NetworkState, network_part
from winnow.proxy.own.templates.pac_file import ListeningAddress
from winnow.proxy.own.templates.setup_check import CHECK, CHECKS_PATH, FRAMES, answers, place
from winnow.proxy.own.templates.setup_guides import GUIDES, Guide, Step, Typed
from winnow.proxy.own.translation import N_, _, filled
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy

_NOTHING_TO_TRUST = N_(
    "Winnow makes its certificate when HTTPS is switched on in step 2. Before, there is none to "
    "trust."
)
_STYLE = STYLE + COPY_STYLE


@dataclass(frozen=True, slots=True)
class SetupView:
    """``through`` is the scheme by which the request came through the proxy, "" if directly.

    ``authority_name``, ``fingerprint``: "" before there is an authority.
    ``replaced``: files of damaged authorities that were set aside. ``https``, ``network``: the
    switches, None for who may not use them. ``done``: the action that led here (``outcome``).
    """

    listener: ListeningAddress
    policy: InterceptionPolicy
    authority_name: str
    fingerprint: str
    through: str = ""
    replaced: Sequence[str] = ()
    https: HttpsState | None = None
    network: NetworkState | None = None
    done: str = ""

    def outcome(self, *shown_here: str) -> Markup:
        """What the last action did, where it is one of these."""
        return outcome(self.done) if self.done in shown_here else Markup("")

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
            view.outcome("off", "undo"),
            _check(view),
            _step_proxy(view),
            _step_https(view),
            _step_trust(view),
            network_part(view.network, view.outcome("closed")) if view.network else Markup(""),
            _meaning(view),
        ]
    )
    page = styled_page(_("Set up Winnow"), main, _STYLE, script=COPY_SCRIPT)
    return page.with_headers(page_headers((*FRAMES, "'self'"), _STYLE, COPY_SCRIPT))


def _check(view: SetupView) -> Markup:
    if view.through == "https":
        inside = answers(view.through, view.policy.opened)
    else:
        inside = Markup(
            '<div class="live">{}<object class="checks" type="text/html" data="{}" aria-label="{}">'
            '<a href="{}">{}</a></object></div>'
        ).format(
            place(view.through, view.policy.opened),
            *(CHECKS_PATH, _("Live check"), CHECKS_PATH, _("Check now")),
        )
    return Markup(
        '<section aria-labelledby="check">\n<h2 id="check">{}</h2>\n{}\n</section>'
    ).format(_(CHECK), inside)


def _step_proxy(view: SetupView) -> Markup:
    text = _(
        "For automatic proxy configuration use {pac}: only pages that Winnow can read go through "
        "it. Otherwise use {host}, port {port}, for HTTP and HTTPS."
    )
    named = {name: Markup("<code>{}</code>").format(text) for name, text in view.names.items()}
    return Markup("<h2>{}</h2>\n<p>{}</p>\n{}{}").format(
        _("1. Use Winnow as the proxy"),
        filled(text, **named),
        _at_once(view),
        _guides(view, "proxy"),
    )


def _at_once(view: SetupView) -> Markup:
    """Where HTTPS can be switched on here: that GNOME and KDE need but one start of the browser."""
    if not view.https or view.through:
        return Markup("")
    text = _(
        "On Linux with GNOME or KDE you can begin with step 2: {command}, which step 3 names, sets "
        "the proxy, too, and the browser is restarted once."
    )
    return Markup("<p>{}</p>\n").format(filled(text, command=Markup("<code>winnow setup</code>")))


def _step_https(view: SetupView) -> Markup:
    return Markup('<h2 id="https">{}</h2>\n{}{}').format(
        _("2. Read HTTPS pages too"),
        view.outcome("again"),
        https_part(view.https) if view.https else _https_as_it_is(view.policy.opened),
    )


def _https_as_it_is(opened: Hosts) -> Markup:
    """For who cannot change it here."""
    state = _("HTTPS interception is off: HTTPS pages pass through encrypted.")
    if opened.every:
        state = _("HTTPS interception is on for all hosts but the exceptions.")
    elif opened:
        state = _("HTTPS interception is on for the hosts that you listed.")
    who = _("Whoever runs Winnow changes it on this page, or in {file}:")
    return meaning() + Markup(
        "\n<p>{}</p>\n<p>{}</p>\n"
        '<pre>[interception]\nhosts = ["*"]            # or ["example.com", "*.example.com"]\n'
        'never = ["my-clinic.example"]</pre>'
    ).format(state, filled(who, file=Markup("<code>winnow.toml</code>")))


def _step_trust(view: SetupView) -> Markup:
    title = _("3. Trust Winnow’s certificate authority")
    body = sentences(_(_NOTHING_TO_TRUST))
    if view.authority_name:
        body = _trusting(view) if view.policy.opened else _not_used(view)
    return Markup('<h2 id="trust">{}</h2>\n{}{}').format(title, view.outcome("on"), body)


def _not_used(view: SetupView) -> Markup:
    """While HTTPS is off: how what was trusted before is removed."""
    text = _(
        "HTTPS is off: no browser has to trust Winnow’s certificate. Where one does, remove "
        "“{name}”:"
    )
    said = sentences(text.format(name=view.authority_name))
    return said + Markup("\n") + _guides(view, "undo") + _replaced(view)


def _trusting(view: SetupView) -> Markup:
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
    return Markup("<p>{}</p>\n<p>{}</p>\n<pre>{}</pre>\n{}{}").format(
        filled(command, command=Markup("<code>winnow setup</code>")),
        filled(compare, link=link, name=view.authority_name),
        fingerprint_text(view.fingerprint),
        compared() + _guides(view, "trust") + _apple(),
        _replaced(view),
    )


def _apple() -> Markup:
    """Apple's profile, for a Wi-Fi network too."""
    text = _(
        "For iPhone, iPad and Mac there is a profile with the certificate. With the name of your "
        "Wi\u2011Fi network it sets that network’s proxy too."
    )
    return Markup(
        '\n<form method="get" action="{}"><p>{}</p>\n<p><label for="network-name">{}</label> '
        '<input id="network-name" name="network" maxlength="32" autocomplete="off"> '
        "<button>{}</button></p></form>\n"
    ).format(PROFILE, text, _("Wi\u2011Fi network (optional)"), _("Download the profile"))


def _replaced(view: SetupView) -> Markup:
    if not view.replaced:
        return Markup("")
    text = _(
        "An earlier authority of this computer was damaged and set aside, and this one is new: "
        "every device that trusted the earlier one must trust this one instead. In Winnow’s data "
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
    parts = {"proxy": guide.proxy, "trust": guide.trust, "undo": (guide.undo,)}
    steps = [_step(step, names) for step in parts[part]]
    if part == "trust":
        steps.append(filled(_("To remove it: {steps}"), steps=_step(guide.undo, names)))
    return tuple(steps)


def _step(step: Step, names: dict[str, str]) -> Markup:
    if isinstance(step, Typed):
        said = escape(_(step.text).format(**names))
        return said + command_part(step.command.format(**names))
    return escape(_(step).format(**names))


def _meaning(view: SetupView) -> Markup:
    undo = undo_part(view.https) if view.https else Markup("")
    head = Markup('<h2 id="{}">{}</h2>\n{}').format(REMOVAL, _("How to remove Winnow"), undo)
    outside = [_("Proxy: open the same settings as in step 1, and switch the proxy off there.")]
    if view.authority_name:
        outside += [
            _("Certificate: the last point of each guide in step 3 says how to remove it."),
            _(
                "Delete the file authority.pem in Winnow’s data folder if you will not read HTTPS "
                "pages with Winnow again: it contains the certificate’s private key."
            ),
        ]
    return Markup("{}\n{}").format(head, listed(tuple(outside)))
