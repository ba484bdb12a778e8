"""What one program refuses holds for it alone, lapses, and is forgotten when it trusts us."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta

import pytest

from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import LAPSE
from winnow.proxy.tls.pinning import REFUSALS_AFTER_ACCEPTANCE, PinningDetector, TlsClient

NOW = datetime(2026, 11, 22, 6, 0, tzinfo=UTC)
BROWSER, GIT = TlsClient("127.0.0.1", "browser"), TlsClient("127.0.0.1", "git")
OTHER = TlsClient("192.0.2.7", "browser")
HOST = "site.test"


def alert() -> ssl.SSLError:
    error = ssl.SSLError()
    error.reason = "TLSV1_ALERT_UNKNOWN_CA"
    return error


@pytest.fixture
def clock() -> list[datetime]:
    return [NOW]


@pytest.fixture
def lessons(clock: list[datetime]) -> PinningDetector:
    return PinningDetector(NotifyingChoices(), now=lambda: clock[0])


async def test_a_refusal_concerns_the_program_that_refused(lessons: PinningDetector) -> None:
    await lessons.failed(GIT, HOST, alert())
    assert lessons.passes(GIT, HOST)
    assert not lessons.passes(BROWSER, HOST)
    assert not lessons.passes(GIT._replace(address="192.0.2.7"), HOST)
    assert not lessons.passes(GIT, "other.test")


async def test_it_lapses(lessons: PinningDetector, clock: list[datetime]) -> None:
    await lessons.failed(GIT, HOST, alert())
    clock[0] = NOW + LAPSE - timedelta(minutes=1)
    assert lessons.passes(GIT, HOST)
    clock[0] = NOW + LAPSE
    assert not lessons.passes(GIT, HOST)


async def test_who_took_the_host_s_certificate_must_refuse_repeatedly(
    lessons: PinningDetector,
) -> None:
    await lessons.accepted(BROWSER, HOST)
    for _ in range(REFUSALS_AFTER_ACCEPTANCE - 1):
        await lessons.failed(BROWSER, HOST, alert())
    assert not lessons.passes(BROWSER, HOST)
    await lessons.accepted(BROWSER, HOST)
    await lessons.failed(BROWSER, HOST, alert())
    assert not lessons.passes(BROWSER, HOST)
    for _ in range(REFUSALS_AFTER_ACCEPTANCE - 1):
        await lessons.failed(BROWSER, HOST, alert())
    assert lessons.passes(BROWSER, HOST)


async def test_a_green_check_forgets_what_that_program_refused(lessons: PinningDetector) -> None:
    await lessons.accepted(BROWSER, "another.test")
    for client in (BROWSER, GIT, OTHER):
        await lessons.failed(client, HOST, alert())
    await lessons.accepted(BROWSER, "winnow.internal")
    assert lessons.passes(BROWSER, HOST)  # it had accepted others: it may pin this host
    await lessons.checked("127.0.0.1")
    assert not lessons.passes(BROWSER, HOST)
    assert lessons.passes(GIT, HOST)
    assert lessons.passes(OTHER, HOST)


async def test_trusting_the_authority_forgets_what_was_refused_before_it(
    lessons: PinningDetector,
) -> None:
    await lessons.failed(BROWSER, HOST, alert())
    await lessons.failed(GIT, HOST, alert())
    await lessons.accepted(BROWSER, "winnow.internal")
    assert not lessons.passes(BROWSER, HOST)
    assert lessons.passes(GIT, HOST)


async def test_our_own_name_is_never_given_up(lessons: PinningDetector) -> None:
    for _ in range(5):
        await lessons.failed(GIT, "winnow.internal", alert())
    assert not lessons.passes(GIT, "winnow.internal")
    assert not lessons.store.now.passed
