"""A span for each request that was answered, with its stages; no address, no host and no client.

Ids are of W3C's Trace Context; a ``traceparent`` counts where a trusted proxy sent it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from opentelemetry.context import Context as SpanContext
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio
from opentelemetry.trace import SpanKind, Tracer, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from winnow.balancers import names_clients_by_field
from winnow.feature import Context
from winnow.features.tracing.settings import TracingSettings
from winnow.proxy.observability.events import Event, Observer, RequestAnswered

METHODS: Final = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_W3C: Final = TraceContextTextMapPropagator()


@dataclass(frozen=True)
class Spans:
    """An Observer. ``trusts``: whether a request's ``traceparent`` is a trusted proxy's."""

    tracer: Tracer
    trusts: bool = False

    def __call__(self, event: Event) -> None:
        if not isinstance(event, RequestAnswered):
            return
        method = event.method if event.method in METHODS else "_OTHER"
        end = time.time_ns()
        begin = end - int(event.total * 1e9)
        parent = _W3C.extract({"traceparent": event.trace} if self.trusts else {}, SpanContext())
        span = self.tracer.start_span(
            method,
            parent,
            SpanKind.SERVER,
            {
                "http.request.method": method,
                "http.response.status_code": event.status,
                "http.response.body.size": event.sent,
                "winnow.action": event.action,
                "winnow.reason": event.reason,
                "winnow.cache": str(event.cached),
                "winnow.request": event.number,
            },
            start_time=begin,
        )
        for name, seconds in (("fetch", event.fetch), ("extract", event.extract)):
            if seconds is not None:
                stage = self.tracer.start_span(name, set_span_in_context(span), start_time=begin)
                begin += int(seconds * 1e9)
                stage.end(begin)
        span.end(end)


def provider(context: Context) -> TracerProvider:
    """What sends spans to the collector, in a thread."""
    settings = context.settings.of(TracingSettings)
    made = TracerProvider(
        ParentBasedTraceIdRatio(settings.share),
        Resource.create({"service.name": "winnow", "service.version": version("winnow-proxy")}),
        shutdown_on_exit=False,
    )
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(settings.endpoint)))
    return made


def observers(context: Context) -> Sequence[Observer]:
    tracer = context.once(provider).get_tracer("winnow")
    return (Spans(tracer, names_clients_by_field(context.settings.server)),)


async def until_ended(context: Context) -> None:
    """Send what is left when the settings change or the server ends."""
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.to_thread(context.once(provider).shutdown)
