"""The setup guide, its certificate and PAC file, and the checks that the proxy is used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from winnow.features.setup.devices.apple_profile import (
    PROFILE,
    PROFILE_TYPE,
    apple_profile,
    signed_proxy,
)
from winnow.features.setup.devices.network_switch import NETWORK, NetworkSwitch
from winnow.features.setup.https_switch import SWITCH, HttpsSwitch
from winnow.features.setup.next_step import NEXT, step_page
from winnow.features.setup.pac_file import NOWHERE, proxy_pac
from winnow.features.setup.setup_check import CHECKS_PATH, check_page, checks_page
from winnow.features.setup.setup_guides import system_of
from winnow.features.setup.setup_page import SetupView, setup_page
from winnow.proxy.access.credentials.same_origin import host_name
from winnow.proxy.access.own_addresses import WPAD
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import N_, says
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.page_parameters import scheme_of
from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy
from winnow.proxy.tls.lazy_authority import LazyAuthority

if TYPE_CHECKING:
    from winnow.proxy.tls.authority import Authority


_NOT_YET: Final = N_(
    "There is no certificate yet: Winnow makes it when HTTPS is switched on, at /-/setup."
)


async def nobody_checks(_client: str) -> None:
    """For a proxy that intercepts nothing."""


@dataclass(frozen=True)
class SetupGuide:
    """The pages that set a browser up. ``listener`` returns the proxy's address."""

    keys: LazyAuthority
    policy: InterceptionPolicy
    listener: Callable[[], ListeningAddress]
    checked: Callable[[str], Awaitable[None]] = nobody_checks
    """Called with the address of each client that passed the certificate check."""
    switch: HttpsSwitch | None = None
    network: NetworkSwitch | None = None
    direct: Hosts = NOWHERE
    """Those that its automatic configuration leaves to the browser."""

    def pages(self) -> Mapping[str, OwnPage]:
        """The pages by path."""
        return {
            "/-/setup": self.setup,
            CHECKS_PATH: self.checks,
            **({SWITCH: self.switch} if self.switch else {}),
            **({NETWORK: self.network} if self.network else {}),
            "/-/check": self.check,
            "/-/proxy.pac": self.pac,
            WPAD: self.discovered,
            "/-/ca.crt": self.certificate,
            PROFILE: self.profile,
        }

    async def setup(self, request: OwnRequest) -> OwnResponse:
        """``/-/setup``: the setup guide."""
        only(request, "GET", "HEAD")
        authority = await self._authority()
        listener = self._reached(request)
        view = SetupView(
            listener,
            self.policy,
            authority.name if authority else "",
            authority.fingerprint if authority else "",
            scheme_of(request),
            await self.keys.set_aside_files(),
            self.switch.state(request) if self.switch else None,
            self.network.state(request) if self.network else None,
            request.query.get("done", ""),
            system_of(request.head.headers.get("user-agent")),
        )
        return shown(setup_page(view))

    async def checks(self, request: OwnRequest) -> OwnResponse:
        """``/-/setup/checks``: the live check, in a frame of the guide."""
        only(request, "GET", "HEAD")
        return shown(checks_page(scheme_of(request), self.policy.opened))

    async def check(self, request: OwnRequest) -> OwnResponse:
        """``/-/check``: reached through the proxy only; with ``next`` it says what is next."""
        only(request, "GET", "HEAD")
        scheme = scheme_of(request)
        if not scheme:
            raise ClientFaultError(says("This page is only available through the proxy."), 404)
        if scheme == "https":
            await self.checked(request.head.client)
        opened = self.policy.opened
        if NEXT in request.query:
            return shown(step_page(scheme, opened=bool(opened)))
        return shown(check_page(scheme, opened))

    async def pac(self, request: OwnRequest) -> OwnResponse:
        """``/-/proxy.pac``."""
        only(request, "GET", "HEAD")
        text = proxy_pac(self._reached(request), self.policy, self.direct)
        return OwnResponse(text.encode(), "application/x-ns-proxy-autoconfig")

    async def discovered(self, request: OwnRequest) -> OwnResponse:
        """The same where the network names this computer ``wpad`` (Web Proxy Auto-Discovery)."""
        if host_name(request.head.headers.get("host")).partition(".")[0] != "wpad":
            raise ClientFaultError(says("Winnow has no page {path}.", path=WPAD), 404, "not-found")
        return await self.pac(request)

    async def certificate(self, request: OwnRequest) -> OwnResponse:
        """``/-/ca.crt``: the authority's certificate as PEM."""
        only(request, "GET", "HEAD")
        authority = await self._trusted()
        return file_response(authority.pem, "application/x-x509-ca-cert", "winnow-ca.crt")

    async def profile(self, request: OwnRequest) -> OwnResponse:
        """``/-/winnow.mobileconfig``: Apple's profile; ``?network=`` names a Wi-Fi network."""
        only(request, "GET", "HEAD")
        authority = await self._trusted()
        reached, network = self._reached(request), request.query.get("network", "")
        pac = f"{SetupView.base_of(reached)}/-/proxy.pac"
        signed = signed_proxy(request.head, reached.host, reached.port)
        profile = apple_profile(authority.pem, authority.name, network, pac, signed)
        return file_response(profile, PROFILE_TYPE, "winnow.mobileconfig")

    async def _authority(self) -> Authority | None:
        """None before HTTPS was ever switched on: only who consented gets an authority."""
        return await (self.keys.authority() if self.policy.opened else self.keys.existing())

    async def _trusted(self) -> Authority:
        """Raises ClientFaultError where there is no certificate to trust yet."""
        authority = await self._authority()
        if authority is None:
            raise ClientFaultError(_NOT_YET, 404, "no-certificate")
        return authority

    def _reached(self, request: OwnRequest) -> ListeningAddress:
        """The listener's address as this client reaches it, by the name in ``Host`` if direct; of
        a person (features.people) by the port too."""
        listener = self.listener()
        host = request.head.headers.get("host")
        if scheme_of(request) or not host:
            return listener
        name, port = host_name(host), number(host.rpartition(":")[2])
        of_a_person = (request.head.user or request.head.names) and name in (
            "127.0.0.1",
            "localhost",
        )
        at = port if of_a_person and port else listener.port
        return ListeningAddress(name, at, listener.tls)
