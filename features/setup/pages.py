"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.config.sources.source_precedence import Loaded, fixed_origin
from winnow.feature import Context
from winnow.features.setup import SetupSettings
from winnow.features.setup.devices.device_offers import PAIR, DeviceOffers, PairPage
from winnow.features.setup.devices.network_switch import USER, NetworkSwitch
from winnow.features.setup.front import Home
from winnow.features.setup.https_switch import HttpsSwitch
from winnow.features.setup.setup_guide import SetupGuide
from winnow.proxy.access.credentials.terminal_codes import TerminalCodes
from winnow.proxy.own.listening_place import ListeningPlace
from winnow.proxy.own.router import OwnPage
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.server.network_address import network_address
from winnow.proxy.stores.site_choice import SiteMode
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.pinning import PinningDetector


def pages(context: Context) -> Mapping[str, OwnPage]:
    place = context.of(ListeningPlace)
    choices, keys = context.choices, context.of(LazyAuthority)
    network = _network_switch(context)
    https = HttpsSwitch(
        context.find(SettingsEditor),
        choices,
        keys,
        context.tokens,
        context.administers,
        context.settings.interception.hosts,
        fixed_origin(context.of(Loaded).origins, "interception.hosts"),
        network,
    )
    direct = Hosts.of(context.settings.of(SetupSettings).direct)
    interception, checked = context.of(InterceptionPolicy), context.of(PinningDetector).checked
    guide = SetupGuide(keys, interception, place.listener, checked, https, network, direct)

    def left_alone(owner: str) -> tuple[str, ...]:
        """The sites that Winnow never changes for an owner."""
        sites = choices.now.of(owner).sites
        return tuple(site for site, each in sites.items() if each.mode is SiteMode.NEVER)

    home = Home(context.annotates, https.state, left_alone, bool(interception.opened))
    return {"/": home, PAIR: PairPage(context.of(DeviceOffers)), **guide.pages()}


def _network_switch(context: Context) -> NetworkSwitch:
    place = context.of(ListeningPlace)
    users = {line.partition(":")[0] for line in context.settings.access.users}
    return NetworkSwitch(
        context.find(SettingsEditor),
        context.find(TerminalCodes),
        context.tokens,
        context.administers,
        place.listener,
        lambda: place.network or network_address(),
        USER in users,
        fixed_origin(context.of(Loaded).origins, "server.host"),
        context.of(DeviceOffers) if context.settings.server.processes == 1 else None,
    )
