"""The extractors of features: in every process, and gone with their feature."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import Origin, ask, get, html, serving
from tests.winnow.conftest import PAGE
from winnow import feature_list
from winnow.cli import main
from winnow.compose.running import running
from winnow.config.feature_settings import FeatureSettings
from winnow.config.server_settings import Server
from winnow.config.settings import Settings, StorageSettings
from winnow.evaluation.commands.train import TrainRequest
from winnow.extractors import registry
from winnow.feature import Feature, FeatureError, fitting

MINE = Feature(
    name="mine",
    is_extra=True,
    extractors={"mine": registry.BUILT_IN["plain"]},
    trainer=f"{__name__}:trained",
)


def trained(request: TrainRequest) -> str:
    """What trains the method of this test."""
    return f"{len(request.packages)} package"


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A feature with an extractor; afterwards this process has those of the program."""
    monkeypatch.setitem(feature_list.EXTRAS, MINE.name, MINE)
    yield
    registry.use(registry.BUILT_IN)


@pytest.mark.usefixtures("mine")
async def test_the_proxy_has_those_of_the_features_in_force(tmp_path: Path) -> None:
    settings = replace(
        Settings(),
        server=Server(port=0),
        storage=StorageSettings(folder=tmp_path),
        features=FeatureSettings(disabled=("crf",), enabled=("mine",)),
    )
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/page"] = html(PAGE.encode())
        reasons = []
        for name in ("mine", "crf"):
            fields = "Accept: text/html", f"Winnow-Extractor: {name}"
            answer = await ask(proxy.port, get(origin.url("/page"), *fields))
            reasons.append((answer.field("winnow-action"), answer.field("winnow-reason")))
        offered = await ask(proxy.port, get(f"http://127.0.0.1:{proxy.port}/-/compare"))
    assert reasons[0][0] == "extracted"
    assert "unknown-extractor" in reasons[1][1]
    assert (b'"mine"' in offered.body, b'"crf"' in offered.body) == (True, False)


@pytest.mark.usefixtures("mine")
def test_commands_have_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "winnow.toml"
    config.write_text('[features]\nenabled = ["mine"]\ndisabled = ["vips"]\n')
    assert main(["extractors", "--json", "--config", str(config)]) == 0
    names = {each["name"] for each in json.loads(capsys.readouterr().out)}
    assert names >= {"mine", "auto", "crf"}
    assert "vips" not in names


@pytest.mark.usefixtures("mine")
def test_a_feature_trains_its_method(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "winnow.toml").write_text('[features]\nenabled = ["mine"]\n')
    (tmp_path / "package.json").write_text(json.dumps({"name": "made", "licence": "CC0"}))
    (tmp_path / "page.html").write_text("<p>A river")
    (tmp_path / "page.txt").write_text("A river")
    monkeypatch.chdir(tmp_path)
    assert main(["train", "mine", str(tmp_path), "--out", "model"]) == 0
    assert capsys.readouterr().out == "1 package\n"


def test_two_features_bring_no_extractor_of_one_name() -> None:
    with pytest.raises(FeatureError, match="the extractor mine"):
        fitting((MINE, replace(MINE, name="other")))
