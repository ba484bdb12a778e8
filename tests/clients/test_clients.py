"""Programs that people use, through the proxy: curl, pip and git."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from tests.programs import require_program
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, reply, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge. "
ARTICLE = (
    "<html lang=en><head><title>The flood</title></head><body><nav>"
    + "<a href=/1>Home</a> <a href=/2>News</a> <a href=/3>Weather</a> " * 5
    + f"</nav><article><h1>The flood</h1>{f'<p>{SENTENCE * 5}</p>' * 8}</article></body></html>"
).encode()


@pytest.fixture
async def site() -> AsyncIterator[tuple[Origin, str]]:
    """An origin known to the proxy as ``site.example``, and the proxy's address."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin:
        names = NamedOrigins({("site.example", 80): origin.port})
        async with running(open_names(settings), names) as proxy:
            yield origin, f"http://127.0.0.1:{proxy.port}"


async def run(*command: str | Path, folder: Path | None = None) -> bytes:
    """The standard output of a program that must succeed."""
    process = await asyncio.create_subprocess_exec(
        *(str(word) for word in command),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
    )
    async with asyncio.timeout(250):
        output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return output


async def test_curl_reads_the_article(site: tuple[Origin, str]) -> None:
    origin, proxy = site
    origin.replies["/story"] = html(ARTICLE)
    curl = require_program("curl")
    shown = await run(curl, "-sS", "--compressed", "-x", proxy, "http://site.example/story")
    assert SENTENCE.strip() in shown.decode()
    assert b"Weather" not in shown


async def test_curl_gets_the_original_when_it_asks_for_it(site: tuple[Origin, str]) -> None:
    origin, proxy = site
    origin.replies["/story"] = html(ARTICLE)
    curl, url = require_program("curl"), "http://site.example/story"
    assert await run(curl, "-sS", "-x", proxy, "-H", "Winnow-Mode: original", url) == ARTICLE


async def test_curl_uploads_and_tunnels(site: tuple[Origin, str], tmp_path: Path) -> None:
    origin, proxy = site
    upload = tmp_path / "upload"
    upload.write_bytes(bytes(range(256)) * 8000)
    origin.replies["/upload"] = reply(b"thanks")
    curl, url = require_program("curl"), "http://site.example/upload"
    assert await run(curl, "-sS", "-x", proxy, "-T", upload, url) == b"thanks"
    assert origin.bodies[-1] == upload.read_bytes()
    assert await run(curl, "-sS", "-p", "-x", proxy, "-T", upload, url) == b"thanks"
    assert origin.bodies[-1] == upload.read_bytes()


def wheel(name: str) -> bytes:
    """A package that holds one module, as small as pip takes it."""
    packed = BytesIO()
    about = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{name}.py", "ANSWER = 42\n")
        archive.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{about}/RECORD", "")
    return packed.getvalue()


async def test_pip_installs_a_package(site: tuple[Origin, str], tmp_path: Path) -> None:
    origin, proxy = site
    packed, file = wheel("winnowed"), "winnowed-1.0-py3-none-any.whl"
    link = f"<a href=/{file}#sha256={hashlib.sha256(packed).hexdigest()}>{file}</a>"
    index = f"<!doctype html><html><body>{link}</body></html>"
    origin.replies["/simple/winnowed/"] = html(index.encode())
    origin.replies[f"/{file}"] = reply(packed, "Content-Type: application/octet-stream")
    flags = ("--isolated", "--no-deps", "--no-cache-dir", "--disable-pip-version-check")
    place = ("--index-url", "http://site.example/simple", "--trusted-host", "site.example")
    await run(
        sys.executable, "-m", "pip", "install", *flags, *place, "--proxy", proxy,
        "--target", tmp_path, "winnowed",
    )  # fmt: skip
    assert (tmp_path / "winnowed.py").read_text() == "ANSWER = 42\n"


async def test_git_clones_a_repository(site: tuple[Origin, str], tmp_path: Path) -> None:
    origin, proxy = site
    git = require_program("git")
    source, bare, clone = tmp_path / "source", tmp_path / "bare.git", tmp_path / "clone"
    await run(git, "init", "-q", source)
    (source / "index.html").write_bytes(ARTICLE)
    await run(git, "add", ".", folder=source)
    author = ("-c", "user.name=Nobody", "-c", "user.email=nobody@site.example")
    await run(git, *author, "commit", "-qm", "First", folder=source)
    await run(git, "clone", "-q", "--bare", source, bare)
    await run(git, "update-server-info", folder=bare)
    for file in (path for path in bare.rglob("*") if path.is_file()):
        origin.replies[f"/bare.git/{file.relative_to(bare)}"] = reply(file.read_bytes())
    refs = "/bare.git/info/refs"
    origin.replies[f"{refs}?service=git-upload-pack"] = origin.replies[refs]
    url = "http://site.example/bare.git"
    await run(git, "-c", f"http.proxy={proxy}", "clone", "-q", url, clone)
    assert (clone / "index.html").read_bytes() == ARTICLE
