"""Who changes settings on own pages, and what is told of settings that do not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from winnow.config.errors import ConfigError
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.form_checks import refuse_strange_name, refuse_unless_administrator
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.own.settings_editor import SettingsEditor


@dataclass(frozen=True)
class SettingsAccess:
    """``editor`` is None where nobody can."""

    editor: SettingsEditor | None
    tokens: FormTokens
    administers: Callable[[RequestHead], bool]

    def may(self, head: RequestHead) -> bool:
        """Whether a request is of who may."""
        return self.editor is not None and self.administers(head)

    def editor_for(self, request: OwnRequest) -> SettingsEditor:
        """Raises ClientFaultError for who may not."""
        refuse_strange_name(request)
        refuse_unless_administrator(self.administers(request.head))
        if self.editor is None:
            message = says("These settings cannot be changed here.")
            raise ClientFaultError(message, 409, "fixed-settings")
        return self.editor


@contextmanager
def settings_faults() -> Iterator[None]:
    """Settings that do not hold are told to who changes them. Raises ClientFaultError."""
    try:
        yield
    except ConfigError as error:
        raise ClientFaultError(str(error), 409, "settings") from error


def who(head: RequestHead) -> str:
    """Who changes settings, as their history says it."""
    return head.user or ("this computer" if is_local(head.client) else head.client)
