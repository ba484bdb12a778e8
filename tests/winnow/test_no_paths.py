"""No response tells a client where files of the server stand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.winnow.test_whole_path import ARTICLE, BROWSER, settings
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.jobs.public_names import public_name, without_folders


def by_list(folder: Path, path: Path) -> Settings:
    plain = settings()
    extraction = replace(plain.extraction, extractor=f"crunch:level=2,ads={path}")
    return replace(plain, extraction=extraction, storage=replace(plain.storage, folder=folder))


async def faces(chosen: Settings) -> dict[str, Answer]:
    """What each face answers about one page."""
    origin = Origin({"/page": html(ARTICLE)})
    async with serving(origin), running(chosen) as proxy:
        url, own = origin.url("/page"), f"http://127.0.0.1:{proxy.port}"
        about = f"url={quote(url, safe='')}"
        asked = {
            "proxy": get(url, BROWSER),
            "json": get(url, "Winnow-Format: json"),
            "gateway": get(f"{own}/{url}", BROWSER),
            "api": get(f"{own}/-/api/extract?{about}"),
            "why": get(f"{own}/-/why?{about}", BROWSER),
            "compare": get(f"{own}/-/compare?{about}&with=crunch&with=bte", BROWSER),
            "status": get(f"{own}/-/status", BROWSER),
            "setup": get(f"{own}/-/setup", BROWSER),
            "settings": get(f"{own}/-/settings", BROWSER),
        }
        return {name: await ask(proxy.port, request) for name, request in asked.items()}


async def test_a_method_is_named_without_the_folder_of_its_list(tmp_path: Path) -> None:
    ads = tmp_path / "secret-folder" / "ads.txt"
    ads.parent.mkdir()
    ads.write_text("ads.example\n", "utf-8")
    answers = await faces(by_list(tmp_path / "data", ads))
    assert answers["proxy"].field("winnow-extractor") == "crunch:ads=ads.txt"
    assert b"crunch:ads=ads.txt" in answers["json"].body
    for name, answer in answers.items():
        assert b"secret-folder" not in answer.head + answer.body, name


async def test_a_list_that_is_missing_is_told_without_its_folder(tmp_path: Path) -> None:
    answers = await faces(by_list(tmp_path / "data", tmp_path / "secret-folder" / "none.txt"))
    for name, answer in answers.items():
        assert b"secret-folder" not in answer.head + answer.body, name


@pytest.mark.parametrize(
    ("specification", "shown"),
    [
        ("auto", "auto"),
        ("lqf:0.25", "lqf:0.25"),
        (
            "crunch:level=2,ads=/var/lib/winnow/a.txt,inner=True",
            "crunch:level=2,ads=a.txt,inner=True",
        ),
        ("layout:/home/anna/site.json", "layout:site.json"),
        ("layout:site=C:\\sites\\a.json", "layout:site=a.json"),
    ],
)
def test_files_are_shown_by_their_base_names(specification: str, shown: str) -> None:
    assert public_name(specification) == shown


def test_a_sentence_loses_folders_and_keeps_addresses() -> None:
    told = "'/srv/data/a.txt' is gone: see https://example.com/a/b and 3/4."
    assert without_folders(told) == "'a.txt' is gone: see https://example.com/a/b and 3/4."
