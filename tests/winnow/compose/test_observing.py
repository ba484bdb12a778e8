"""A running proxy tells of its work: metrics for programs, the status for people."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from prometheus_client.parser import text_string_to_metric_families

from tests.proxy.origins import Answer, Origin, ask, get, html, reply, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Settings

BROWSER = "Accept: text/html,*/*;q=0.8"
SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge. "
ARTICLE = f"<title>The flood</title><h1>The flood</h1>{f'<p>{SENTENCE * 5}</p>' * 8}".encode()


def settings() -> Settings:
    plain = Settings()
    extraction = replace(UNHURRIED, extractor="bte")
    return replace(plain, server=replace(plain.server, port=0), extraction=extraction)


async def own(proxy: Running, path: str, method: str = "GET") -> Answer:
    return await ask(
        proxy.port, f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n".encode()
    )


async def figures(proxy: Running) -> dict[tuple[str, ...], float]:
    """Name and labels' values to value."""
    text = (await own(proxy, "/-/metrics")).body.decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_what_happens_is_counted() -> None:
    async with serving(Origin()) as origin, running(settings()) as proxy:
        origin.replies["/story"] = html(ARTICLE, "Cache-Control: max-age=60")
        origin.replies["/file"] = reply(b"x" * 1000, "Content-Type: image/png")
        for _ in range(2):
            await ask(proxy.port, get(origin.url("/story"), BROWSER))
        await ask(proxy.port, get(origin.url("/file")))
        await ask(proxy.port, get("http://127.0.0.1:1/", BROWSER))
        known = await figures(proxy)
        assert known["winnow_requests_total", "extracted", "page"] == 2
        assert known["winnow_requests_total", "original", "not-html"] == 1
        assert known["winnow_requests_total", "original", "origin-unreachable"] == 1
        assert known["winnow_cache_lookups_total", "hit"] == 1
        assert known["winnow_body_bytes_total", "in"] == len(ARTICLE) + 1000
        assert known["winnow_saved_bytes_total", "cache"] == len(ARTICLE)
        assert known["winnow_upstream_errors_total", "origin-unreachable"] == 1
        assert known["winnow_stage_seconds_count", "extract"] == 2
        assert known["winnow_pool_workers",] == 1
        assert known["winnow_renderings_bytes",] > 0
        assert known["winnow_cache_memory_bytes",] > len(ARTICLE)
        assert known["process_resident_memory_bytes",] > 0


async def test_the_status_page_is_whole_and_asks_for_itself_again() -> None:
    async with running(settings()) as proxy:
        shown = await own(proxy, "/-/status")
        assert shown.status == 200
        assert b"<svg" not in shown.body, "a chart of nothing"
        assert shown.field("refresh") == "10"
        assert b"Extraction processes</th><td>1" in shown.body
        assert b"The version that runs" not in shown.body  # what only programs ask for
        HTMLParser().feed(shown.body.decode())


async def test_only_reading_is_possible() -> None:
    async with running(settings()) as proxy:
        for path in ("/-/metrics", "/-/status"):
            assert (await own(proxy, path, "POST")).status == 405
