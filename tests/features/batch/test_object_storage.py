"""Archives in an object store: a local server that speaks S3's protocol (moto)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer
from s3fs import S3FileSystem

from tests.features.batch.archives import archive
from winnow.cli import main
from winnow.config.settings import Settings
from winnow.features.batch import page_locations as module
from winnow.features.batch.page_locations import page_locations, pages

URLS = tuple(f"http://a.example/{number}" for number in range(1, 8))


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bucket of the local server, which the environment names."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    for name, value in (
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    S3FileSystem.clear_instance_cache()  # one of another server
    boto3.client("s3").create_bucket(Bucket="crawl")
    yield "s3://crawl"
    server.stop()


@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_an_archive_in_a_bucket_is_read_in_ranges(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(module, "RANGE", size)
    path = archive(tmp_path / "crawl.warc.gz", *URLS)
    store = boto3.client("s3")
    store.upload_file(str(path), "crawl", "one.warc.gz")
    store.put_object(Bucket="crawl", Key="warc.paths", Body=f"{bucket}/one.warc.gz\n".encode())
    for source in (f"{bucket}/one.warc.gz", f"{bucket}/warc.paths"):
        listed = list(page_locations([source]))
        found = [each for one in listed for each in pages(one, Settings())]
        assert [each.url for each in found] == [*URLS]
        assert (len(listed) > 1) is (size == 1000)
        assert found[0].source == f"{bucket}/one.warc.gz@0"


@pytest.mark.parametrize("name", ["out.jsonl", "deep/out.parquet"])
def test_the_rows_are_written_to_a_bucket(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "a.html").write_text(f"<h1>T</h1>{'<p>The river rose overnight.</p>' * 9}")
    monkeypatch.chdir(tmp_path)
    command = ["extract", "--batch", "a.html", "--out", f"{bucket}/{name}", "--workers", "1"]
    assert main(command) == 0
    stored = boto3.client("s3").get_object(Bucket="crawl", Key=name)["Body"].read()
    assert b"river rose" in stored if name.endswith("jsonl") else stored.startswith(b"PAR1")
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]
    assert main(command) == 1  # it exists


def test_what_cannot_be_written_there_is_an_error_and_stays_here(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").write_text(f"<h1>T</h1>{'<p>The river rose overnight.</p>' * 9}")
    monkeypatch.chdir(tmp_path)
    command = ["extract", "--batch", "a.html", "--workers", "1", "--out"]
    assert main([*command, f"{bucket}-none/out.jsonl"]) == 1
    assert f"{bucket}-none/out.jsonl could not be written" in capsys.readouterr().err
    assert (tmp_path / "out.jsonl").exists()
    assert main([*command, f"{bucket}/"]) == 2
    assert main([*command, "nowhere://a/b.jsonl"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.html",
        "out.jsonl",
        "out.jsonl.parts",
    ]


@pytest.mark.parametrize(
    "command",
    [
        ["train", "crf", "package", "--out", "s3://crawl/model"],
        ["evaluate", "package", "--out", "s3://crawl/results"],
        ["label", "rules", "pages", "--out", "s3://crawl/package"],
        ["learn", "pages", "--out", "s3://crawl/sites"],
        ["ca", "export", "--out", "s3://crawl/ca.crt"],
        ["backup", "s3://crawl/winnow.tar.gz"],
    ],
)
def test_no_other_command_takes_an_address_for_a_folder(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    assert not list(tmp_path.iterdir())
