"""Spans of requests: what a collector gets, whose trace they are of, and no reader in them."""

from __future__ import annotations

import asyncio
import gzip
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.proxy.origins import Origin, ask, get, html, reply, serving
from tests.winnow.conftest import PAGE
from winnow.compose.running import running
from winnow.config.server_settings import ClientAddressSource
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import load
from winnow.feature_contract import checks
from winnow.feature_list import EXTRAS, FEATURES, sections_of
from winnow.features.tracing import FEATURE
from winnow.features.tracing.spans import Spans
from winnow.proxy.observability.events import CacheConsulted, RequestAnswered

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"
CHECKS = list(checks(FEATURE))
EVENT = RequestAnswered(
    *("GET", 200, "extracted", "article", CacheConsulted.MISS),
    *(0.25, 0.5, 1.0, 1000),
    number="a-1",
    trace=PARENT,
)


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


def test_it_is_off_where_nobody_names_it() -> None:
    assert FEATURE not in FEATURES
    assert EXTRAS["tracing"] is FEATURE


def spans_of(event: RequestAnswered, trusts: bool) -> list[ReadableSpan]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    Spans(provider.get_tracer("winnow"), trusts)(event)
    return list(exporter.get_finished_spans())


def test_the_stages_lie_within_the_request_one_after_the_other() -> None:
    fetch, extract, whole = spans_of(EVENT, trusts=False)
    assert [each.name for each in (fetch, extract, whole)] == ["fetch", "extract", "GET"]
    assert all(
        each.parent and each.parent.span_id == whole.context.span_id for each in (fetch, extract)
    )
    times = [(each.start_time or 0, each.end_time or 0) for each in (whole, fetch, extract)]
    (begin, end), (fetched_from, fetched_to), (extracted_from, extracted_to) = times
    assert (begin, fetched_to) == (fetched_from, extracted_from)
    assert extracted_to <= end


@pytest.mark.parametrize("trusts", [False, True])
def test_a_trace_goes_on_where_a_trusted_proxy_began_it(trusts: bool) -> None:
    *_, whole = spans_of(EVENT, trusts)
    assert (f"{whole.context.trace_id:032x}" == TRACE) is trusts
    assert (whole.parent is not None) is trusts


def test_words_of_a_client_are_no_name_of_a_span() -> None:
    *_, whole = spans_of(replace(EVENT, method="ANN-AT-HOME", trace="no trace"), trusts=True)
    assert (whole.name, dict(whole.attributes or {})["http.request.method"]) == ("_OTHER",) * 2


async def test_a_collector_gets_the_spans_of_a_running_winnow(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, serving(Origin(usual=reply(b""))) as collector:
        origin.replies["/story"] = html(PAGE.encode())
        async with running(traced(tmp_path, collector.url("/v1/traces"))) as proxy:
            request = get(
                origin.url("/story"), "X-Forwarded-For: 198.51.100.7", f"traceparent: {PARENT}"
            )
            assert (await ask(proxy.port, request)).status == 200
        assert b"traceparent" not in origin.requests[0].lower()
    bodies = [
        gzip.decompress(one) if one.startswith(b"\x1f\x8b") else one for one in collector.bodies
    ]
    told = ExportTraceServiceRequest.FromString(b"".join(bodies))
    spans = [
        each for one in told.resource_spans for scope in one.scope_spans for each in scope.spans
    ]
    assert {each.trace_id.hex() for each in spans} == {TRACE}
    (whole,) = (each for each in spans if each.name == "GET")
    assert whole.parent_span_id.hex() == SPAN
    for secret in ("198.51.100.7", "127.0.0.1", "/story", str(origin.port)):
        assert secret not in str(told), secret


def traced(folder: Path, endpoint: str) -> Settings:
    given = {
        "WINNOW_FEATURES__ENABLED": "tracing",
        "WINNOW_TRACING__ENDPOINT": endpoint,
        "WINNOW_SERVER__TRUSTED_PROXIES": "127.0.0.1",
        "WINNOW_SERVER__CLIENT_ADDRESS": ClientAddressSource.X_FORWARDED_FOR.value,
        "WINNOW_ACCESS__OPEN_TO": "198.51.100.0/24",
        "WINNOW_ACCESS__PRIVATE_ADDRESSES": "everyone",
        "WINNOW_EXTRACTION__EXTRACTOR": "bte",
        "WINNOW_STORAGE__FOLDER": str(folder),
    }
    settings = load(environment=given, of_features=sections_of).settings
    return replace(settings, server=replace(settings.server, port=0))


def test_nothing_of_it_is_imported_where_it_is_off() -> None:
    """The start pays nothing for it."""
    assert asyncio.run(_imported()) == ""


async def _imported() -> str:
    program = (
        "import sys, winnow.compose.running; print(*(n for n in sys.modules if 'opentel' in n))"
    )
    both = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=both)
    return (await process.communicate())[0].decode().strip()
