"""What can go wrong with a browser."""

from __future__ import annotations


class ChromiumError(Exception):
    """The browser refused, was late, or has ended. The message is a sentence."""


class NoChromiumError(ChromiumError):
    """No browser is installed."""


class NoSandboxError(ChromiumError):
    """The browser cannot keep a page's scripts apart from this computer here."""


_SANDBOX = ("sandbox", "namespace", "chroot", "zygote")


def names_sandbox(text: str) -> bool:
    """Whether what a browser says is about its sandbox."""
    return any(word in text.lower() for word in _SANDBOX)
