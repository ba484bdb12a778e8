"""Twelve pages of one site through the proxy: the first with its boxes, the last without."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from docs.harbour import BOATS, BOXES, HOST, path, story
from docs.layouts_demo import STATIC, boxes, reading
from tests.extractors.layout.pages import FOOTER, markup, prose
from tests.proxy.origins import ask, get
from winnow.cli import main
from winnow.compose.running import Running

BROWSER = "Accept: text/html,*/*;q=0.8"


async def read(proxy: Running, number: int, *fields: str) -> str:
    answer = await ask(proxy.port, get(f"http://{HOST}{path(number)}", BROWSER, *fields))
    assert answer.field("winnow-action") == "extracted"
    assert proxy.state.learning is not None
    await proxy.state.learning.settled()
    return answer.body.decode()


async def own(proxy: Running, target: str) -> str:
    answer = await ask(proxy.port, get(f"http://127.0.0.1:{proxy.port}{target}", BROWSER))
    assert answer.status == 200
    return answer.body.decode()


async def test_boxes_go_once_the_site_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with reading(tmp_path, on_disk=True) as proxy:
        shown = [await read(proxy, number) for number in range(len(BOATS))]
        assert boxes(shown[0]) == len(BOXES)
        assert [boxes(page) for page in shown[8:]] == [0, 0, 0, 0]
        assert f"The {BOATS[11]} came into" in shown[11]
        why = await own(proxy, f"/-/why?url={quote(f'http://{HOST}{path(11)}', safe='')}")
        assert why.count(STATIC) >= len(BOXES)
        assert HOST in await own(proxy, "/-/settings/sites")
    flags = ["--config", str(_config(tmp_path))]
    assert await asyncio.to_thread(main, ["sites", "list", *flags]) == 0
    assert re.match(rf"http://{HOST} +\d+\.\d kB +layout: 12 pages", capsys.readouterr().out)


async def test_a_password_or_no_store_teaches_nothing(tmp_path: Path) -> None:
    async with reading(tmp_path) as proxy:
        await read(proxy, 0, "Authorization: Basic eDp5")
        assert proxy.state.learning is not None
        assert proxy.state.learning.memories() == {}
        await read(proxy, 1)
        assert set(proxy.state.learning.memories()) == {f"http://{HOST}"}


async def test_the_page_of_what_was_learned_saves_it_for_programs(tmp_path: Path) -> None:
    async with reading(tmp_path) as proxy:
        await read(proxy, 0)
        address = "/-/settings/sites?export="
        for name in (f"http://{HOST}", "*"):
            link = f"{address}{quote(name, safe='*')}"
            assert link in await own(proxy, "/-/settings/sites")
            told = json.loads(await own(proxy, link))
            assert told[f"http://{HOST}"]["pages"] == {"layout": 1}
        head = f"GET {address}other.example HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
        assert (await ask(proxy.port, head.encode())).status == 404


async def test_the_page_of_what_was_learned_forgets(tmp_path: Path) -> None:
    async with reading(tmp_path) as proxy:
        await read(proxy, 0)
        page = await own(proxy, "/-/settings/sites")
        (form,) = re.findall(rf"<form.*?{HOST}.*?</form>", page, re.DOTALL)
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        body = urlencode(fields).encode()
        head = (
            f"POST http://127.0.0.1:{proxy.port}/-/settings/sites HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{proxy.port}\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
        )
        crossed = f"{head}Origin: http://evil.example\r\n\r\n".encode() + body
        assert (await ask(proxy.port, crossed)).status == 403
        answer = await ask(proxy.port, f"{head}\r\n".encode() + body)
        assert answer.status == 303
        assert proxy.state.learning is not None
        assert proxy.state.learning.memories() == {}


def _config(folder: Path) -> Path:
    file = folder / "winnow.toml"
    file.write_text(f'[storage]\nfolder = "{folder}"\n', "utf-8")
    return file


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl" / HOST
    for number in range(len(BOATS)):
        file = folder / f"{path(number)[1:]}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(story(number), "utf-8")
    return folder.parent


def test_sites_are_learned_beforehand_and_forgotten(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--config", str(_config(tmp_path))]
    assert main(["learn", str(pages), *flags]) == 0
    assert capsys.readouterr().out == f"http://{HOST}: 12 pages\n"
    assert main(["sites", "show", f"www.{HOST}", *flags]) == 0
    assert "static" in capsys.readouterr().out
    assert main(["sites", "export", HOST, *flags]) == 0
    exported = capsys.readouterr().out
    assert '"difference"' in exported
    assert "newsletter" not in exported
    assert main(["sites", "forget", HOST, *flags]) == 0
    assert main(["sites", "list", *flags]) == 0
    assert HOST not in capsys.readouterr().out.partition("\n")[2]
    assert main(["sites", "show", HOST, *flags]) == 1
    assert "nothing is stored about" in capsys.readouterr().err


def test_wrong_use_of_sites_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--config", str(_config(tmp_path))]
    assert main(["sites", "forget", *flags]) == 2
    assert main(["sites", "export", *flags]) == 2
    assert main(["learn", str(tmp_path / "none"), *flags]) == 2
    assert main(["learn", str(tmp_path), "--webstemmer", *flags]) == 2
    assert "--out" in capsys.readouterr().err


def test_a_file_of_layouts_is_for_extract(
    tmp_path: Path, pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "layouts.json"
    assert main(["learn", str(pages), "--out", str(out)]) == 0
    assert "12 pages read, 12 stored" in capsys.readouterr().out
    page = next(pages.rglob("marigold.html"))
    assert main(["extract", str(page), "--extractor", f"layout:{out}"]) == 0
    shown = capsys.readouterr().out
    assert "The Marigold came into Saltby" in shown
    assert boxes(" ".join(shown.split())) == 0


@pytest.mark.parametrize(
    ("flag", "mode"),
    [
        ("--webstemmer", "mode=webstemmer"),
        ("--webstemmer", "mode=webstemmer-strict"),
        ("--strict", "strict=true"),
    ],
)
def test_webstemmers_layouts_are_learned_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, mode: str
) -> None:
    crawl, out = tmp_path / "crawl", tmp_path / "layouts.json"
    crawl.mkdir()
    for number in range(8):
        (crawl / f"{number}.html").write_text(markup(number, story="story"), "utf-8")
    assert main(["learn", str(crawl), flag, "--out", str(out)]) == 0
    assert "1 layouts of 8 of 8 pages" in capsys.readouterr().out
    page = str(crawl / "3.html")
    assert main(["extract", page, "--extractor", f"layout:site={out},{mode}"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert prose(300, 3) in shown
    assert FOOTER not in shown
