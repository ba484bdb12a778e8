"""The extension's files: permissions, no code from elsewhere; packed the same each time."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

from deploy.pack_extension import BROWSERS, manifest_for, pack
from tests.extension.drivers import EXTENSION
from winnow.proxy.own.languages import Language

ROOT: Final = EXTENSION.parent
MANIFEST: Final[dict[str, Any]] = json.loads((EXTENSION / "manifest.json").read_text())
SCRIPTS: Final = {file.name: file.read_text() for file in EXTENSION.glob("*.js")}
CODE: Final = "\n".join(SCRIPTS.values())
README: Final = (EXTENSION / "README.md").read_text()


def test_each_permission_is_used_and_explained() -> None:
    for name in MANIFEST["permissions"]:
        assert re.search(rf"browser\.{name}\b", CODE), name
    for name in (*MANIFEST["permissions"], *MANIFEST["host_permissions"]):
        assert f"`{name}`" in README, name
    used = set(re.findall(r"browser\.(\w+)", CODE))
    free = {"action", "extension", "i18n", "runtime", "tabs"}
    assert used - free == set(MANIFEST["permissions"])


def test_no_page_may_load_a_file_and_none_is_injected_unasked() -> None:
    assert not {"web_accessible_resources", "content_scripts", "externally_connectable"} & {
        *MANIFEST
    }


def test_no_code_comes_from_elsewhere() -> None:
    policy = MANIFEST["content_security_policy"]["extension_pages"]
    assert "default-src 'none'; script-src 'self';" in policy
    assert not re.search(r"\beval\(|new Function|importScripts|innerHTML|insertAdjacentHTML", CODE)
    assert set(re.findall(r'from "([^"]+)"', CODE)) <= {f"./{name}" for name in SCRIPTS}
    for page in EXTENSION.glob("*.html"):
        sources = re.findall(r'(?:src|href)="([^"#]+)"', page.read_text())
        assert all((EXTENSION / source).is_file() for source in sources), page.name


def test_the_article_has_no_scripts_and_no_origin() -> None:
    (sandbox,) = re.findall(
        r'<iframe[^>]* sandbox="([^"]*)"', (EXTENSION / "reader.html").read_text()
    )
    assert not {"allow-scripts", "allow-same-origin", "allow-forms", "allow-modals"} & {
        *sandbox.split()
    }


def test_the_fields_are_only_read() -> None:
    assert not re.search(r"blocking|onBeforeSendHeaders|declarativeNetRequest", CODE)


def test_it_has_the_version_of_winnow() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert MANIFEST["version"] == project["version"]


@pytest.mark.parametrize("browser", BROWSERS)
def test_packing_twice_gives_the_same_bytes(browser: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(EXTENSION, copy)
    for number, file in enumerate(sorted(copy.rglob("*"), reverse=True)):
        if file.is_dir():
            continue
        os.utime(file, (number * 1e8, number * 1e8))
        file.chmod(0o600)
    first, second = pack(browser, EXTENSION, tmp_path / "a"), pack(browser, copy, tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
    files = {file.relative_to(EXTENSION).as_posix() for file in EXTENSION.rglob("*.*")}
    assert set(names) == files - {"README.md"}
    assert manifest == manifest_for(browser, MANIFEST)


def test_each_browser_gets_what_it_knows() -> None:
    chromium, firefox = (manifest_for(browser, MANIFEST) for browser in ("chromium", "firefox"))
    assert chromium["background"] == {"service_worker": "background.js", "type": "module"}
    assert firefox["background"] == {"scripts": ["background.js"], "type": "module"}
    assert "browser_specific_settings" not in chromium
    assert "minimum_chrome_version" not in firefox


def messages(locale: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(
        (EXTENSION / "_locales" / locale / "messages.json").read_text()
    )
    return found


@pytest.mark.parametrize("language", Language)
def test_each_text_is_in_each_language(language: Language) -> None:
    english, translated = messages("en"), messages(language.value)
    assert list(translated) == list(english)
    for name, each in translated.items():
        assert each["message"].strip(), name
        assert each.get("placeholders") == english[name].get("placeholders"), name
        assert ("$VALUE$" in each["message"]) == ("placeholders" in each), name
    different = [name for name in english if translated[name] != english[name]]
    assert language is Language.ENGLISH or len(different) > len(english) - 4


def test_each_text_is_used_and_no_other() -> None:
    pages = "".join(page.read_text() for page in EXTENSION.glob("*.html"))
    used = set(re.findall(r'data-(?:text|title)="(\w+)"', pages))
    used |= {
        name
        for call in re.findall(r"\btext\(([^;]*)", CODE)
        for name in re.findall(r'"(\w+)"', call)
    }
    assert set(messages("en")) - used <= {"description", "extracted", "tidied", "original"}
    assert used & set(messages("en")) >= set(re.findall(r'data-(?:text|title)="(\w+)"', pages))
