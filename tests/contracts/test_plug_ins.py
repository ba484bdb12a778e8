"""A stranger's filter works behind every method, has a panel, and reads what it declares of the
request; a stranger's renderer writes a format of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import winnow
from tests.contracts.plug_ins import stranger
from tests.engine.fingerprints import fingerprint
from tests.programs import require_program
from tests.proxy.app.pages import PipelineTransform
from tests.proxy.origins import Origin, ask, get, html, serving
from tests.proxy.proxies import FakeTransform, proxying
from winnow.cli import main
from winnow.document.document import Document
from winnow.document.values import Format, Page, Recipe
from winnow.engine.method_parameters import parameters_of
from winnow.engine.named_extractor import identify
from winnow.engine.pipeline import extracted, transform
from winnow.extractors import registry
from winnow.extractors.errors import ParameterError
from winnow.features.site.parameter_fields import parameter_fields, with_parameters
from winnow.jobs.codec import pack_job, unpack_job
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.rendering_key import ExtractorIdentity, memory_key, stored_key
from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.http.headers import Headers
from winnow.transforms.method_inputs import MethodInputsTransform

__all__ = ["stranger"]
pytestmark = pytest.mark.usefixtures("stranger")
LONG = "The river rose in the night, and by morning the whole village stood on the bridge. "
BODY = f"<title>Flood</title><article><h1>Flood</h1>{f'<p>{LONG * 3}' * 5}<p>Read on<p>{LONG * 3}"
PAGE = Page(BODY.encode(), "https://a.example/story")


def kept(name: str, page: Page = PAGE) -> str:
    document = Document.parse(page)
    _, found = extracted(document, Recipe(name))
    return " ".join(document.plain(span.start, span.end) for span in found.spans)


@pytest.mark.parametrize("name", registry.names())
def test_a_filter_works_behind_every_method(name: str) -> None:
    if name == "vips":
        require_program("chromium")
    without = kept(f"{name}:filters=short-lines")
    assert "Read on" not in without
    assert LONG.strip() in without or LONG.strip() not in kept(name)
    assert "Read on" in kept("plain")
    assert (
        winnow.extract(PAGE.body, extractor=f"{name}:filters=short-lines").text.count("Read") == 0
    )


def test_its_parameters_are_those_that_it_declares() -> None:
    assert "Read on" in kept("plain:filters=short-lines:least:1")
    plain, other = (registry.make(f"plain:filters=short-lines:least:{n}") for n in (1, 2))
    assert plain.fingerprint != other.fingerprint
    assert registry.make(plain.name) == plain
    assert registry.make("plain:short-lines=true,short-lines.least=1") == plain
    assert registry.make("plain:short-lines=false,short-lines.least=1") == registry.make("plain")
    for wrong in ("short-lines:most:1", "short-lines:least:x", "short-lines:least", "no-lines"):
        with pytest.raises(ParameterError):
            registry.make(f"plain:filters={wrong}")


def test_the_check_undoes_what_would_take_all() -> None:
    document = Document.parse(PAGE)
    _, found = extracted(document, Recipe("plain:filters=short-lines:least:50"))
    assert "the filter short-lines was undone" in found.reasons[-1] or found.spans


def test_crunch_has_it_among_its_own_filters_and_once() -> None:
    document = Document.parse(PAGE)
    _, found = extracted(document, Recipe("crunch:level=12,filters=short-lines"))
    assert len({edit.element for edit in found.edits}) == len(found.edits) == 1


def test_its_panel_is_in_the_form_of_every_method() -> None:
    listed = parameters_of(["bte"])
    assert [each.name for each in listed][-2:] == ["short-lines", "short-lines.least"]
    form = str(parameter_fields(listed))
    assert 'name="bte.short-lines.least" min="1" max="50"' in form
    (made,) = with_parameters(["bte"], {"bte.short-lines": "true", "bte.short-lines.least": "7"})
    assert registry.make(made).name == "bte:filters=short-lines:least:7"


async def identity(recipe: Recipe) -> ExtractorIdentity:
    return identify(recipe)


async def no_sheets(_page: Page, *_: object) -> Mapping[str, str]:
    return {}


@pytest.fixture
def referred() -> Iterator[None]:
    headers = Headers((("Referer", "https://search.example/"), ("Cookie", "id=1")))
    before = REQUESTER.set(Requester(headers=headers))
    yield
    REQUESTER.reset(before)


@pytest.mark.usefixtures("referred")
async def test_it_reads_what_it_declares_of_the_request_and_nothing_else() -> None:
    plain = FakeTransform()
    fields = MethodInputsTransform(plain, identity, no_sheets)
    recipe, usual = Recipe("plain:filters=short-lines"), Recipe("plain")
    rendered = await fields(PAGE, recipe)
    assert plain.pages[0].beside == (("referer", "https://search.example/"),)
    assert not rendered.by_page_alone
    await fields(PAGE, usual)
    assert plain.pages[1] == PAGE
    mine = await fields.fingerprint(recipe)
    REQUESTER.set(Requester())
    assert await fields.fingerprint(recipe) != mine
    assert await fields.fingerprint(Recipe("plain")) == await plain.fingerprint(usual)


def test_a_rendering_for_one_reader_has_keys_of_its_own_and_is_another() -> None:
    recipe = Recipe("plain:filters=short-lines")
    mine = replace(PAGE, beside=(("referer", "https://search.example/"),))
    assert "Flood" in kept(recipe.extractor, mine)
    assert memory_key(mine, "f") != memory_key(PAGE, "f")
    assert stored_key(mine, "f") != stored_key(PAGE, "f")
    assert unpack_job(pack_job(TransformJob(mine, recipe))) == TransformJob(mine, recipe)


def test_a_strangers_format_is_written_and_counts_with_its_version() -> None:
    recipe = Recipe("plain", Format("shout"))
    rendered = transform(PAGE, recipe)
    assert rendered.media_type == "text/x-shout"
    assert b"READ ON" in rendered.body
    job = TransformJob(PAGE, recipe)
    assert unpack_job(pack_job(job)) == job
    assert repr(recipe.format) == "<Format.shout 2.1: 'shout'>"
    assert fingerprint(recipe) != fingerprint(Recipe("plain", Format.EPUB))
    assert list(Format) == [Format(each.value) for each in Format]
    with pytest.raises(ValueError, match="whisper"):
        Format("whisper")


async def test_every_door_gives_a_strangers_format(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    async with serving(Origin()) as origin, proxying(PipelineTransform()) as proxy:
        origin.replies["/a"] = html(PAGE.body)
        answer = await ask(proxy.port, get(origin.url("/a"), "Winnow-Format: shout"))
        assert (answer.status, answer.field("content-type")) == (200, "text/x-shout")
        assert b"THE RIVER ROSE" in answer.body
        wrong = await ask(proxy.port, get(origin.url("/a"), "Winnow-Format: whisper"))
        assert wrong.status == 400
        query = f"/-/api/extract?url={origin.url('/a')}&format=shout"
        head = f"GET {query} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
        assert (await ask(proxy.port, head.encode())).body == answer.body
    file = tmp_path / "page.html"
    file.write_bytes(PAGE.body)
    capfdbinary.readouterr()
    assert main(["extract", str(file), "--format", "shout"]) == 0
    assert b"THE RIVER ROSE" in capfdbinary.readouterr().out
    assert winnow.extract(PAGE.body).render(Format("shout")).startswith("THE RIVER ROSE")
