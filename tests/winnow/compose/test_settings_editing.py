"""Settings changed on our own pages: written to the file, in force at once, undone, by whom."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer
from tests.proxy.own.templates.support import attribute
from tests.winnow.compose.test_own_pages import assert_sound, get, post
from winnow.compose.process.shares import SharedState
from winnow.compose.running import Running, listening
from winnow.config.sources.settings_source import SettingsSource
from winnow.proxy.access.credentials.passwords import hash_password

FILE = """\
# Mine, by hand.
[server]  # where
port = 0

[extraction]
extractor = "bte"   # a fast one
processes = 1
deadline = 60.0

[interception]
hosts = [
    "a.example",  # the first
]

[storage]
folder = "{folder}"
"""
ALL = "/-/settings/all"


@asynccontextmanager
async def edited(folder: Path, text: str = FILE) -> AsyncIterator[tuple[Running, Path]]:
    """A proxy with a settings file."""
    file = folder / "winnow.toml"
    file.write_text(text.format(folder=folder / "data"))
    source = SettingsSource(file)
    loaded, shared = source.load(), SharedState(source=source)
    async with listening(loaded.settings, None, loaded.origins, shared) as proxy:
        await proxy.begin(60)
        yield proxy, file


async def form_of(proxy: Running, section: str, *fields: str) -> dict[str, str]:
    return fields_of(await get(proxy, f"{ALL}?section={section}", *fields))


def fields_of(answer: Answer) -> dict[str, str]:
    """What the page's form for settings would send, untouched."""
    form = LexborHTMLParser(answer.body).css_first("main form[method=post]")
    assert form is not None
    found = {}
    for node in form.css("input, textarea, select"):
        name = attribute(node, "name")
        if node.tag == "select":
            chosen = node.css_first("option[selected]")
            assert chosen is not None
            found[name] = attribute(chosen, "value")
        elif node.attributes.get("type") != "checkbox" and "disabled" not in node.attributes:
            found[name] = (
                node.text() if node.tag == "textarea" else node.attributes.get("value") or ""
            )
    return found


async def test_a_change_is_in_force_at_once_and_keeps_the_files_comments(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = await form_of(proxy, "extraction")
        assert (await post(proxy, ALL, form)).field("location") == ALL
        assert file.read_text() == before, "an untouched form changes nothing"
        saved = await post(proxy, ALL, {**form, "extraction.min_words": "31"})
        assert (saved.status, saved.field("location")) == (303, f"{ALL}?saved=now")
        assert proxy.loaded.settings.extraction.min_words == 31
        expected = before.replace("deadline = 60.0\n", "deadline = 60.0\nmin_words = 31\n")
        assert file.read_text() == expected
        assert (await form_of(proxy, "extraction"))["extraction.min_words"] == "31"
        page = assert_sound(await get(proxy, f"{ALL}?saved=now"))
        assert "Saved." in page.css_first("[role=status]").text()  # type: ignore[union-attr]


async def test_a_list_keeps_the_comments_beside_its_other_items(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, file):
        form = await form_of(proxy, "interception")
        assert form["interception.hosts"] == "a.example"
        form["interception.hosts"] = "a.example\r\n*.b.example\r\n"
        await post(proxy, ALL, form)
        assert proxy.loaded.settings.interception.hosts == ("a.example", "*.b.example")
        assert '"a.example",  # the first' in file.read_text()


async def test_a_wrong_value_is_said_as_the_file_says_it_and_changes_nothing(
    tmp_path: Path,
) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = await form_of(proxy, "extraction")
        entered = {**form, "extraction.deadline": "soon", "extraction.min_share": "7"}
        answer = await post(proxy, ALL, entered)
        page = assert_sound(answer)
        assert answer.status == 422
        said = page.css_first("[role=alert]").text()  # type: ignore[union-attr]
        assert 'extraction.deadline must be a duration such as "5 s"' in said
        assert "extraction.min_share must be at most 1, not 7" in said
        assert fields_of(answer)["extraction.deadline"] == "soon"
        assert file.read_text() == before


async def test_settings_that_do_not_fit_each_other_are_refused(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = await form_of(proxy, "sites")
        answer = await post(proxy, ALL, {**form, "sites.levels": "example.com=99"})
        assert answer.status == 422
        assert b"sites: " in answer.body
        assert file.read_text() == before


async def test_a_change_is_undone_and_the_undoing_too(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = await form_of(proxy, "extraction")
        await post(proxy, ALL, {**form, "extraction.min_words": "31", "extraction.bar": "false"})
        changed = file.read_text()
        for expected in (before, changed):
            page = await get(proxy, ALL)
            assert page.body.count(b">Undo<") >= 1
            assert (await post(proxy, ALL, fields_of(page))).status == 303
            assert file.read_text() == expected
        assert proxy.loaded.settings.extraction.min_words == 31


async def test_a_box_takes_a_setting_out_of_the_file(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, file):
        form = await form_of(proxy, "extraction")
        await post(proxy, ALL, {**form, "default:extraction.extractor": "1"})
        assert "extractor" not in file.read_text()
        assert proxy.loaded.settings.extraction.extractor == "auto"


async def test_a_form_from_before_another_change_changes_nothing(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, _):
        old = await form_of(proxy, "extraction")
        await post(proxy, ALL, {**old, "extraction.min_words": "31"})
        answer = await post(proxy, ALL, {**old, "extraction.min_confidence": "0.9"})
        assert answer.status == 422
        assert b"meanwhile" in answer.body
        assert proxy.loaded.settings.extraction.min_confidence != 0.9


def code_in(capsys: pytest.CaptureFixture[str]) -> str:
    found = re.search(r"the code (\d{4} \d{4}) allows", capsys.readouterr().err)
    return found[1] if found else ""


async def test_the_annotator_is_reached_by_a_setting_and_no_file_is_edited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with edited(tmp_path) as (proxy, _file):
        assert (await get(proxy, "/-/annotate")).status == 404
        form = await form_of(proxy, "annotation")
        asked = await post(proxy, ALL, {**form, "annotation.folder": str(tmp_path / "gold")})
        code = code_in(capsys)
        assert (await post(proxy, ALL, {**fields_of(asked), "code": code})).status == 303
        assert (await get(proxy, "/-/annotate")).status == 200


async def test_what_winnow_trusts_needs_the_code_that_the_terminal_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = await form_of(proxy, "upstream")
        asked = await post(proxy, ALL, {**form, "upstream.proxy": "http://127.0.0.1:3128"})
        code, proofs = code_in(capsys), fields_of(asked)
        assert asked.status == 200
        assert code
        assert code.replace(" ", "") not in asked.body.decode()
        wrong = f"{(int(code.replace(' ', '')) + 1) % 10**8:08d}"
        again = await post(proxy, ALL, {**proofs, "code": wrong})
        assert again.status == 403
        other = {**proofs, "upstream.proxy": "http://127.0.0.1:3129", "code": code}
        assert (await post(proxy, ALL, other)).status == 403, "a code is for one change"
        assert file.read_text() == before
        assert (await post(proxy, ALL, {**proofs, "code": code})).status == 303
        assert proxy.loaded.settings.upstream.proxy == "http://127.0.0.1:3128"


async def test_a_new_user_is_a_name_and_a_password_of_which_the_hash_is_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with edited(tmp_path) as (proxy, file):
        form = await form_of(proxy, "access")
        asked = await post(proxy, ALL, {**form, "access.users": "ann horse battery"})
        assert b"horse" not in asked.body
        code = code_in(capsys)
        await post(proxy, ALL, {**fields_of(asked), "code": code})
        assert "horse" not in file.read_text()
        assert [line[:11] for line in proxy.loaded.settings.access.users] == ["ann:scrypt$"]
        shown = await get(proxy, f"{ALL}?section=access")
        assert b"scrypt" not in shown.body
        assert fields_of(shown)["access.users"] == "ann"
        line = proxy.loaded.settings.access.users[0]
        again = await post(proxy, ALL, {**fields_of(shown), "access.users": "ann\r\nben horse"})
        await post(proxy, ALL, {**fields_of(again), "code": code_in(capsys)})
        assert proxy.loaded.settings.access.users[0] == line
        assert len(proxy.loaded.settings.access.users) == 2
        nameless = await post(
            proxy, ALL, {**(await form_of(proxy, "access")), "access.users": "ann\nben\ncid"}
        )
        assert b"has no password for cid" in nameless.body
        history = unescape((await get(proxy, ALL)).body.decode())
        assert "scrypt" not in history


async def test_another_site_changes_nothing(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = {**(await form_of(proxy, "extraction")), "extraction.min_words": "31"}
        assert (await post(proxy, ALL, form, "Origin: http://evil.example")).status == 403
        assert (await post(proxy, ALL, {**form, "token": "1.AAAA"})).status == 403
        for path in ("/http://site.example/", "http://site.example/"):
            led = ("User-Agent: Mozilla/5.0", f"Referer: http://127.0.0.1:{proxy.port}{path}")
            await post(proxy, ALL, {**form, "token": "1.AAAA"}, *led)
        assert file.read_text() == before


async def test_a_user_who_is_no_administrator_changes_nothing(tmp_path: Path) -> None:
    line = hash_password("x")
    users = f'\n[access]\nusers = ["ann:{line}", "ben:{line}"]\nadmins = ["ann"]\nopen_to = []\n'
    async with edited(tmp_path, FILE + users) as (proxy, file):
        before = file.read_text()
        ann, ben = "Authorization: Basic YW5uOng=", "Authorization: Basic YmVuOng="
        page = await get(proxy, f"{ALL}?section=extraction", ben)
        assert b">Save<" not in page.body
        form = {**(await form_of(proxy, "extraction", ann)), "extraction.min_words": "31"}
        assert (await post(proxy, ALL, form)).status == 401
        assert (await post(proxy, ALL, form, ben)).status == 403
        assert file.read_text() == before
        assert (await post(proxy, ALL, form, ann)).status == 303


async def test_what_the_environment_sets_cannot_be_changed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_EXTRACTION__MIN_WORDS", "33")
    async with edited(tmp_path) as (proxy, _):
        page = (await get(proxy, f"{ALL}?section=extraction")).body.decode()
        field = re.search(r'<input[^>]*name="extraction.min_words"[^>]*>', page)
        assert field
        assert "disabled" in field[0]
        assert "Set elsewhere (environment variable WINNOW_EXTRACTION__MIN_WORDS)" in page


async def test_a_restart_is_said_where_it_is_needed(tmp_path: Path) -> None:
    async with edited(tmp_path) as (proxy, _):
        form = await form_of(proxy, "learning")
        saved = await post(proxy, ALL, {**form, "learning.days": "7"})
        assert saved.field("location") == f"{ALL}?saved=restart"


async def test_a_file_that_cannot_be_written_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with edited(tmp_path) as (proxy, file):
        before = file.read_text()
        form = await form_of(proxy, "extraction")

        def full(_file: Path, _data: bytes) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("winnow.proxy.own.settings_editor.write_private", full)
        answer = await post(proxy, ALL, {**form, "extraction.min_words": "31"})
        assert answer.status == 503
        assert b"No space left on device" in answer.body
        assert proxy.loaded.settings.extraction.min_words == 20
        assert file.read_text() == before
