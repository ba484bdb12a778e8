"""What `winnow extractors` lists runs, at every door, with both ends of each of its parameters."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

import winnow
from tests.programs import require_program
from tests.proxy.app import pages
from tests.proxy.app.pages import PipelineTransform, by_purpose
from tests.proxy.app.test_gateway_and_api import direct
from tests.proxy.origins import Answer, Origin, ask, get, html
from tests.proxy.proxies import Proxy, proxying
from winnow.cli import main
from winnow.extractors import registry
from winnow.extractors.parameters import DeclaredParameter, declared, needs_of
from winnow.jobs.job_types import PipelineError

LONG = {"dsc": pages.ARTICLE.replace(b"</p><p>", b" ")}
"""One long paragraph for what looks for a plateau."""
ROWS = registry.names()


def ends(parameter: DeclaredParameter) -> Iterator[str]:
    if parameter.choices:
        yield from parameter.choices
        return
    for value in (parameter.least, parameter.most):
        yield str(int(value)) if parameter.whole else str(value)


SPECIFICATIONS = [
    *ROWS,
    *(
        f"{name}:{each.name}={value}"
        for name in ROWS
        for each in declared(registry.factory(name))
        for value in ends(each)
    ),
]
NEEDY = [f"{name}:{choice}" for name in ROWS for choice in needs_of(registry.factory(name))]


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxying(PipelineTransform(), by_purpose) as found:
        yield found


def _require_browser(name: str) -> None:
    if name.startswith("vips"):
        require_program("chromium")


async def by_http(
    origin: Origin, proxy: Proxy, name: str, page: bytes = pages.ARTICLE
) -> list[Answer]:
    """By proxy, gateway and API."""
    origin.replies["/a"] = html(page)
    query = f"url={quote(origin.url('/a'))}&format=text&extractor={quote(name)}"
    fields = "Winnow-Format: text", f"Winnow-Extractor: {name}"
    return [
        await ask(proxy.port, get(origin.url("/a"), *fields)),
        await ask(proxy.port, direct(f"/-/read?{query}")),
        await ask(proxy.port, direct(f"/-/api/extract?{query}")),
        await ask(proxy.port, direct(f"/-/api/extract?{query}", method="POST", body=page)),
    ]


@pytest.mark.parametrize("name", SPECIFICATIONS)
async def test_what_is_listed_runs(origin: Origin, proxy: Proxy, tmp_path: Path, name: str) -> None:
    """Each door says the same; a method may find no article at a parameter's end."""
    _require_browser(name)
    answers = await by_http(origin, proxy, name)
    assert {answer.status for answer in answers} in ({200}, {422})
    text = winnow.extract(pages.ARTICLE, origin.url("/a"), name).text.encode()
    file = tmp_path / "page.html"
    file.write_bytes(pages.ARTICLE)
    if answers[0].status == 200:
        assert {answer.body.strip() for answer in answers} == {text}
    else:
        assert {json.loads(answer.body)["type"] for answer in answers} == {"no-article"}
    assert main(["extract", str(file), "--extractor", name]) == (answers[0].status != 200)


@pytest.mark.parametrize("name", ROWS)
async def test_a_row_without_parameters_finds_the_article(
    origin: Origin, proxy: Proxy, name: str
) -> None:
    _require_browser(name)
    for answer in await by_http(origin, proxy, name, LONG.get(name, pages.ARTICLE)):
        assert pages.SENTENCE.encode() in answer.body


@pytest.mark.parametrize("name", NEEDY)
async def test_what_needs_a_file_says_so_in_a_sentence(
    origin: Origin, proxy: Proxy, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in await by_http(origin, proxy, name):
        problem = json.loads(answer.body)
        assert (answer.status, problem["type"]) == (400, "bad-parameter")
        assert "`winnow " in problem["detail"]
        assert problem["detail"].endswith(".")
    with pytest.raises(PipelineError, match="`winnow "):
        winnow.extract(pages.ARTICLE, extractor=name)
    file = tmp_path / "page.html"
    file.write_bytes(pages.ARTICLE)
    assert main(["extract", str(file), "--extractor", name]) == 2
    assert main(["extractors"]) == 0
    out, said = capsys.readouterr()
    assert "`winnow " in said
    assert f"{name.partition(':')[2]} needs " in out


def test_no_form_offers_what_needs_a_file() -> None:
    assert NEEDY
    assert not set(NEEDY) & set(SPECIFICATIONS)


@pytest.mark.release
@pytest.mark.parametrize("name", ROWS)
def test_a_batch_runs_each_row(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page.html").write_bytes(LONG.get(name, pages.ARTICLE))
    out = tmp_path / "rows.jsonl"
    flags = ["--extractor", name, "--out", str(out), "--workers", "1"]
    assert main(["extract", "--batch", str(tmp_path / "in"), *flags]) == 0
    assert pages.SENTENCE in json.loads(out.read_text())["text"]
