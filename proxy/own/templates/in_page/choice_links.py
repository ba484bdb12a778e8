"""The addresses of our own pages that stand in a page of a site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote_plus

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.checked_values import Address
from winnow.proxy.own.templates.choice_forms import (
    ORIGINAL_PATH,
    PATH,
    READ_PATH,
    UNDO_PATH,
    ChoiceAction,
    ChoiceRequest,
    fields_of,
)


@dataclass(frozen=True, slots=True)
class ChoiceLinks:
    """The addresses of our own pages that stand in a page of a site.

    ``base`` is the origin of our own pages, such as ``https://winnow.internal``. ``gateway``: the
    page is shown under that very origin, so that its original has an address there.
    """

    base: str = ""
    gateway: bool = False

    @classmethod
    def of(cls, url: str, prefix: str) -> ChoiceLinks:
        """Links for a page; by the page's own scheme, so that its origin is sent with them."""
        base = prefix.rstrip("/") or f"{url.partition(':')[0]}://{OWN_NAME}"
        return cls(base, gateway=bool(prefix))

    def target(self) -> str:
        """The address of the confirmation page."""
        return f"{self.base}{PATH}"

    def confirm(self, choice: ChoiceRequest) -> str:
        """The address of the confirmation page for ``choice``."""
        return f"{self.target()}?{_query(fields_of(choice))}"

    def original(self, page: str) -> str:
        """The address that shows ``page`` as its site sends it."""
        return self._view(page, ORIGINAL_PATH, RequestMode.ORIGINAL)

    def read(self, page: str) -> str:
        """The address that shows ``page`` extracted."""
        return self._view(page, READ_PATH, RequestMode.EXTRACT)

    def back(self, page: str) -> str:
        """The address that shows ``page`` as it was before its original."""
        if self.gateway:
            return f"{self.base}/-/read?{_query({'url': page})}"
        return self.read(page)

    def undo(self, page: str) -> str:
        """The address that takes back *never* or *always* for the site, chosen on ``page``."""
        return f"{self.base}{UNDO_PATH}?{_query({'page': page})}"

    def _view(self, page: str, path: str, mode: RequestMode) -> str:
        if self.gateway:
            return f"{self.base}/-/read?{_query({'url': page, 'mode': mode.value})}"
        return f"{self.base}{path}?{_query({'page': page})}"

    def why(self, page: str, mode: RequestMode = RequestMode.AUTO) -> str:
        """The address of the page about what was removed, and why; ``mode``: how it is shown."""
        return self.own("/-/why", page, **({} if mode is RequestMode.AUTO else {"mode": mode}))

    def own(self, path: str, page: str, **fields: str) -> str:
        """The address of an own page about ``page``."""
        return f"{self.base}{path}?{_query({'url': page, **fields})}"

    def looks_target(self) -> Address:
        """The address that stores the appearance."""
        return Address(f"{self.base}/-/settings/reading")

    def looks(self, page: str) -> str:
        """The address of the appearance settings, with a link back to ``page``."""
        return f"{self.looks_target()}?{_query({'back': page})}"

    def undo_looks(self, page: str) -> str:
        """The address that takes back what was just kept on ``page``."""
        return f"{self.looks_target()}?{_query({'undo': '1', 'back': page})}"

    def later(self, page: str) -> str:
        """The address that saves ``page`` to be read later, by a click on the page at once."""
        return self.own("/-/save", page, now="1")

    def unsave(self, page: str) -> str:
        """The address that takes that back."""
        return self.own("/-/save", page, undo="1")

    def options(self, page: str) -> str:
        """The address of all that can be done with ``page``."""
        return f"{self.base}/-/options?{_query({'url': page})}"

    def activity(self) -> str:
        """The address of the list of the pages opened last."""
        return f"{self.base}/-/activity"

    def settings(self) -> str:
        """The address of the settings."""
        return f"{self.base}/-/settings"


def private_question(page: str, prefix: str) -> str:
    """The address that asks whether a page in the reader's own network is meant."""
    choice = ChoiceRequest(ChoiceAction.PRIVATE, page)
    return ChoiceLinks.of(page, prefix).confirm(choice)


def _query(fields: Mapping[str, str]) -> str:
    return "&".join([f"{name}={quote_plus(value)}" for name, value in fields.items()])
