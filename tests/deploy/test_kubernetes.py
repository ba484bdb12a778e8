"""The Kubernetes manifest: valid by Kubernetes' schemas, and in accord with Winnow itself."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from winnow.config.server_settings import Server
from winnow.config.setting_list import entries
from winnow.config.source_precedence import load

TEXT = (Path(__file__).parents[2] / "deploy" / "kubernetes.yaml").read_text()
RESOURCES: dict[str, Any] = {each["kind"]: each for each in yaml.safe_load_all(TEXT)}
POD = RESOURCES["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


@pytest.mark.parametrize("kind", RESOURCES)
@pytest.mark.parametrize("version", ["1.29", "1.37"])
def test_kubernetes_schemas_accept_it(kind: str, version: str) -> None:
    kubernetes_validate.validate(RESOURCES[kind], version, strict=True)


def test_the_schemas_refuse_a_wrong_word() -> None:
    wrong = deepcopy(RESOURCES["Deployment"])
    wrong["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.37", strict=True)


def test_it_has_what_a_rolling_update_needs() -> None:
    kinds = {"Deployment", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler"}
    assert kinds <= set(RESOURCES)
    labels = POD["metadata"]["labels"].items()
    for kind in ("Deployment", "PodDisruptionBudget"):
        assert RESOURCES[kind]["spec"]["selector"]["matchLabels"].items() <= labels
    assert RESOURCES["Service"]["spec"]["selector"].items() <= labels
    assert RESOURCES["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["name"] == "winnow"


def test_the_settings_are_valid_and_fit_the_pod(tmp_path: Path) -> None:
    file = tmp_path / "winnow.toml"
    file.write_text(RESOURCES["ConfigMap"]["data"]["winnow.toml"])
    variables = {each["name"]: "redis://127.0.0.1/0" for each in CONTAINER["env"]}
    settings = load(file, variables).settings
    server: Server = settings.server
    grace = POD["spec"]["terminationGracePeriodSeconds"]
    assert grace > server.drain + server.shutdown_grace + 5
    probe = CONTAINER["readinessProbe"]
    seen = probe["periodSeconds"] * probe["failureThreshold"]
    assert server.drain > seen  # requests still come until the endpoints are without the pod
    assert CONTAINER["ports"][0]["containerPort"] == server.port
    assert settings.access.private_addresses == "nobody"
    cached = settings.cache.memory + settings.cache.renderings
    processes = server.processes * 230e6 + settings.extraction.processes * 70e6
    most = (cached + processes + settings.extraction.max_memory) / 1024**3
    assert most < float(CONTAINER["resources"]["limits"]["memory"].removesuffix("Gi"))


def test_the_variables_are_settings() -> None:
    names = {
        each["name"].removeprefix("WINNOW_").replace("__", ".").lower() for each in CONTAINER["env"]
    }
    assert names == {"storage.redis", "cache.redis", "learning.redis"} & set(entries())


def test_the_pod_may_do_little() -> None:
    security = CONTAINER["securityContext"]
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert security["readOnlyRootFilesystem"]
    assert not security["allowPrivilegeEscalation"]
    assert POD["spec"]["securityContext"]["runAsNonRoot"]
    dockerfile = (Path(__file__).parents[2] / "Dockerfile").read_text()
    assert f"USER {POD['spec']['securityContext']['runAsUser']}" in dockerfile
    assert not POD["spec"]["automountServiceAccountToken"]


def test_the_autoscaler_reads_a_metric_that_is_exported() -> None:
    (metric,) = RESOURCES["HorizontalPodAutoscaler"]["spec"]["metrics"]
    assert metric["pods"]["metric"]["name"] == "winnow_pool_waiting"
    assert metric["pods"]["target"]["type"] == "AverageValue"
