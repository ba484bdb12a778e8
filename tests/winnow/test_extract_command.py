"""``winnow extract`` prints one article, or one JSON object a line for several sources."""

from __future__ import annotations

import io
import json
import socket
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.winnow.conftest import ARTICLE, PAGE
from winnow.cli import main
from winnow.commands.extract import FORMATS
from winnow.document.values import BAR_MARK, Format


class Origin(BaseHTTPRequestHandler):
    """``/page`` is a page in Latin-1, ``/moved`` leads there, anything else is not found."""

    def do_GET(self) -> None:
        status = {"/page": 200, "/moved": 302}.get(self.path, 404)
        body = PAGE.replace("Home", "Café").replace("husks", "bälge").encode("latin-1")
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=iso-8859-1")
        self.send_header("Location", "/page")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def origin() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Origin) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def output(capsysbinary: pytest.CaptureFixture[bytes]) -> tuple[str, str]:
    out, err = capsysbinary.readouterr()
    return out.decode(), err.decode()


def test_a_file_gives_its_article(page: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["extract", str(page)]) == 0
    assert output(capsysbinary) == ("\n\n".join(ARTICLE) + "\n", "")


def test_the_bare_stream_has_hidden_text(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>One two three.</p><p hidden>Four five six.</p>")
    method = ["extract", str(page), "--extractor", "bte"]
    assert main(method) == 0
    assert output(capsysbinary) == ("One two three.\n", "")
    assert main([*method, "--bare"]) == 0
    assert output(capsysbinary) == ("One two three.\n\nFour five six.\n", "")
    assert main(["extract", str(page), *method[1:], "--bare"]) == 2
    assert "one SOURCE" in output(capsysbinary)[1]
    assert main(["extract", str(page), "--bare", "--extractor", "nobody"]) == 2
    page.write_text("<p>")
    assert main([*method, "--bare"]) == 1


def test_the_standard_input_is_a_source(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
    assert main(["extract", "-"]) == 0
    assert ARTICLE[0] in output(capsysbinary)[0]


@pytest.mark.parametrize("path", ["/page", "/moved"])
def test_an_address_is_fetched_with_its_charset(
    origin: str, path: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", origin + path]) == 0
    assert "carries the bälge away" in output(capsysbinary)[0]


def test_an_address_that_is_not_found_is_exit_1(
    origin: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", f"{origin}/nothing"]) == 1
    assert output(capsysbinary) == ("", f"winnow: {origin}/nothing answered with status 404\n")


def test_a_page_over_the_limit_is_exit_1(
    origin: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("WINNOW_EXTRACTION__MAX_PAGE", "100 B")
    assert main(["extract", f"{origin}/page"]) == 1
    assert "larger than extraction.max_page allows" in output(capsysbinary)[1]


def test_an_address_that_nobody_answers_is_exit_1(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["extract", "http://127.0.0.1:1/"]) == 1
    assert output(capsysbinary)[1].startswith("winnow: cannot fetch http://127.0.0.1:1/: ")


def test_a_missing_file_is_exit_1(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["extract", "nothing.html"]) == 1
    assert (
        output(capsysbinary)[1] == "winnow: cannot read nothing.html: No such file or directory\n"
    )


def test_a_page_without_an_article_is_exit_1(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    empty = tmp_path / "empty.html"
    empty.touch()
    assert main(["extract", str(empty), "--format", "html"]) == 1
    sentence = f"winnow: no article was found in {empty}; try another --extractor\n"
    assert output(capsysbinary) == ("", sentence)


@pytest.mark.parametrize("form", ["text", "epub"])
def test_sources_without_an_article_do_not_stop_the_others(
    form: str, page: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    empty = tmp_path / "empty.html"
    empty.write_text("<title>Nothing</title>")
    assert main(["extract", str(empty), str(page), "--format", form]) == 1
    out, err = capsysbinary.readouterr()
    assert b"no article was found" in (err if form == "epub" else out)
    assert b"\n" in out
    assert len(out) > 500


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_error_holds_no_repr(
    scheme: str, origin: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    nobody, plain = "127.0.0.1:1", origin.removeprefix("http://")
    for host in (nobody, plain) if scheme == "https" else (nobody,):
        assert main(["extract", f"{scheme}://{host}/"]) == 1
        err = output(capsysbinary)[1]
        assert err.startswith(f"winnow: cannot fetch {scheme}://{host}/: ")
        assert "<" not in err
        assert "object" not in err


def test_several_sources_give_one_object_a_line(
    page: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", str(page), str(page)]) == 0
    out, err = output(capsysbinary)
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["source"] for line in lines] == [str(page)] * 2
    assert all(ARTICLE[0] in line["text"] for line in lines)
    assert err == ""


def test_a_failing_source_does_not_stop_the_others(
    page: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", "nothing.html", str(page)]) == 1
    first, second = (json.loads(line) for line in output(capsysbinary)[0].splitlines())
    assert first == {
        "source": "nothing.html",
        "error": "cannot read nothing.html: No such file or directory",
    }
    assert ARTICLE[1] in second["text"]


@pytest.mark.parametrize("shown", [shown for shown in FORMATS if shown is not Format.EPUB])
def test_every_format_is_printed_without_the_place_of_the_bar(
    page: Path, shown: Format, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", str(page), "--format", shown]) == 0
    out = output(capsysbinary)[0]
    assert "wooden shovel" in out
    assert BAR_MARK.decode() not in out


def test_several_sources_are_one_book(
    page: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["extract", str(page), "nothing.html", str(page), "--format", "epub"]) == 1
    out, err = capsysbinary.readouterr()
    with zipfile.ZipFile(io.BytesIO(out)) as book:
        assert "EPUB/chapter2.xhtml" in book.namelist()
        assert b"wooden shovel" in book.read("EPUB/chapter1.xhtml")
    assert b"nothing.html: cannot read" in err
    assert main(["extract", "no.html", "nor.html", "--format", "epub"]) == 1


def test_objects_of_several_sources_are_the_formats_own(
    page: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for shown in {Format.JSON, Format.SPANS} & set(FORMATS):
        assert main(["extract", str(page), str(page), "--format", shown]) == 0
        first = json.loads(output(capsysbinary)[0].splitlines()[0])
        assert first["source"] == str(page)
        assert {"textContent", "spans"} & set(first)


def test_a_refused_connection_is_said_in_the_systems_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        assert main(["extract", url]) == 1
    assert capsys.readouterr().err == f"winnow: cannot fetch {url}: Connection refused\n"
