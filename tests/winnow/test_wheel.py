"""The wheel: everything below ``winnow``, so that nobody's own modules stand in its way."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.load.programs import STARTED

pytestmark = pytest.mark.release

ROOT = Path(__file__).resolve().parents[2]
NAMESAKES = ("config.py", "document.py", "extractors.py", "jobs.py", "proxy/__init__.py")
"""Modules that a user may have beside the program, and that proxy.py installs (``proxy``)."""
PAGE = "<title>A river</title><article><h1>A river</h1>{}</article>".format(
    "<p>The river rose by a metre in one night, and the town closed its lower bridge.</p>" * 8
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of what git tracks, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith(("tests/", "docs/")) and (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name, follow_symlinks=False)
    built: list[str | Path] = [
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        source,
    ]
    subprocess.run([sys.executable, *built], check=True, timeout=600)
    return next(folder.glob("winnow_proxy-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's files in a folder, which stands for site-packages."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A user's folder with modules that are named as our rooms are."""
    for name in NAMESAKES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise RuntimeError('this is the module of somebody else')\n")
    return tmp_path


def environment(installed: Path) -> Mapping[str, str]:
    """The wheel stands before this checkout on the path."""
    return {**os.environ, **STARTED, "PYTHONPATH": str(installed)}


def test_everything_is_below_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        names = set(archive.namelist())
    assert {top for top in tops if not top.endswith(".dist-info")} == {"winnow"}
    assert "winnow/py.typed" in names
    assert "winnow/config/default.toml" in names
    assert not [name for name in names if "benchmarks" in name or "/tests/" in name]


def test_a_users_own_modules_are_not_touched(installed: Path, crowded: Path) -> None:
    code = (
        "import sys, winnow; article = winnow.extract(sys.argv[1]);"
        "print(winnow.__file__); print(article.title)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, PAGE],
        cwd=crowded,
        env=environment(installed),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    home, title = done.stdout.splitlines()
    assert Path(home).is_relative_to(installed)
    assert title == "A river"


def test_the_library_loads_nothing_of_the_proxy(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys, winnow; article = winnow.extract(sys.argv[1], 'http://a.test/');"
        "article.html, article.markdown, article.text, article.json;"
        "print(*(name for name in sys.modules if name.startswith(('winnow.proxy', 'aiohttp'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, PAGE],
        cwd=tmp_path,
        env=environment(installed),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.split() == []


def test_it_serves_beside_them(installed: Path, crowded: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "winnow", "serve", "--port", "0"],
        cwd=crowded,
        env=environment(installed),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline() + process.stdout.readline()
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/", said)
            assert address is not None, said
            request = urllib.request.Request(
                f"{address[0]}-/api/extract?format=text", data=PAGE.encode()
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert b"the town closed its lower bridge" in answer.read()
        finally:
            process.terminate()
