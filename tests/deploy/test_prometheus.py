"""Metric names, alert rules and the dashboard, by Prometheus' own judge (promtool)."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from prometheus_client import Metric
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from tests.programs import require_program
from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.observing import server_process_figures
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.proxy.observability.aggregation import exposed, summed

DEPLOY = Path(__file__).parents[2] / "deploy"
ALERTS = (DEPLOY / "prometheus" / "alerts.yml").read_text()
DASHBOARD = json.loads((DEPLOY / "grafana" / "winnow.json").read_text())
TABLE = (DEPLOY.parent / "docs" / "operations.md").read_text()
OURS = re.compile(r"\bwinnow_[a-z_]+")
SAMPLES = re.compile(r"_(?:bucket|sum|count)$")


async def scraped(accept: str = "") -> Answer:
    """The metrics of a proxy that answered two requests; an origin failed for one."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=UNHURRIED,
    )
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/story"] = html(b"<p>Short.", "Cache-Control: max-age=60")
        await ask(proxy.port, get(origin.url("/story"), "Accept: text/html"))
        await ask(proxy.port, get("http://127.0.0.1:1/", "Accept: text/html"))
        url = f"http://127.0.0.1:{proxy.port}/-/metrics"
        return await ask(proxy.port, get(url, f"Accept: {accept}"))


def promtool(*arguments: str | Path, text: str | None = None) -> str:
    """What promtool objects to; empty where it is content."""
    command = [str(require_program("promtool")), *map(str, arguments)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 and not done.stderr else done.stdout + done.stderr


async def test_names_follow_prometheus_conventions() -> None:
    text = (await scraped()).body.decode()
    assert "winnow_cache_lookups_total" in text
    assert promtool("check", "metrics", text=text) == ""
    processes = exposed(summed([server_process_figures({"processes": 2, "restarts": 1})]))[0]
    assert promtool("check", "metrics", text=processes.decode()) == ""
    assert "counter metrics" in promtool("check", "metrics", text="# TYPE x counter\nx 1\n")


async def test_openmetrics_where_it_is_asked_for() -> None:
    wanted = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"
    answer = await scraped(wanted)
    assert answer.field("content-type").startswith("application/openmetrics-text; version=1.0.0")
    assert answer.field("vary") == "Accept"
    parse: Callable[[str], Iterable[Metric]] = text_string_to_metric_families
    families = {each.name for each in parse(answer.body.decode())}
    assert {"winnow_requests", "winnow_stage_seconds", "winnow_pool_waiting"} <= families
    plain = await scraped()
    assert plain.field("content-type").startswith("text/plain; version=0.0.4")
    assert "openmetrics" in CONTENT_TYPE_LATEST


async def test_rules_and_dashboard_ask_for_what_is_exported() -> None:
    text = (await scraped()).body.decode()
    families = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    families |= {"winnow_server_processes", "winnow_server_process_restarts_total"}
    families |= {"winnow_authority_expiry_timestamp_seconds", "winnow_redis_up"}  # where in use
    asked = {SAMPLES.sub("", name) for name in OURS.findall(ALERTS)}
    shown = {SAMPLES.sub("", name) for each in expressions() for name in OURS.findall(each)}
    assert asked <= families
    assert shown <= families
    exported = {name for name in families if name.startswith("winnow_")}
    assert exported - shown == {"winnow_responses_total", "winnow_upstream_idle_connections"}


def test_every_alert_fires_where_it_should_and_not_elsewhere() -> None:
    tests = DEPLOY / "prometheus" / "alerts_test.yml"
    assert promtool("test", "rules", tests) == ""
    named = set(re.findall(r"alert: (\w+)", ALERTS))
    assert named == set(re.findall(r"alertname: (\w+)", tests.read_text()))
    assert all(f"| `{name}` |" in TABLE for name in named)  # what to do then


@pytest.mark.parametrize("threshold", [("> 0.05", "> 0.5"), ("for: 1m", "for: 3h"), ("> 1", "> 0")])
def test_the_tests_of_the_alerts_notice_another_threshold(
    tmp_path: Path, threshold: tuple[str, str]
) -> None:
    (tmp_path / "alerts.yml").write_text(ALERTS.replace(*threshold))
    tests = (DEPLOY / "prometheus" / "alerts_test.yml").read_text()
    (tmp_path / "alerts_test.yml").write_text(tests)
    assert "FAILED" in promtool("test", "rules", tmp_path / "alerts_test.yml")


def expressions() -> Iterator[str]:
    """The queries of all panels, as Grafana sends them."""
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            query = target["expr"].replace("$__rate_interval", "2m")
            yield query.replace("$job", "winnow").replace("$instance", ".*")


def test_the_queries_of_the_dashboard_are_promql(tmp_path: Path) -> None:
    rules: list[dict[str, Any]] = [
        {"record": f"panel:query:{number}", "expr": query}
        for number, query in enumerate(expressions())
    ]
    file = tmp_path / "rules.yml"  # JSON is YAML
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert len(rules) > 15
    assert promtool("check", "rules", file) == ""
    file.write_text(file.read_text().replace("sum by", "sum bye", 1))
    assert promtool("check", "rules", file) != ""


def as_grafana_reads(board: Any) -> Any:
    """What is left of a dashboard when Grafana's published types have read it (Foundation SDK)."""
    register_default_plugins()
    return json.loads(JSONEncoder().encode(Dashboard.from_json(board)))


def lost(told: Any, read: Any, where: str = "") -> Iterator[str]:
    """The places of a dashboard that were dropped or changed; what was filled in is no loss."""
    if isinstance(told, dict) and isinstance(read, dict):
        for name, value in told.items():
            yield from lost(value, read.get(name), f"{where}/{name}")
    elif isinstance(told, list) and isinstance(read, list) and len(told) == len(read):
        for number, (one, other) in enumerate(zip(told, read, strict=True)):
            yield from lost(one, other, f"{where}/{number}")
    elif told != read:
        yield where


def test_grafanas_types_know_all_of_the_dashboard() -> None:
    """No Grafana was to be had for a test: its published types stand in for it."""
    assert list(lost(DASHBOARD, as_grafana_reads(DASHBOARD))) == []
    legends = [panel["options"]["legend"] for panel in DASHBOARD["panels"]]
    assert all(legend["showLegend"] for legend in legends)  # absent, it is false to them
    odd = deepcopy(DASHBOARD)
    odd["panels"][0]["options"]["legend"]["showLegnd"] = True
    odd["panels"][1]["gridPosition"] = {}
    found = list(lost(odd, as_grafana_reads(odd)))
    assert found == ["/panels/0/options/legend/showLegnd", "/panels/1/gridPosition"]


def test_the_panels_have_places_of_their_own() -> None:
    places = [tuple(panel["gridPos"].values()) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in DASHBOARD["panels"]})
    variables = {each["name"] for each in DASHBOARD["templating"]["list"]}
    assert variables == {"datasource", "job", "instance"}
